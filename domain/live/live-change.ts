import type { Permission } from '#domain/access/permissions.ts';
import type { GroupChange } from '#domain/correlation/records.ts';
import type { Saved } from '#domain/event/incoming.ts';
import type { TopologyChange } from '#domain/topology/change.ts';

/** The kind of a change; `letter`: a dead letter, sent without an id. */
export type LiveKind = 'group' | 'event' | 'silence' | 'ci' | 'relationship' | 'scan' | 'letter';

/** Something that a list or page shows has changed. */
export interface LiveChange {
  readonly of: LiveKind;
  /** Null: `count` changes that are not named one by one. */
  readonly id: string | null;
  readonly count: number;
  /** It did not exist before. */
  readonly isNew: boolean;
}

/** Topics of a stream, with the permission and the kinds of changes of each. */
export const LIVE_TOPICS = {
  groups: { permission: 'events.read', kinds: ['group'] },
  events: { permission: 'events.read', kinds: ['event'] },
  silences: { permission: 'events.read', kinds: ['silence'] },
  topology: { permission: 'cmdb.read', kinds: ['ci', 'relationship'] },
  scans: { permission: 'discovery.read', kinds: ['scan'] },
  pipeline: { permission: 'pipeline.read', kinds: ['letter'] },
} as const satisfies Readonly<Record<string, { readonly permission: Permission; readonly kinds: readonly LiveKind[] }>>;
export type LiveTopic = keyof typeof LIVE_TOPICS;

/** Maximum of ids that one record names; the rest of them are counted. */
const MAX_IDS = 200;

const one = (of: LiveKind, id: string, isNew = false): LiveChange => ({ of, id, count: 1, isNew });

/** A record of `events.saved`: the event, and its group, whose counts and state follow from its members. */
export const changesOfEvent = (saved: Saved): LiveChange[] => {
  if (saved.happened === 'forgotten') return [];
  const { id, correlationId } = saved.event;
  const event = one('event', id, saved.happened === 'created');
  return correlationId === null ? [event] : [event, one('group', correlationId)];
};

/** A record of `correlation.changes`. */
export const changesOfGroup = ({ kind, group }: GroupChange): LiveChange[] => [
  one('group', group.id, kind === 'created'),
];

/** A record of `topology.changed`. */
export const changesOfTopology = ({ of, kind, ids }: Pick<TopologyChange, 'of' | 'kind' | 'ids'>): LiveChange[] => {
  const isNew = kind === 'created';
  const named = ids.slice(0, MAX_IDS).map((id) => one(of, id, isNew));
  const rest = ids.length - named.length;
  return rest === 0 ? named : [...named, { of, id: null, count: rest, isNew }];
};

export const deadLetterChange: LiveChange = { of: 'letter', id: null, count: 1, isNew: true };
