import type { Arrival, Candidate, Group, ResolvedSettings } from '#domain/correlation/records.ts';
import { candidateOf } from '#domain/correlation/root-cause/candidate.ts';
import { addMember, type Causes, causesOf, openCauses, type Weights } from '#domain/correlation/root-cause/causes.ts';
import { longestWindowMs } from '#domain/correlation/settings/tenant-settings.ts';
import type { Profile } from '#domain/correlation/settings.ts';
import { NO_TURNS, type PlacedTurn } from '#domain/correlation/turns.ts';
import type { NearCi } from '#domain/topology/near.ts';
import { canLast } from './lasting.ts';

/** The facts of an event that merge receives. */
export interface Facts {
  readonly arrival: Arrival;
  readonly upstream: readonly NearCi[];
  readonly settings: ResolvedSettings;
  /** Ends and returns of the event by position, later ones too; absent: none are known yet. */
  readonly turns?: readonly PlacedTurn[];
  /** The tenant was quiet when it came. */
  readonly quiet?: boolean;
}

/** A closed group of which no more is in memory; `id` may be an alias. */
interface StoredClosed {
  readonly status: 'closed';
  readonly id: string;
}

/** An event as merge remembers it: one object per event, so that its group is known wherever it is found. */
export interface Member {
  readonly eventId: string;
  /** In an open group it keeps the time of its first arrival there. */
  arrival: Arrival;
  /** Time of its newest arrival, epoch ms. */
  cameAt: number;
  upstream: readonly NearCi[];
  weights: Weights;
  /** Ends and returns, later than what is being decided too: `endedAt` tells how it stood at a position. */
  turns: readonly PlacedTurn[];
  /** A group that closed lately is still there whole, as long as one of its members is remembered. */
  group: OpenGroup | StoredClosed | null;
  /** The closed group from which it came back last, or the one that it was taken out of; older ones have it no longer. */
  former: OpenGroup | StoredClosed | null;
  /** Undecided arrivals that name it; it is not forgotten before. */
  pins: number;
}

/** A group with the facts of its members. `apply` alone changes it. */
export interface OpenGroup {
  readonly tenant: string;
  readonly id: string;
  readonly foundedBy: string;
  readonly foundedAt: number;
  readonly createdPosition: number;
  status: Group['status'];
  mergedInto: string | null;
  aliases: string[];
  first: number;
  last: number;
  position: number;
  members: Map<string, Member>;
  /** Events whose place a member has taken: those that are members themselves stay so, and do not count. */
  superseded: Set<string>;
  causes: Causes;
  /** By the id of another open group: how many arrivals linked the two so far. */
  witnesses: Map<string, number>;
  /** Ids of the splits that name members, and may name former ones. */
  readonly splits: Set<string>;
  /** A member that was on when it was last asked for one; saves a scan. */
  lastOn: Member | null;
  /** As the newest arrival's tenant settings have them. */
  weights: Weights;
  profile: Profile;
  candidate: Candidate | null;
  named: NonNullable<Group['named']>;
  /** Of a group that has closed, as it was then. */
  spark: Group['spark'] | null;
}

/** A group that may be due to close: `last` may be older than its last member by now. */
export interface DueGroup {
  readonly last: number;
  readonly id: string;
}

export interface TenantGroups {
  /** By id; aliases are resolved by members, not here. */
  readonly open: Map<string, OpenGroup>;
  /** Members of open groups, by event id. */
  readonly members: Map<string, Member>;
  /** When they are due to close: a heap by `last`. */
  readonly closing: DueGroup[];
}

/** A group with no arrival for this long closes, ms. */
export const quietTimeMs = longestWindowMs;

/** As people see it: arrivals decide when a group closes, but that of a silent tenant is over all the same. `before` in ms. */
export const statusAt = ({ status, last }: Group, before: number): Group['status'] =>
  status === 'open' && last < before ? 'closed' : status;

/** The member's group while it is open. */
export const openGroupOf = ({ group }: Member): OpenGroup | null =>
  group !== null && 'members' in group && group.status === 'open' ? group : null;

export const memberFrom = (facts: Facts, group: Member['group'] = null): Member => ({
  eventId: facts.arrival.eventId,
  arrival: facts.arrival,
  cameAt: facts.arrival.time,
  upstream: facts.upstream,
  weights: facts.settings.rootCause,
  turns: facts.turns ?? NO_TURNS,
  group,
  former: null,
  pins: 0,
});

