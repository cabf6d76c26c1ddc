import { actorOf } from '#application/access/actor.ts';
import { trailOf } from '#application/access/audit.ts';
import type { UseCaseContext } from '#application/access/context.ts';
import { appendAndWait } from '#application/events/append-and-wait.ts';
import { decisionsAbout } from '#application/events/group-membership.ts';
import { untilSeen } from '#application/records/pause.ts';
import { readAfter } from '#application/records/read-after.ts';
import { firstItem, lastItem } from '#domain/assert.ts';
import type { Group } from '#domain/correlation/records.ts';
import { type Event, eventIdOf, parseEventId } from '#domain/event/event.ts';
import { Fault, invalid } from '#domain/fault.ts';
import type { Ports } from '#domain/ports/ports.ts';
import { findGroup } from './find-group.ts';

export interface GroupSplit {
  readonly correlationId: string;
  readonly eventIds: readonly string[];
  readonly reason: string;
}

export interface SplitDone {
  /** Group that the split events moved to; null: ungrouped. */
  readonly correlationId: string | null;
  /** It is in the log and was not carried out in time. */
  readonly isQueued: boolean;
}

/** Maximum of events that superseded each other in sequence. */
const CHAIN = 20;
/** Named in a refusal. */
const NAMED = 20;

const unknown = (eventIds: readonly string[]): Fault =>
  new Fault('not-found', `Events ${eventIds.slice(0, NAMED).join(', ')} were not found`, [], { data: { eventIds } });

async function eventsNamed({ events }: Ports, tenant: string, texts: readonly string[]): Promise<Event[]> {
  const ids = new Map(texts.map((text) => [text, parseEventId(text)]));
  const wanted = [...new Set([...ids.values()].flatMap((id) => id ?? []))];
  const found = await events.getMany(tenant, wanted);
  const known = new Set(found.map(({ id }) => id));
  const missing = texts.filter((text) => !known.has(ids.get(text) ?? ''));
  if (missing.length > 0) throw unknown(missing);
  return found;
}

/** Adds members that superseded one of them, or were superseded by one: they are one problem. */
async function withOthers(ports: Ports, events: readonly Event[], isMember: (event: Event) => boolean) {
  const all = new Map(events.map((event) => [event.id, event]));
  let latest = events;
  for (let i = 0; i < CHAIN && latest.length > 0; i++) {
    const ids = latest.flatMap(({ supersedes, supersededBy }) => [supersedes, supersededBy]);
    const fresh = ids.flatMap((id) => (id === undefined || all.has(id) ? [] : id));
    latest = fresh.length === 0 ? [] : (await ports.events.getMany(firstItem(events).tenant, fresh)).filter(isMember);
    for (const event of latest) all.set(event.id, event);
  }
  return [...all.values()];
}

const isIn = ({ id, aliases }: Group, { correlationId }: Event): boolean =>
  correlationId !== null && [id, ...aliases].includes(correlationId);

/** Returns the group of all of them after an earlier split; undefined: no split removed them from this group. */
async function alreadySplit(ports: Ports, group: Group, events: readonly Event[]): Promise<string | null | undefined> {
  const first = firstItem(events);
  const names = [group.id, ...group.aliases];
  const decisions = await decisionsAbout(ports, group.tenant, first.id);
  const done = decisions.findLast(({ apart }) => apart && names.includes(apart.from))?.apart;
  if (done === undefined || !events.every(({ id }) => done.left.includes(id))) return undefined;
  const now = first.correlationId;
  return now === null ? null : ((await ports.correlation.group(group.tenant, now))?.id ?? now);
}

/** Members under some of the names of a group, at most as many as one split removes. */
const MAX_RESTORED = 1_000;
async function namedIn(ports: Ports, tenant: string, names: readonly string[]): Promise<readonly string[] | null> {
  if (names.length === 0) return [];
  const page = { sort: 'createdAt', order: 'asc', limit: MAX_RESTORED } as const;
  const { items, total } = await ports.events.find(tenant, { correlationIds: names }, page);
  return total > items.length ? null : items.map(({ id }) => id);
}

const namesOf = (events: readonly Event[]): string[] => [
  ...new Set(events.flatMap(({ correlationId }) => correlationId ?? [])),
];

