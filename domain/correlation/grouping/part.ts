import type { Decision } from '#domain/correlation/records.ts';
import type { ByHand, Parting } from '#domain/event/incoming.ts';
import { entryOf } from '#domain/known.ts';
import { groupIdOf } from './group-id.ts';
import { type GroupMemory, memberOf } from './group-memory.ts';
import { type Facts, type Member, type OpenGroup, openGroupOf } from './groups.ts';
import { partedName, splitBy } from './splits.ts';

/** A split that a person asks for. */
interface AskedApart {
  readonly position: number;
  readonly facts: Facts;
  readonly parting: Parting;
  readonly hand: ByHand;
}

/** Why nothing is split. `done`: these events left the group by an earlier split. */
export type NotParted =
  | { readonly cause: 'done'; readonly groupId: string | null }
  | { readonly cause: 'strangers'; readonly eventIds: readonly string[] }
  | { readonly cause: 'all' };

const isCalled = ({ id, aliases }: OpenGroup, name: string): boolean => id === name || aliases.includes(name);

/** The group that the events leave, by what those that are in it are in now. */
const groupLeft = (members: readonly (Member | undefined)[], from: string): OpenGroup | undefined => {
  for (const member of members) {
    const group = member && openGroupOf(member);
    if (group && isCalled(group, from)) return group;
  }
  return undefined;
};

/** Decides a split: the events leave and, when two or more of them count, found a group of their own. Changes nothing. */
export const decideApart = (
  memory: GroupMemory,
  { position, facts, parting, hand }: AskedApart,
): Decision | NotParted => {
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
  const stayed = [...group.members.keys()].filter((one) => !leaving.has(one));
  if (!stayed.some(isCounted)) return { cause: 'all' };
  const left = [...leaving];
  const founded = left
    .map((eventId) => ({ eventId, time: entryOf(group.members, eventId).cameAt }))
    .reduce((first, next) =>
      next.time < first.time || (next.time === first.time && next.eventId < first.eventId) ? next : first,
    );
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
    apart: { id, from: group.id, left, stayed, ...(former !== undefined && { restores }) },
    profile: facts.settings.profile,
  };
};
