import { decisionsOfMany, membersOf } from '#application/events/group-membership.ts';
import type { GroupEntry } from '#domain/correlation/grouping/group-entry.ts';
import type { Group } from '#domain/correlation/records.ts';
import { type Event, eventIdOf, type HistoryEntry } from '#domain/event/event.ts';
import { titledOn } from '#domain/event/event-words.ts';
import { durationText } from '#domain/numbers.ts';
import type { Ports } from '#domain/ports/ports.ts';
import { entriesOf } from './entries.ts';
import type { GroupTimelineEntry } from './timeline-entry.ts';
import { topologyEntries } from './topology-entries.ts';

/** Maximum of members, the earliest or the latest. */
const MEMBERS = 1_000;

export interface Timeline {
  readonly moments: readonly GroupTimelineEntry[];
  /** Later members, or earlier ones, are left out. */
  readonly isTruncated: boolean;
}

type TimelinePorts = Pick<Ports, 'events' | 'correlation' | 'records' | 'history'>;

const subject = ({ title, ci, hostname }: Event): string => titledOn(title, ci?.name ?? hostname);

/** The founder may have left: then the earliest that is there. */
const joins = (founder: string | undefined, event: Event): GroupTimelineEntry => {
  const kind = event.id === founder ? 'founded' : 'joined';
  return { at: event.timestamp, kind, eventId: event.id, text: subject(event) };
};

async function causes({ events }: TimelinePorts, { tenant, named = [] }: Group): Promise<GroupTimelineEntry[]> {
  const found = await events.getMany(
    tenant,
    named.map(({ eventId }) => eventId),
  );
  const titles = new Map(found.map((event) => [event.id, subject(event)]));
  return named.map(({ eventId, at }) => ({
    at,
    kind: 'cause',
    eventId,
    text: `probable root cause: ${titles.get(eventId) ?? eventIdOf(eventId)}`,
  }));
}

/** It grows no more: for the largest window nothing has joined it. */
const closing = ({ last }: Group, quietMs: number, now: number): GroupTimelineEntry[] => {
  const at = last + quietMs;
  const text = `no longer growing: no new events for ${durationText(quietMs)}`;
  return at < now ? [{ at, kind: 'closed', text }] : [];
};

/** A user action on the whole group is shown once, by the entry of the group. */
const isOfGroup = (entries: readonly GroupEntry[]) => {
  const keys = new Set(entries.filter(({ kind }) => kind === 'status').map(({ at, by }) => `${at} ${by.id}`));
  return ({ at, by }: HistoryEntry): boolean => by !== null && keys.has(`${at} ${by.id}`);
};

const turns = (event: Event, isTold: (entry: HistoryEntry) => boolean): GroupTimelineEntry[] =>
  event.history.flatMap((entry): GroupTimelineEntry[] => {
    const { at, by, from, to, notes } = entry;
    if (isTold(entry)) return [];
    const who = { eventId: event.id, ...(by && { by }) };
    if (from !== null && from !== to)
      return [{ at, kind: 'status', ...who, text: `${subject(event)}: ${from} → ${to}${notes ? ` (${notes})` : ''}` }];
    return notes && by ? [{ at, kind: 'note', ...who, text: notes }] : [];
  });

const said = ({ at, kind, by, text }: GroupEntry): GroupTimelineEntry => ({ at, kind, by, text });

async function merges(
  ports: TimelinePorts,
  tenant: string,
  members: ReadonlyMap<string, Event>,
): Promise<GroupTimelineEntry[]> {
  const found = new Map<number, GroupTimelineEntry>();
  for await (const { decisions } of decisionsOfMany(ports, tenant, [...members.keys()]))
    for (const { position, eventId, merged, hand } of decisions) {
      const at = hand?.at ?? members.get(eventId)?.timestamp;
      if (merged.length === 0 || at === undefined) continue;
      const text = `merged ${merged.join(', ')} (linked by ${eventIdOf(eventId)})`;
      found.set(position, { at, kind: 'merged', eventId, ...(hand && { by: hand.by }), text });
    }
  return [...found.values()];
}

/** The end of a group depends on settings; times in ms. */
export interface TimelineAsked {
  readonly order: 'asc' | 'desc';
  readonly quietMs: number;
  readonly now: number;
}

/** History of a group. */
export const timelineOf = async (
  ports: TimelinePorts,
  tenant: string,
  group: Group,
  { order, quietMs, now }: TimelineAsked,
): Promise<Timeline> => {
  const found = await membersOf(ports, tenant, group, MEMBERS, order);
  const members = order === 'desc' ? found.toReversed() : found;
  const byId = new Map(members.map((event) => [event.id, event]));
  const areAll = group.size <= members.length;
  const earliest = order === 'asc' || areAll ? members[0] : undefined;
  const founder = byId.has(group.foundedBy) ? group.foundedBy : earliest?.id;
  const [merged, entries, named, topology] = await Promise.all([
    merges(ports, tenant, byId),
    entriesOf(ports, tenant, group),
    causes(ports, group),
    topologyEntries(ports, members, { from: group.first, to: Math.min(now, group.last + quietMs) }),
  ]);
  const isTold = isOfGroup(entries);
  const moments = [
    ...members.map((event) => joins(founder, event)),
    ...members.flatMap((event) => turns(event, isTold)),
    ...merged,
    ...named,
    ...topology.moments,
    ...entries.map(said),
    ...closing(group, quietMs, now),
  ];
  // Entries of one time stay in this order.
  moments.sort((a, b) => a.at - b.at);
  if (order === 'desc') moments.reverse();
  return { moments, isTruncated: !areAll || topology.isTruncated };
};
