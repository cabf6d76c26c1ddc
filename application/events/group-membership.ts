import { entryOf } from '#domain/assert.ts';
import {
  CHILDREN,
  type CorrelationTypes,
  correlationTypes,
  placeInGroup,
} from '#domain/correlation/grouping/group-view.ts';
import { sharingReason } from '#domain/correlation/grouping/links.ts';
import { type Decision, type Group, GUARDS, type Guard } from '#domain/correlation/records.ts';
import type { Profile } from '#domain/correlation/settings.ts';
import type { Event } from '#domain/event/event.ts';
import type { Link } from '#domain/event/incoming.ts';
import type { Ports } from '#domain/ports/ports.ts';
import { slices } from '#domain/slices.ts';
import type { GroupMembership } from '#schemas/http/events/event-view.ts';

type GroupPorts = Pick<Ports, 'events' | 'correlation'>;

/** Decisions read for the links of one event. */
const DECISIONS = 200;
/** Events whose decisions are read together, since events of one group share decisions; and the most decisions per read. */
const EVENTS_AT_ONCE = 50;
const DECISIONS_AT_ONCE = 5_000;

/** A stored link from the side of one of its two events. */
export interface StoredLink {
  readonly other: string;
  readonly link: Link;
  readonly refusedBy?: Guard;
  /** Absent when the decision does not contain it. */
  readonly profile?: Profile;
}

/** The decisions that name an event. */
export const decisionsAbout = ({ correlation }: GroupPorts, tenant: string, eventId: string): Promise<Decision[]> =>
  correlation.decisionsOf(tenant, [eventId], DECISIONS);

/** Returns all links of an event in the decisions that name it, regardless of the order of arrival; best first. */
export const linksOf = (decisions: readonly Decision[], eventId: string): StoredLink[] => {
  const newest = new Map<string, StoredLink>();
  for (const decision of decisions) {
    for (const found of linksSeenFrom(decision, eventId)) newest.set(found.other, found);
    for (const other of partedFrom(decision, eventId)) {
      const link = newest.get(other);
      if (link !== undefined) newest.set(other, { ...link, refusedBy: 'apart' });
    }
  }
  return [...newest.values()].sort((a, b) => b.link.score - a.link.score || (a.other < b.other ? -1 : 1));
};

/** Returns the events from which this decision split this one. */
const partedFrom = ({ apart }: Decision, eventId: string): readonly string[] => {
  if (apart === undefined) return [];
  if (apart.left.includes(eventId)) return apart.stayed;
  return apart.stayed.includes(eventId) ? apart.left : [];
};

const linksSeenFrom = (decision: Decision, eventId: string): StoredLink[] => {
  const decided = decision.profile && { profile: decision.profile };
  const all = [
    ...sharingReason(decision).map((link) => ({ link, ...decided })),
    ...decision.refused.map(({ guard, ...link }) => ({ link, refusedBy: guard, ...decided })),
  ];
  if (decision.eventId === eventId) return all.map((seen) => ({ other: seen.link.other, ...seen }));
  return all
    .filter(({ link }) => link.other === eventId)
    .map(({ link, ...seen }) => ({ other: decision.eventId, link: { ...link, other: decision.eventId }, ...seen }));
};

/** The guard that refused the decision's event and another; `names`: that one's id, and those of its group. */
export const refusalOf = ({ refused, refusedBeyond = {} }: Decision, names: readonly string[]): Guard | undefined =>
  refused.find(({ other }) => names.includes(other))?.guard ??
  GUARDS.find((guard) => refusedBeyond[guard]?.some((id) => names.includes(id)));

/** Returns the candidates omitted by the latest bounded search of the event, by strategy. */
export const truncatedOf = (decisions: readonly Decision[], eventId: string): Decision['cut'] =>
  decisions.findLast((decision) => decision.eventId === eventId && Object.keys(decision.cut).length > 0)?.cut ?? {};

export const groupOf = (ports: GroupPorts, { tenant, correlationId }: Event): Promise<Group | null> =>
  correlationId === null ? Promise.resolve(null) : ports.correlation.group(tenant, correlationId);

