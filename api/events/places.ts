import { CHILDREN, placeInGroup } from '#domain/correlation/group-view.ts';
import type { Decision, Group } from '#domain/correlation/records.ts';
import type { Event } from '#domain/event/event.ts';
import type { Link } from '#domain/event/incoming.ts';
import type { Ports } from '#domain/ports/ports.ts';
import type { Place } from '#schemas/http/event-view.ts';

type Reading = Pick<Ports, 'events' | 'correlation'>;

/** Decisions looked at for the links of one event. */
const DECISIONS = 200;

/** One stored link as one of its two events sees it. */
export interface StoredLink {
  readonly other: string;
  readonly link: Link;
  readonly refusedBy?: string;
}

/** All links of an event that were decided, whichever of the two arrived later; best first. */
export const storedLinks = async (ports: Reading, tenant: string, eventId: string): Promise<StoredLink[]> => {
  const decisions = await ports.correlation.decisionsOf(tenant, eventId, DECISIONS);
  const newest = new Map<string, StoredLink>();
  for (const found of decisions.flatMap((decision) => linksSeenFrom(decision, eventId))) newest.set(found.other, found);
  return [...newest.values()].sort((a, b) => b.link.score - a.link.score || (a.other < b.other ? -1 : 1));
};

const linksSeenFrom = (decision: Decision, eventId: string): StoredLink[] => {
  const all = [
    ...decision.accepted.map((link) => ({ link })),
    ...decision.refused.map(({ guard, ...link }) => ({ link, refusedBy: guard })),
  ];
  if (decision.eventId === eventId) return all.map((seen) => ({ other: seen.link.other, ...seen }));
  return all
    .filter(({ link }) => link.other === eventId)
    .map(({ link, ...seen }) => ({ other: decision.eventId, link: { ...link, other: decision.eventId }, ...seen }));
};

export const groupOf = (ports: Reading, { tenant, correlationId }: Event): Promise<Group | null> =>
  correlationId === null ? Promise.resolve(null) : ports.correlation.group(tenant, correlationId);

/** The members, earliest first, at most `limit`. */
export const membersOf = async (ports: Reading, tenant: string, group: Group, limit: number): Promise<Event[]> => {
  const filter = { correlationIds: [group.id, ...group.aliases] };
  const members: Event[] = [];
  let cursor: string | null | undefined;
  while (members.length < limit && cursor !== null) {
    const page = await ports.events.find(tenant, filter, {
      sort: 'timestamp',
      order: 'asc',
      limit: Math.min(100, limit - members.length),
      ...(cursor === undefined ? {} : { cursor }),
    });
    members.push(...page.items);
    cursor = page.nextCursor;
  }
  return members;
};

/** The places of the events that are in a group; each group is read once. Children are left out. */
export const placesOf = async (
  ports: Reading,
  tenant: string,
  events: readonly Event[],
): Promise<ReadonlyMap<string, Place>> => {
  const groups = new Map<string, Group | null>();
  const places = new Map<string, Place>();
  for (const { id, correlationId } of events) {
    if (correlationId === null) continue;
    if (!groups.has(correlationId)) groups.set(correlationId, await ports.correlation.group(tenant, correlationId));
    const group = groups.get(correlationId);
    if (group) places.set(id, await placeIn(ports, group, id));
  }
  return places;
};

const placeIn = async (ports: Reading, group: Group, id: string, members: readonly string[] = []): Promise<Place> => {
  const decisions = await ports.correlation.decisionsOf(group.tenant, id, DECISIONS);
  return { correlationId: group.id, inGroup: placeInGroup(id, group, members, decisions) };
};

/** Members that have to be read to show the event: the cause also shows them as its children. */
export const membersShown = (event: Event, { candidate }: Group, shown: number): number =>
  candidate?.eventId === event.id ? CHILDREN + 1 : shown;

/** The place of one event, with its children among `members` when it is the root-cause candidate. */
export const placeOf = (ports: Reading, event: Event, group: Group, members: readonly Event[]): Promise<Place> =>
  placeIn(
    ports,
    group,
    event.id,
    members.map(({ id }) => id),
  );
