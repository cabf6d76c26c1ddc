import type { Arrival, Candidate, Group, ResolvedSettings } from '#domain/correlation/records.ts';
import { candidateOf } from '#domain/correlation/root-cause/candidate.ts';
import { addMember, type Causes, causesOf, openCauses, type Weights } from '#domain/correlation/root-cause/causes.ts';
import { longestWindowMs } from '#domain/correlation/settings/tenant-settings.ts';
import type { Profile } from '#domain/correlation/settings.ts';
import { NO_TRANSITIONS, type PlacedTransition } from '#domain/correlation/status-transitions.ts';
import { type NearCi, NO_WHOLES, type WholeCi } from '#domain/topology/near.ts';
import { canLast } from './lasting.ts';

/** The facts of an event that merge receives. */
export interface Facts {
  readonly arrival: Arrival;
  readonly upstream: readonly NearCi[];
  readonly wholes?: readonly WholeCi[];
  readonly settings: ResolvedSettings;
  /** Ends and returns of the event by position, later ones too; absent: none are known yet. */
  readonly turns?: readonly PlacedTransition[];
  /** True if the tenant was quiet when it arrived. */
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
  /** The arrival; it retains the time of its first arrival in an open group. */
  arrival: Arrival;
  /** Time of its newest arrival, epoch ms. */
  cameAt: number;
  upstream: readonly NearCi[];
  wholes: readonly WholeCi[];
  weights: Weights;
  /** Ends and returns, also later than the position being decided: `endedAt` returns the state at a position. */
  turns: readonly PlacedTransition[];
  /** A group that closed lately is still there whole, as long as one of its members is remembered. */
  group: OpenGroup | StoredClosed | null;
  /**
   * The closed group from which it returned last, or the one from which it was removed; older groups have it no longer.
   */
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
  /** Events that a member has superseded: members among them stay members, and do not count. */
  superseded: Set<string>;
  causes: Causes;
  /** Number of arrivals that linked the two so far, by id of the other open group. */
  witnesses: Map<string, number>;
  /** Ids of the splits that name members, and may name former ones. */
  readonly splits: Set<string>;
  /** A member that was active at the last request for one; saves a scan. */
  lastOn: Member | null;
  /** Weights from the tenant settings of the newest arrival. */
  weights: Weights;
  profile: Profile;
  candidate: Candidate | null;
  named: NonNullable<Group['named']>;
  /** Spark of a closed group, as of its closing. */
  spark: Group['spark'] | null;
}

/** A group that may be due to close: `last` may be older than its last member by now. */
export interface DueGroup {
  readonly last: number;
  readonly id: string;
}

export interface TenantGroups {
  /** Open groups by id; aliases are resolved by members, not here. */
  readonly open: Map<string, OpenGroup>;
  /** Members of open groups, by event id. */
  readonly members: Map<string, Member>;
  /** Groups by closing time: a heap by `last`. */
  readonly closing: DueGroup[];
}

/** A group with no arrival for this long closes, ms. */
export const quietTimeMs = longestWindowMs;

/**
 * Returns the status that users see: arrivals decide when a group closes, but that of a silent tenant is over all the
 * same. `before` in ms.
 */
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
  wholes: facts.wholes ?? NO_WHOLES,
  weights: facts.settings.rootCause,
  turns: facts.turns ?? NO_TRANSITIONS,
  group,
  former: null,
  pins: 0,
});

/**
 * True if the group, in its current state, had closed when the record of the position was decided. A group that closed
 * later has a later one.
 */
export const wasClosedAt = ({ status, position }: Group, at: number): boolean => status === 'closed' && position <= at;

/** True if the record is that of an event that returned or superseded another. */
export const comesBack = ({ again }: Arrival): boolean => again === 'returned' || again === 'supersedes';

/** Returns the position at which an event returned last, of its records up to `through`. */
export const lastReturn = (
  records: readonly { readonly arrival: Arrival }[],
  through = Number.POSITIVE_INFINITY,
): number | undefined =>
  records.findLast(({ arrival }) => comesBack(arrival) && arrival.position <= through)?.arrival.position;

/** Older groups keep their id: by the position that made them, then by id. */
export const olderFirst = (a: OpenGroup, b: OpenGroup): number =>
  a.createdPosition - b.createdPosition || (a.id < b.id ? -1 : 1);

/** Compares by event time, then by id. */
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

/** Returns the arrival outside of groups, as stored. */
const arrivalAlone = ({ arrival, cameAt }: Member): Arrival =>
  arrival.time === cameAt ? arrival : { ...arrival, time: cameAt };

/** Removes events from a group; at least one member stays. */
export const depart = (group: OpenGroup, left: readonly string[]): Member[] => {
  const gone = left.flatMap((eventId) => group.members.get(eventId) ?? []);
  for (const member of gone) {
    group.members.delete(member.eventId);
    Object.assign(member, { group: null, former: group, arrival: arrivalAlone(member) });
  }
  group.first = Number.POSITIVE_INFINITY;
  group.last = Number.NEGATIVE_INFINITY;
  for (const { arrival, cameAt } of group.members.values()) {
    group.first = Math.min(group.first, arrival.time);
    group.last = Math.max(group.last, cameAt);
  }
  group.causes.stale = true;
  return gone;
};

/** Absorbs all members of another group, the smaller index into the larger: O(smaller × upstream list). */
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

/**
 * True if the member is active at the position: one that arrived suppressed, and still is, holds no group. Transitions
 * after the position are not known there yet.
 */
const isOnAt = ({ turns, arrival }: Member, position: number, time: number): boolean => {
  const last = turns.findLast((turn) => turn.position <= position);
  return last === undefined ? !arrival.suppressed : last.kind !== 'ended' || last.at > time;
};

/** Members that count and last beyond the end of the group at the position. */
export const lastingIn = (group: OpenGroup, position = Number.POSITIVE_INFINITY): Member[] =>
  [...counted(group)].filter((member) => canLast(member, position));

/**
 * True if all its members were over at an event time (ms), as known at the position: O(1) as long as one stays active.
 */
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

/** Removes the group from the books of the others; its link counts move to the group that has absorbed it, if any. */
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

/** Chooses the candidate again: a scan over the members. */
export const chooseCandidate = (group: OpenGroup): void => {
  indexCauses(group);
  group.candidate = candidateOf(group.causes, group);
};

/** Number of causes stored per group, the newest. */
const NAMED = 20;

/** Notes which event is the cause now, when it was another one before. */
export const nameCause = (group: OpenGroup): void => {
  const eventId = group.candidate?.eventId;
  if (eventId === undefined || group.named.at(-1)?.eventId === eventId) return;
  group.named = [...group.named, { eventId, at: group.last }].slice(-NAMED);
};

/** Steps of a spark line. */
export const STEPS = 24;

/**
 * Counts the members that arrived in each of 24 equal steps of its time. Runs with every change of a group, so it makes
 * no lists.
 */
export const sparkIn = ({ members, superseded, first, last }: OpenGroup): readonly number[] => {
  const counts: number[] = Array.from({ length: STEPS }, () => 0);
  const span = last - first + 1;
  for (const { eventId, arrival } of members.values()) {
    if (superseded.size > 0 && superseded.has(eventId)) continue;
    const step = Math.floor(((arrival.time - first) * STEPS) / span);
    counts[Math.min(STEPS - 1, Math.max(0, step))]! += 1;
  }
  return counts;
};