/** The members, earliest first, at most `limit`; without members that another member supersedes. */
export const membersOf = async (
  ports: GroupPorts,
  tenant: string,
  group: Group,
  limit: number,
  order: 'asc' | 'desc' = 'asc',
): Promise<Event[]> => {
  const filter = { correlationIds: [group.id, ...group.aliases] };
  const members: Event[] = [];
  let cursor: string | null | undefined;
  while (members.length < limit && cursor !== null) {
    const page = await ports.events.part(tenant, filter, {
      sort: 'timestamp',
      order,
      limit: Math.min(100, limit - members.length),
      ...(cursor === undefined ? {} : { cursor }),
    });
    members.push(...page.items);
    cursor = page.nextCursor;
  }
  const ids = new Set(members.map(({ id }) => id));
  return members.filter(({ supersededBy }) => supersededBy === undefined || !ids.has(supersededBy));
};

/** The decisions about many events, some events at a time. */
export async function* decisionsOfMany(
  ports: GroupPorts,
  tenant: string,
  eventIds: readonly string[],
): AsyncGenerator<{ readonly ids: readonly string[]; readonly decisions: readonly Decision[] }> {
  for (const ids of slices(eventIds, EVENTS_AT_ONCE)) {
    const limit = Math.min(DECISIONS_AT_ONCE, ids.length * DECISIONS);
    yield { ids, decisions: await ports.correlation.decisionsOf(tenant, ids, limit) };
  }
}

const typesOf = async (ports: GroupPorts, tenant: string, eventIds: readonly string[]): Promise<CorrelationTypes> => {
  const types = new Map<string, string>();
  for await (const { ids, decisions } of decisionsOfMany(ports, tenant, eventIds)) {
    const found = correlationTypes(decisions);
    for (const id of ids) if (found.has(id)) types.set(id, entryOf(found, id));
  }
  return types;
};

/** The groups of the events that are in one, by event; each is read once. */
const groupsOf = async (
  { correlation }: GroupPorts,
  tenant: string,
  events: readonly Event[],
): Promise<ReadonlyMap<string, Group>> => {
  const ids = [...new Set(events.flatMap(({ correlationId }) => correlationId ?? []))];
  const groups = await Promise.all(ids.map((id) => correlation.group(tenant, id)));
  const byId = new Map(ids.map((id, i) => [id, groups[i]]));
  return new Map(
    events.flatMap(({ id, correlationId }) => {
      const group = correlationId === null ? null : byId.get(correlationId);
      return group ? [[id, group]] : [];
    }),
  );
};

/** The current ids of the events' groups: the id in an event may have become an alias. */
export const currentGroups = async (
  ports: GroupPorts,
  tenant: string,
  events: readonly Event[],
): Promise<ReadonlyMap<string, GroupMembership>> => {
  const groups = await groupsOf(ports, tenant, events);
  return new Map([...groups].map(([id, group]) => [id, { correlationId: group.id, inGroup: null }]));
};

/** The memberships of the events that are in a group, without children. */
export const groupMemberships = async (
  ports: GroupPorts,
  tenant: string,
  events: readonly Event[],
): Promise<ReadonlyMap<string, GroupMembership>> => {
  const grouped = events.filter(({ correlationId }) => correlationId !== null).map(({ id }) => id);
  const [groups, types] = await Promise.all([groupsOf(ports, tenant, events), typesOf(ports, tenant, grouped)]);
  return new Map([...groups].map(([id, group]) => [id, membershipIn(group, id, [], types)]));
};

const membershipIn = (
  group: Group,
  id: string,
  members: readonly string[],
  types: CorrelationTypes,
): GroupMembership => ({ correlationId: group.id, inGroup: placeInGroup(id, group, members, types) });

/** Number of members to read for the view of an event: the cause shows them as its children. */
export const membersShown = (event: Event, { candidate }: Group, shown: number): number =>
  candidate?.eventId === event.id ? CHILDREN + 1 : shown;

/** The membership of one event, with its children among `members` when it is the root-cause candidate; `decisions`: those about the event. */
export const groupMembership = (
  event: Event,
  group: Group,
  members: readonly Event[],
  decisions: readonly Decision[],
): GroupMembership =>
  membershipIn(
    group,
    event.id,
    members.map(({ id }) => id),
    correlationTypes(decisions),
  );
