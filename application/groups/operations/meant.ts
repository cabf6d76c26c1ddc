import type { UseCaseContext } from '#application/access/context.ts';
import type { Group } from '#domain/correlation/records.ts';
import { type Event, eventIdOf, parseEventId, type Status } from '#domain/event/event.ts';
import { wasClosed } from '#domain/event/life/putting-back.ts';
import type { EventFilter } from '#domain/ports/events/event-store.ts';
import { slices } from '#domain/slices.ts';

/** Groups that are read at once. */
const AT_ONCE = 20;
/** Events of one page, and events that one operation moves. */
const PAGE = 1_000;
const MOST_MOVED = 10_000;

/** A group, or an event, as it was named. */
export type GroupMeant =
  | { readonly name: string; readonly group: Group }
  | { readonly name: string; readonly event: Event }
  | { readonly name: string; readonly error: string };

/** The group that stands for each id now, and events by theirs. */
export async function meantBy(
  { ports, tenant }: UseCaseContext,
  names: readonly string[],
): Promise<readonly GroupMeant[]> {
  const ids = new Map([...new Set(names)].map((name) => [name, parseEventId(name)]));
  const wanted = [...ids.values()].filter((id) => id !== null);
  const events = new Map((await ports.events.getMany(tenant, wanted)).map((event) => [event.id, event]));
  const eventNamed = (name: string, id: string): GroupMeant => {
    const event = events.get(id);
    return event === undefined ? { name, error: `Event ${eventIdOf(id)} was not found` } : { name, event };
  };
  const groupNamed = async (name: string): Promise<GroupMeant> => {
    const group = await ports.correlation.group(tenant, name);
    return group === null ? { name, error: `Group ${name} was not found` } : { name, group };
  };
  const meant: GroupMeant[] = [];
  for (const some of slices([...ids], AT_ONCE))
    meant.push(
      ...(await Promise.all(some.map(([name, id]) => (id === null ? groupNamed(name) : eventNamed(name, id))))),
    );
  return meant;
}

/** Members that move, by the id of their group. */
export interface Moving {
  readonly byGroup: ReadonlyMap<string, readonly string[]>;
  /** These have more than one operation moves. */
  readonly cut: ReadonlySet<string>;
}

/** Members with one of the statuses, the earliest first. */
export async function membersOf(
  { ports, tenant }: UseCaseContext,
  groups: readonly Group[],
  from: readonly Status[],
): Promise<Moving> {
  const byGroup = new Map<string, string[]>(groups.map(({ id }) => [id, []]));
  const cut = new Set<string>();
  let left = MOST_MOVED;
  for (const some of slices(groups, AT_ONCE)) {
    const standing = new Map(some.flatMap(({ id, aliases }) => [id, ...aliases].map((name) => [name, id] as const)));
    const filter: EventFilter = { correlationIds: [...standing.keys()], statuses: from };
    let cursor: string | null | undefined;
    while (cursor !== null) {
      if (left <= 0) {
        for (const { id } of some) cut.add(id);
        break;
      }
      const page = { sort: 'createdAt', order: 'asc', limit: Math.min(PAGE, left) } as const;
      const found = await ports.events.find(tenant, filter, cursor === undefined ? page : { ...page, cursor });
      for (const event of found.items.filter(wasClosed))
        byGroup.get(standing.get(event.correlationId ?? '') ?? '')?.push(event.id);
      left -= found.items.length;
      cursor = found.nextCursor;
    }
  }
  return { byGroup, cut };
}