/** Whether the group, as it stands now, had closed when the record of the position was decided. A group that closed later has a later one. */
export const wasClosedAt = ({ status, position }: Group, at: number): boolean => status === 'closed' && position <= at;

/** Whether the record is that of an event that came back, or took another's place. */
export const comesBack = ({ again }: Arrival): boolean => again === 'returned' || again === 'supersedes';

/** The position at which an event came back last, of its records up to `through`. */
export const lastReturn = (
  records: readonly { readonly arrival: Arrival }[],
  through = Number.POSITIVE_INFINITY,
): number | undefined =>
  records.findLast(({ arrival }) => comesBack(arrival) && arrival.position <= through)?.arrival.position;

/** Older groups keep their id: by the position that made them, then by id. */
export const olderFirst = (a: OpenGroup, b: OpenGroup): number =>
  a.createdPosition - b.createdPosition || (a.id < b.id ? -1 : 1);

/** By event time, then by id. */
export const earlier = (a: Member, b: Member): number =>
  a.arrival.time - b.arrival.time || (a.eventId < b.eventId ? -1 : 1);

export const emptyGroup = (
  made: Pick<OpenGroup, 'tenant' | 'id' | 'foundedBy' | 'foundedAt' | 'createdPosition' | 'weights' | 'profile'>,
): OpenGroup => ({
  ...made,
  status: 'open',
  mergedInto: null,
  aliases: [],
  first: Number.POSITIVE_INFINITY,
  last: Number.NEGATIVE_INFINITY,
  position: made.createdPosition,
  members: new Map(),
  superseded: new Set(),
  causes: openCauses(),
  witnesses: new Map(),
  splits: new Set(),
  lastOn: null,
  candidate: null,
  named: [],
  spark: null,
});

/** Members that count. */
export const sizeOf = ({ members, superseded }: OpenGroup): number => {
  let size = members.size;
  for (const id of superseded) if (members.has(id)) size -= 1;
  return size;
};

/** The members that count. */
function* counted({ members, superseded }: OpenGroup): Generator<Member> {
  for (const member of members.values()) if (!superseded.has(member.eventId)) yield member;
}

/** Adds the event to the group's own books. */
export const admit = (group: OpenGroup, member: Member): void => {
  group.members.set(member.eventId, member);
  group.first = Math.min(group.first, member.arrival.time);
  group.last = Math.max(group.last, member.arrival.time);
  leave(member);
  member.group = group;
  if (member.arrival.supersedes !== undefined) supersede(group, member.arrival.supersedes);
  if (!group.superseded.has(member.eventId)) addMember(group.causes, member);
};

const supersede = (group: OpenGroup, eventId: string): void => {
  group.superseded.add(eventId);
  if (group.members.has(eventId)) group.causes.stale = true;
};

/** One that returned after its group had closed is no member of that any more as soon as it is one of another. */
const leave = ({ eventId, group }: Member): void => {
  if (group === null || !('members' in group) || group.status !== 'closed') return;
  group.members.delete(eventId);
  group.causes.stale = true;
};

/** The arrival as it stands outside of groups, which is how the store has it. */
const arrivalAlone = ({ arrival, cameAt }: Member): Arrival =>
  arrival.time === cameAt ? arrival : { ...arrival, time: cameAt };

/** Takes events out of a group; at least one member stays. */
export const depart = (group: OpenGroup, left: readonly string[]): Member[] => {
  const gone = left.flatMap((eventId) => group.members.get(eventId) ?? []);
  for (const member of gone) {
    group.members.delete(member.eventId);
    Object.assign(member, { group: null, former: group, arrival: arrivalAlone(member) });
  }
  group.first = Number.POSITIVE_INFINITY;
  group.last = Number.NEGATIVE_INFINITY;
  for (const { arrival } of group.members.values()) {
    group.first = Math.min(group.first, arrival.time);
    group.last = Math.max(group.last, arrival.time);
  }
  group.causes.stale = true;
  return gone;
};

