import { entryOf } from '#domain/assert.ts';
import type { ArrivedAgain, Decision, ManualSplit } from '#domain/correlation/records.ts';
import type { ByHand, SplitRequestRecord } from '#domain/event/incoming.ts';
import { groupIdOf } from './group-id.ts';
import { type GroupMemory, memberOf } from './group-memory.ts';
import { type Facts, type Member, type OpenGroup, openGroupOf } from './groups.ts';
import { partedName, splitBy } from './splits.ts';

/** A split requested by a user. */
interface RequestedSplit {
  readonly position: number;
  readonly facts: Facts;
  readonly parting: SplitRequestRecord;
  readonly hand: ByHand;
}

/** Reason why nothing is split. `done`: these events left the group by an earlier split. */
export type NotSplit =
  | { readonly cause: 'done'; readonly groupId: string | null }
  | { readonly cause: 'strangers'; readonly eventIds: readonly string[] }
  | { readonly cause: 'all' };

const isCalled = ({ id, aliases }: OpenGroup, name: string): boolean => id === name || aliases.includes(name);

/** Returns the group that the events leave, by the current groups of its members. */
const groupLeft = (members: readonly (Member | undefined)[], from: string): OpenGroup | undefined => {
  for (const member of members) {
    const group = member && openGroupOf(member);
    if (group && isCalled(group, from)) return group;
  }
  return undefined;
};

const againOf = ({ members }: OpenGroup, stayed: readonly string[]): ArrivedAgain[] =>
  stayed
    .map((eventId) => entryOf(members, eventId))
    .filter(({ arrival }) => arrival.rebound)
    .map(({ eventId, arrival, cameAt }) => ({ eventId, time: arrival.time, cameAt }));

const partedIn = (group: OpenGroup, leaving: ReadonlySet<string>, id: string): ManualSplit => {
  const stayed = [...group.members.keys()].filter((one) => !leaving.has(one));
  const again = againOf(group, stayed);
  return { id, from: group.id, left: [...leaving], stayed, ...(again.length > 0 && { again }) };
};

const founderOf = (members: readonly Member[]): { readonly eventId: string; readonly time: number } =>
  members
    .map(({ eventId, cameAt }) => ({ eventId, time: cameAt }))
    .reduce((first, next) =>
      next.time < first.time || (next.time === first.time && next.eventId < first.eventId) ? next : first,
    );

/** Returns the part of a decision by which the arrival and members with another root cause become a group of their own. */
export const splitByCause = (
  group: OpenGroup,
  arrival: Member,
  leaving: readonly string[],
): Pick<Decision, 'groupId' | 'founded' | 'joined' | 'merged' | 'apart'> => {
  const { eventId } = arrival;
  const apart = partedIn(group, new Set([...leaving, eventId]), eventId);
  const founded = founderOf([arrival, ...leaving.map((one) => entryOf(group.members, one))]);
  const groupId = groupIdOf(founded.time, partedName(founded.eventId, eventId));
  return { groupId, founded, joined: apart.left, merged: [], apart };
};

/** Decides a split: the events leave and, when two or more of them count, found a group of their own. Changes nothing. */
export const decideSplit = (
  memory: GroupMemory,
  { position, facts, parting, hand }: RequestedSplit,
): Decision | NotSplit => {
  const { tenant, eventId } = facts.arrival;
  const { id, from, eventIds, restores = [] } = parting;
  const members = eventIds.map((one) => memberOf(memory, tenant, one));
  const group = groupLeft(members, from);
  const strangers = eventIds.filter((_, place) => members[place] === undefined || members[place].group !== group);
  if (group === undefined || strangers.length > 0) {
    const names = group === undefined ? [from] : [group.id, ...group.aliases];
    const isOver = strangers.length === eventIds.length && splitBy(memory.splits.get(tenant), names, eventIds);
    return isOver
      ? { cause: 'done', groupId: members[0]?.group?.id ?? null }
      : { cause: 'strangers', eventIds: strangers };
  }
  const leaving = new Set(eventIds);
  const isCounted = (one: string): boolean => !group.superseded.has(one);
  const apart = partedIn(group, leaving, id);
  const { left } = apart;
  if (!apart.stayed.some(isCounted)) return { cause: 'all' };
  const founded = founderOf(left.map((one) => entryOf(group.members, one)));
  const [former] = restores.every((name) => group.aliases.includes(name)) ? restores : [];
  const founds = former !== undefined || left.filter(isCounted).length > 1;
  return {
    tenant,
    position,
    eventId,
    accepted: [],
    refused: [],
    merged: [],
    closed: [],
    cut: {},
    manual: true,
    groupId: founds ? (former ?? groupIdOf(founded.time, partedName(founded.eventId, id))) : null,
    ...(founds && { founded }),
    joined: founds ? left : [],
    hand: { by: hand.by, at: hand.at },
    apart: { ...apart, ...(former !== undefined && { restores }) },
    profile: facts.settings.profile,
  };
};
