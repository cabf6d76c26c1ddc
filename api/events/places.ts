import type { Decision, Group } from '#domain/correlation/records.ts';
import type { Event } from '#domain/event/event.ts';
import type { Link } from '#domain/event/incoming.ts';
import type { Ports } from '#domain/ports/ports.ts';
import type { Place } from '#schemas/http/event-view.ts';

type Reading = Pick<Ports, 'events' | 'correlation'>;

/** Children shown on a root-cause candidate. */
const CHILDREN = 1_000;
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

/** Groups of the events of one page, each read once. */
export const placesOf = async (
  ports: Reading,
  tenant: string,
  events: readonly Event[],
): Promise<Map<string, Place>> => {
  const ids = [...new Set(events.flatMap(({ correlationId }) => correlationId ?? []))];
  const groups = new Map(
    await Promise.all(ids.map(async (id) => [id, await ports.correlation.group(tenant, id)] as const)),
  );
  const places = new Map<string, Place>();
  for (const event of events) {
    const group = event.correlationId === null ? null : groups.get(event.correlationId);
    if (group) places.set(event.id, { group, correlationType: null });
  }
  return places;
};

/** The place of one event, with its children when it is the root-cause candidate. */
export const placeOf = async (
  ports: Reading,
  event: Event,
  group: Group,
  links: readonly StoredLink[],
): Promise<Place> => {
  const best = links.find(({ refusedBy }) => refusedBy === undefined);
  const correlationType = best?.link.reasons[0]?.strategy ?? null;
  if (group.candidate?.eventId !== event.id) return { group, correlationType };
  const members = await membersOf(ports, event.tenant, group, CHILDREN + 1);
  const children = members.map(({ id }) => id).filter((id) => id !== event.id);
  return { group, correlationType, children: children.slice(0, CHILDREN) };
};