/** Takes all members of another group, the smaller index into the larger: O(smaller × upstream list). */
export const absorb = (group: OpenGroup, other: OpenGroup): void => {
  const [kept, added] = group.members.size >= other.members.size ? [group, other] : [other, group];
  const { causes } = kept;
  for (const member of counted(added)) addMember(causes, member);
  group.causes = causes;
  for (const id of other.superseded) group.superseded.add(id);
  for (const id of other.splits) group.splits.add(id);
  if (group.superseded.size > 0) causes.stale = true;
  for (const member of other.members.values()) {
    member.group = group;
    group.members.set(member.eventId, member);
  }
  group.first = Math.min(group.first, other.first);
  group.last = Math.max(group.last, other.last);
  group.aliases = [...group.aliases, other.id, ...other.aliases].sort();
  other.status = 'merged';
  other.mergedInto = group.id;
};

/** One that was suppressed when it came, and still is, holds no group. Turns after the position are not known there yet. */
const isOnAt = ({ turns, arrival }: Member, position: number, time: number): boolean => {
  const last = turns.findLast((turn) => turn.position <= position);
  return last === undefined ? !arrival.suppressed : last.kind !== 'ended' || last.at > time;
};

/** Members that count and last beyond the end of the group at the position. */
export const lastingIn = (group: OpenGroup, position = Number.POSITIVE_INFINITY): Member[] =>
  [...counted(group)].filter((member) => canLast(member, position));

/** Whether all its members were over at an event time (ms), as far as was known at the position: O(1) as long as one stays on. */
export const isOverAt = (group: OpenGroup, position: number, time: number): boolean => {
  const { lastOn, members, superseded } = group;
  if (lastOn !== null && members.get(lastOn.eventId) === lastOn && isOnAt(lastOn, position, time)) return false;
  group.lastOn = null;
  for (const member of members.values())
    if (isOnAt(member, position, time) && !superseded.has(member.eventId)) {
      group.lastOn = member;
      return false;
    }
  return true;
};

/** One more arrival linked the two groups. */
export const witness = (a: OpenGroup, b: OpenGroup, arrivals = 1): void => {
  a.witnesses.set(b.id, (a.witnesses.get(b.id) ?? 0) + arrivals);
  b.witnesses.set(a.id, (b.witnesses.get(a.id) ?? 0) + arrivals);
};

/** Takes the group out of the books of the others; what was witnessed of it goes to the group that has absorbed it, if any. */
export const retire = (open: ReadonlyMap<string, OpenGroup>, group: OpenGroup, heir: OpenGroup | null): void => {
  for (const [id, arrivals] of group.witnesses) {
    const other = open.get(id);
    if (other === undefined) continue;
    other.witnesses.delete(group.id);
    if (heir !== null && other !== heir) witness(heir, other, arrivals);
  }
  group.witnesses = new Map();
};

/** Brings the index up to the members as they are now; where it is stale that is O(members × upstream list). */
export const indexCauses = (group: OpenGroup): void => {
  if (group.causes.stale) group.causes = causesOf(counted(group));
};

/** Chooses the candidate anew: a scan over the members. */
export const chooseCandidate = (group: OpenGroup): void => {
  indexCauses(group);
  group.candidate = candidateOf(group.causes, group);
};

/** Causes kept of a group, the newest. */
const NAMED = 20;

/** Notes which event is the cause now, when it was another one before. */
export const nameCause = (group: OpenGroup): void => {
  const eventId = group.candidate?.eventId;
  if (eventId === undefined || group.named.at(-1)?.eventId === eventId) return;
  group.named = [...group.named, { eventId, at: group.last }].slice(-NAMED);
};

/** Steps of a spark line. */
export const STEPS = 24;

/** How many of the times (ms) lie in each of 24 equal steps from `first` to `last`. */
const sparkOf = (times: readonly number[], { first, last }: { readonly first: number; readonly last: number }) => {
  const counts: number[] = Array.from({ length: STEPS }, () => 0);
  const span = last - first + 1;
  for (const time of times) {
    const step = Math.floor(((time - first) * STEPS) / span);
    counts[Math.min(STEPS - 1, Math.max(0, step))]! += 1;
  }
  return counts;
};

/** How its members are spread over its time. */
export const sparkIn = (group: OpenGroup): readonly number[] =>
  sparkOf(
    [...counted(group)].map(({ arrival }) => arrival.time),
    group,
  );
