import { decisionsOfMany, membersOf } from '#application/events/group-membership.ts';
import type { GroupEntry } from '#domain/correlation/grouping/group-entry.ts';
import type { Group } from '#domain/correlation/records.ts';
import { type Actor, type Event, eventIdOf } from '#domain/event/event.ts';
import type { Ports } from '#domain/ports/ports.ts';
import { entriesOf } from './entries.ts';

/** Members that are looked at, the earliest. */
const MEMBERS = 1_000;

export const HAPPENED = ['founded', 'joined', 'merged', 'status', 'note', 'assigned', 'verdict', 'split'] as const;

/** One thing that happened to a group, at an event time, or when a person did it (ms). */
export interface Moment {
  readonly at: number;
  readonly kind: (typeof HAPPENED)[number];
  /** Storage id. */
  readonly eventId?: string;
  readonly by?: Actor;
  readonly text: string;
}
export interface Timeline {
  readonly moments: readonly Moment[];
  /** Of later members nothing is told. */
  readonly isTruncated: boolean;
}

type Reading = Pick<Ports, 'events' | 'correlation' | 'records'>;

const joins = ({ foundedBy }: Group, { id, timestamp, title, ci }: Event): Moment => {
  const on = ci === null ? '' : ` on ${ci.name}`;
  const kind = id === foundedBy ? 'founded' : 'joined';
  return { at: timestamp, kind, eventId: id, text: `${title}${on}` };
};

const turns = ({ id, title, history }: Event): Moment[] =>
  history.flatMap(({ at, by, from, to, notes }): Moment[] => {
    const who = { eventId: id, ...(by && { by }) };
    if (from !== null && from !== to)
      return [{ at, kind: 'status', ...who, text: `${title}: ${from} → ${to}${notes ? ` (${notes})` : ''}` }];
    return notes && by ? [{ at, kind: 'note', ...who, text: notes }] : [];
  });

const said = ({ at, kind, by, text }: GroupEntry): Moment => ({ at, kind, by, text });

async function merges(ports: Reading, tenant: string, members: ReadonlyMap<string, Event>): Promise<Moment[]> {
  const found = new Map<number, Moment>();
  for await (const { decisions } of decisionsOfMany(ports, tenant, [...members.keys()]))
    for (const { position, eventId, merged } of decisions) {
      const event = members.get(eventId);
      if (merged.length === 0 || event === undefined) continue;
      const text = `took in ${merged.join(', ')} by ${eventIdOf(eventId)}`;
      found.set(position, { at: event.timestamp, kind: 'merged', eventId, text });
    }
  return [...found.values()];
}

/** What happened to a group, oldest first. */
export const timelineOf = async (ports: Reading, tenant: string, group: Group): Promise<Timeline> => {
  const members = await membersOf(ports, tenant, group, MEMBERS);
  const byId = new Map(members.map((event) => [event.id, event]));
  const moments = [
    ...members.map((event) => joins(group, event)),
    ...members.flatMap(turns),
    ...(await merges(ports, tenant, byId)),
    ...(await entriesOf(ports, tenant, group)).map(said),
  ];
  // What happened at one time stays in this order.
  moments.sort((a, b) => a.at - b.at);
  return { moments, isTruncated: group.size > members.length };
};