/** The group restored from an undone merge: its events, and its id before its other names. */
interface TakenBack {
  readonly ids: readonly string[];
  readonly restores: readonly string[];
}

/**
 * Events retain the name of their original group. When all of a name leave, or all but those, the merge of that group
 * is undone; null: this is another split.
 */
async function takenBack(ports: Ports, group: Group, leaving: readonly Event[]): Promise<TakenBack | null> {
  const { tenant, id, aliases } = group;
  const own = namesOf(leaving);
  const isAway = !own.includes(id);
  const restores = isAway ? own : aliases.filter((name) => !own.includes(name));
  if (restores.length === 0 || restores.length > aliases.length) return null;
  const left = new Set(leaving.map((event) => event.id));
  const going = await namedIn(ports, tenant, isAway ? own : [id, ...own]);
  if (going === null || going.length !== left.size || !going.every((one) => left.has(one))) return null;
  const ids = isAway ? going : await namedIn(ports, tenant, restores);
  const [first] = ids ?? [];
  if (ids === null || first === undefined) return null;
  const merged = (await decisionsAbout(ports, tenant, first)).findLast((one) =>
    one.merged.some((name) => restores.includes(name)),
  );
  const [main, ...others] = merged?.merged.filter((name) => restores.includes(name)) ?? [];
  if (main === undefined || others.length > 0) return null;
  return { ids: [...ids].sort(), restores: [main, ...restores.filter((name) => name !== main)] };
}

/**
 * A split is decided a moment before its events contain it in distributed mode; lists of groups are counted again then.
 */
const FIVE_SECONDS = { tries: 50, ms: 100 };

const onceBack = ({ correlation }: Ports, tenant: string, id: string) =>
  untilSeen(
    () => correlation.group(tenant, id),
    (group) => group?.id === id,
    FIVE_SECONDS,
  );

const onceSplit = ({ events }: Ports, group: Group, ids: readonly string[], into: string | null) =>
  untilSeen(
    () => events.getMany(group.tenant, ids),
    (now) => now.every((event) => !isIn(group, event) && (into === null || event.correlationId !== null)),
    FIVE_SECONDS,
  );

/** Removes events from a group; returns their new group. Throws Faults `not-found` and `invalid`. */
export const splitGroup = async (context: UseCaseContext, asked: GroupSplit): Promise<SplitDone> => {
  const { tenant, ports, receivedAt } = context;
  const { group } = await findGroup(ports, tenant, asked.correlationId);
  const named = await eventsNamed(ports, tenant, asked.eventIds);
  const strangers = named.filter((event) => !isIn(group, event)).map(({ id }) => eventIdOf(id));
  if (strangers.length > 0) {
    const known = strangers.length === named.length ? await alreadySplit(ports, group, named) : undefined;
    if (known !== undefined) return { correlationId: known, isQueued: false };
    throw invalid('eventIds', `Events ${strangers.slice(0, NAMED).join(', ')} are not in group ${group.id}`);
  }
  const leaving = await withOthers(ports, named, (event) => isIn(group, event));
  const back = await takenBack(ports, group, leaving);
  // The newest is retained longest, and the split with it.
  const ids = back?.ids ?? leaving.map(({ id }) => id).sort();
  const eventId = lastItem(ids);
  const apart = {
    id: ports.ids.ulid(),
    from: group.id,
    eventIds: ids,
    reason: asked.reason,
    ...(back && { restores: back.restores }),
  };
  const said = { manual: true, by: actorOf(context.caller), trail: trailOf(context), apart } as const;
  const receipt = await appendAndWait(ports, tenant, { kind: 'related', eventId, links: [], ...said }, receivedAt);
  if (receipt === null) return { correlationId: null, isQueued: true };
  // It is decided: an early read returns the events in the old group.
  const isThere = (): Promise<unknown> =>
    back !== null && receipt.correlationId !== null
      ? onceBack(ports, tenant, receipt.correlationId)
      : onceSplit(ports, group, ids, receipt.correlationId);
  await readAfter(isThere, undefined);
  const both = [group.id, ...(receipt.correlationId === null ? [] : [receipt.correlationId])];
  await readAfter(() => ports.groupRows.refresh(tenant, both), undefined);
  return { correlationId: receipt.correlationId, isQueued: false };
};
