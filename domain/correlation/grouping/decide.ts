import { firstItem } from '#domain/assert.ts';
import type { Decision, Guard } from '#domain/correlation/records.ts';
import type { ByHand, Link } from '#domain/event/incoming.ts';
import { isAboutSplits, isRebound } from './apply.ts';
import { groupIdOf } from './group-id.ts';
import { dueGroups, type GroupMemory, memberOf } from './group-memory.ts';
import {
  earlier,
  type Facts,
  isOverAt,
  lastingIn,
  type Member,
  memberFrom,
  type OpenGroup,
  olderFirst,
  openGroupOf,
  quietTimeMs,
  sizeOf,
} from './groups.ts';
import { holderOf } from './lasting.ts';
import { type GroupSide, guardAgainst, requiredLinks } from './links.ts';
import { splitByCause } from './manual-split.ts';
import { areTwoFaults, ofAnotherCause } from './own-causes.ts';
import { areManuallySplit, foundingName, manualMergesIn, splitsOf } from './splits.ts';

/**
 * Number of links stored as evidence in a decision, best first; links that changed a group or were set manually are
 * stored in addition.
 */
const EVIDENCE = 8;

/** The request to merge about one arrival. */
export interface MergeAsked {
  readonly position: number;
  readonly facts: Facts;
  /** Best first. */
  readonly links: readonly Link[];
  readonly cut: Decision['cut'];
  /** `related`: links found on demand or set manually; such a record closes no groups. */
  readonly demanded: boolean;
  /** Set manually: guards and threshold do not apply. */
  readonly manual: boolean;
  readonly hand?: ByHand;
}

/** The cluster that grows around the arrival, link by link. */
interface Union {
  readonly groups: OpenGroup[];
  readonly singles: Member[];
  first: number;
  last: number;
  size: number;
  openers: number;
}

interface Course {
  readonly memory: GroupMemory;
  readonly asked: MergeAsked;
  readonly arrival: Member;
  readonly union: Union;
  readonly closing: ReadonlySet<string>;
  /** The arrival returned, or superseded another, in a closed group with other active members: it stays there. */
  readonly isHeld: boolean;
  /** Evidence, and how many were accepted in all. */
  readonly accepted: Link[];
  acceptedInAll: number;
  readonly refused: (Link & { guard: Guard })[];
  /** Groups that the arrival links to its own, which too few arrivals did yet. */
  readonly witnessed: Set<string>;
}

const unionOf = (member: Member): Union => {
  const group = openGroupOf(member);
  const { time, suppressed } = member.arrival;
  return group
    ? { groups: [group], singles: [], first: group.first, last: group.last, size: sizeOf(group), openers: 0 }
    : { groups: [], singles: [member], first: time, last: time, size: 1, openers: suppressed ? 0 : 1 };
};

/** An event that returns after its group has closed, or closes it by its time, is handled like a new one. */
const arrivingAs = (known: Member | undefined, asked: MergeAsked, closing: ReadonlySet<string>): Member => {
  const { facts } = asked;
  if (!known) return memberFrom(facts);
  // It is not suppressed any more.
  if (facts.arrival.again === 'opened' && isRebound(asked, facts) && known.group === null)
    return { ...known, arrival: facts.arrival };
  // Later requests find it in its place.
  if (facts.arrival.again !== 'returned' || !isRebound(asked, facts)) return known;
  const group = openGroupOf(known);
  return group && !closing.has(group.id) ? { ...known, arrival: facts.arrival } : memberFrom(facts);
};

const isHeldAt = ({ lasting }: GroupMemory, { eventId, arrival }: Member, position: number): boolean =>
  holderOf(lasting, arrival.tenant, eventId, position) !== null;

/** True if a group that closes by the arrival's time has other active members. */
const outlasts = (member: Member | undefined, { position }: MergeAsked, closing: ReadonlySet<string>): boolean => {
  const group = member && openGroupOf(member);
  if (!group || !closing.has(group.id)) return false;
  return lastingIn(group, position).some(({ eventId }) => eventId !== member.eventId);
};

/** A first arrival is never held, nor is a manual link. */
const isHeldBack = (memory: GroupMemory, asked: MergeAsked, closing: ReadonlySet<string>): boolean => {
  const { facts, position, manual } = asked;
  const { arrival } = facts;
  if (manual || !isRebound(asked, facts)) return false;
  const before = memberOf(memory, arrival.tenant, arrival.supersedes ?? arrival.eventId);
  if (outlasts(before, asked, closing)) return true;
  const { tenant, eventId, supersedes } = arrival;
  return holderOf(memory.lasting, tenant, supersedes ?? eventId, position, supersedes !== undefined) !== null;
};

/**
 * Returns the arrival's own side; an arrival that supersedes a member is in its group already, unless its time closes
 * that group.
 */
const ownUnion = (arrival: Member, before: Member | undefined, closing: ReadonlySet<string>): Union => {
  const own = unionOf(arrival);
  const group = before && openGroupOf(before);
  if (!group || own.groups.length > 0 || closing.has(group.id)) return own;
  return { ...unionOf(before), singles: own.singles };
};

const sideOf = (
  union: Union,
  { group, arrival }: Member,
  closing: ReadonlySet<string>,
  isHeld: boolean,
): GroupSide & { at: number } => ({
  closed: isHeld || (group !== null && (group.status !== 'open' || closing.has(group.id))),
  first: union.first,
  last: union.last,
  size: union.size,
  grouped: union.size > 1,
  openers: union.openers,
  at: arrival.time,
});

const grow = (union: Union, other: Union): void => {
  union.groups.push(...other.groups);
  union.singles.push(...other.singles);
  union.first = Math.min(union.first, other.first);
  union.last = Math.max(union.last, other.last);
  union.size += other.size;
  union.openers += other.openers;
};

const together = ({ union }: Course, partner: Member): boolean => {
  const group = openGroupOf(partner);
  return group ? union.groups.includes(group) : union.singles.includes(partner);
};

const isLiteral = ({ settings }: Facts): boolean => settings.profile === 'specified';

/** Two large groups are connected only when several arrivals link them; one is not enough. */
const lacksWitnesses = ({ union, asked }: Course, other: Union): boolean => {
  const [theirs] = other.groups;
  if (isLiteral(asked.facts) || asked.facts.quiet || theirs === undefined || union.groups.length === 0) return false;
  const needed = requiredLinks(union.size, other.size);
  const before = union.groups.reduce((sum, { witnesses }) => sum + (witnesses.get(theirs.id) ?? 0), 0);
  return before + 1 < needed;
};

/** Each has a cause of its own: two faults that befall the same CI. */
const isAnotherFault = ({ union, asked, arrival }: Course, { groups: [theirs] }: Union): boolean =>
  theirs !== undefined &&
  !isLiteral(asked.facts) &&
  !asked.facts.quiet &&
  union.groups.some((ours) => areTwoFaults(ours, theirs, arrival.arrival));

/** True for a group without active members: it accepts no more. */
const isOver = ({ asked }: Course, { groups: [group] }: Union): boolean =>
  group !== undefined && !isLiteral(asked.facts) && isOverAt(group, asked.position, asked.facts.arrival.time);

/** True if the arrival represents the event that it supersedes. */
const holds = ({ asked }: Course, { groups, singles }: Union, eventId: string): boolean =>
  groups.some(({ members }) => members.has(eventId)) ||
  singles.some(
    (single) =>
      single.eventId === eventId ||
      (single.eventId === asked.facts.arrival.eventId && asked.facts.arrival.supersedes === eventId),
  );

const splitsNaming = ({ memory, asked }: Course, { groups, singles }: Union): Set<string> => {
  const { tenant, eventId, supersedes } = asked.facts.arrival;
  const splits = memory.splits.get(tenant);
  const found = new Set(groups.flatMap((group) => [...group.splits]));
  for (const single of singles) {
    for (const id of splitsOf(splits, single.eventId)) found.add(id);
    if (single.eventId === eventId && supersedes !== undefined)
      for (const id of splitsOf(splits, supersedes)) found.add(id);
  }
  return found;
};

/** True if a user had split members of the two sides. */
const areSplit = (course: Course, other: Union): boolean => {
  const splits = course.memory.splits.get(course.asked.facts.arrival.tenant);
  if (splits === undefined) return false;
  const ours = splitsNaming(course, course.union);
  if (ours.size === 0) return false;
  const both = [...splitsNaming(course, other)].filter((id) => ours.has(id));
  return areManuallySplit(
    splits,
    both,
    (id) => holds(course, course.union, id),
    (id) => holds(course, other, id),
  );
};

const guardOf = (course: Course, partner: Member, other: Union, link: Link): Guard | null => {
  const { asked, arrival, union, closing, isHeld, memory } = course;
  if (asked.manual) return null;
  if (areSplit(course, other)) return 'apart';
  const theirs = partner.group === null && isHeldAt(memory, partner, asked.position);
  const meeting = {
    link,
    ours: sideOf(union, arrival, closing, isHeld),
    theirs: sideOf(other, partner, closing, theirs),
  };
  const guard = guardAgainst(meeting, asked.facts.settings);
  if (guard !== null) return guard;
  if (isOver(course, other)) return 'ended';
  if (lacksWitnesses(course, other)) return 'witnesses';
  return isAnotherFault(course, other) ? 'causes' : null;
};

const accept = (course: Course, link: Link, grew: boolean): void => {
  if (grew || course.asked.manual || course.acceptedInAll < EVIDENCE) course.accepted.push(link);
  course.acceptedInAll += 1;
};

/** Accepts or refuses one link; a link to an event of which nothing is known is left out. */
const follow = (course: Course, link: Link): void => {
  const { memory, arrival, union } = course;
  const partner = memberOf(memory, arrival.arrival.tenant, link.other);
  if (!partner || partner === arrival || partner.eventId === arrival.arrival.supersedes) return;
  if (together(course, partner)) {
    accept(course, link, false);
    return;
  }
  const other = unionOf(partner);
  const guard = guardOf(course, partner, other, link);
  if (guard === 'witnesses') course.witnessed.add(other.groups[0]!.id);
  if (guard !== null) course.refused.push({ ...link, guard });
  else {
    grow(union, other);
    accept(course, link, true);
  }
};

/** Returns the member that the arrival supersedes, if it is remembered. */
const predecessorOf = (memory: GroupMemory, { arrival }: Facts): Member | undefined =>
  arrival.supersedes === undefined ? undefined : memberOf(memory, arrival.tenant, arrival.supersedes);

/** Retries a link that only waited for another one to open the group. */
const followAgain = (course: Course): void => {
  const waiting = course.refused.filter(({ guard }) => guard === 'suppressed');
  if (waiting.length === 0 || course.union.size < 2) return;
  const others = course.refused.filter(({ guard }) => guard !== 'suppressed');
  course.refused.splice(0, course.refused.length, ...others);
  for (const { guard: _, ...link } of waiting) follow(course, link);
};

const closedBy = (memory: GroupMemory, { facts, demanded }: MergeAsked): string[] => {
  const groups = memory.tenants.get(facts.arrival.tenant);
  if (demanded || !groups) return [];
  return dueGroups(
    groups.closing,
    facts.arrival.time - quietTimeMs(facts.settings),
    (id) => groups.open.get(id)?.last ?? null,
  );
};

/** Refusals by group, not by member, so that an arrival that a full group refuses repeatedly reports it once. */
const refusedBeyond = ({ memory, asked, refused }: Course): NonNullable<Decision['refusedBeyond']> => {
  const named: Partial<Record<Guard, string[]>> = {};
  for (const { other, guard } of refused.slice(EVIDENCE)) {
    const apart = memberOf(memory, asked.facts.arrival.tenant, other)?.group?.id ?? other;
    const known = named[guard];
    if (known === undefined) named[guard] = [apart];
    else if (!known.includes(apart)) known.push(apart);
  }
  return named;
};

/**
 * A second arrival of a member of a closed group is recorded there: a user may reopen the group, and it has the newer
 * facts then.
 */
const leftIn = ({ arrival, asked }: Course): string | null =>
  isRebound(asked, asked.facts) && arrival.group?.status === 'closed' ? arrival.group.id : null;

/** Returns the members that leave the group with the arrival, because it is the effect of another root cause. */
const leavingWith = ({ union, asked, arrival, accepted }: Course): readonly string[] => {
  const { facts, manual, demanded } = asked;
  const [group, another] = union.groups;
  const isNew = !manual && !demanded && !facts.arrival.rebound && union.singles.length === 1 && accepted.length > 0;
  if (!isNew || isLiteral(facts) || facts.quiet || group === undefined || another !== undefined) return [];
  return ofAnotherCause(group, arrival);
};

/** Returns the group that represents the union, and the outcome of the rest. */
const groupOfUnion = (course: Course): Pick<Decision, 'groupId' | 'founded' | 'joined' | 'merged' | 'apart'> => {
  const { union, memory, asked } = course;
  const leaving = leavingWith(course);
  if (leaving.length > 0) return splitByCause(union.groups[0]!, course.arrival, leaving);
  const [oldest, ...younger] = union.groups.toSorted(olderFirst);
  const joined = union.singles.map(({ eventId }) => eventId);
  if (oldest) return { groupId: oldest.id, joined, merged: younger.map(({ id }) => id) };
  if (union.size < 2) return { groupId: leftIn(course), joined: [], merged: [] };
  const founder = firstItem(union.singles.toSorted(earlier));
  const founded = { eventId: founder.eventId, time: founder.arrival.time };
  const name = foundingName(memory.splits.get(asked.facts.arrival.tenant), founded.eventId);
  return { groupId: groupIdOf(founded.time, name), founded, joined, merged: [] };
};

/**
 * The part of a decision about splits: manual links take precedence, and a superseding event inherits the side of the
 * other.
 */
const ofSplits = (course: Course): Pick<Decision, 'reunited' | 'heirOf'> => {
  const { memory, asked, union } = course;
  const { tenant, supersedes } = asked.facts.arrival;
  const splits = memory.splits.get(tenant);
  if (splits === undefined) return {};
  const reunited = asked.manual
    ? manualMergesIn(splits, splitsNaming(course, union), (id) => holds(course, union, id))
    : [];
  const isHeir = supersedes !== undefined && isRebound(asked, asked.facts) && splitsOf(splits, supersedes).size > 0;
  return { ...(reunited.length > 0 && { reunited }), ...(isHeir && { heirOf: supersedes }) };
};

/**
 * Decides one arrival: which of its links join, and the resulting groups. Changes nothing. Links are processed best
 * first; each is checked against the result of the earlier ones.
 */
export function decide(memory: GroupMemory, asked: MergeAsked): Decision {
  const { facts, position, manual, cut } = asked;
  const { tenant, eventId } = facts.arrival;
  const closed = closedBy(memory, asked);
  const closing = new Set(closed);
  const arrival = arrivingAs(memberOf(memory, tenant, eventId), asked, closing);
  const course: Course = {
    memory,
    asked,
    arrival,
    union: ownUnion(arrival, predecessorOf(memory, facts), closing),
    closing,
    isHeld: isHeldBack(memory, asked, closing),
    accepted: [],
    acceptedInAll: 0,
    refused: [],
    witnessed: new Set(),
  };
  for (const link of asked.links) if (manual || link.score > facts.settings.threshold) follow(course, link);
  followAgain(course);
  const { accepted } = course;
  const refused = course.refused.slice(0, EVIDENCE);
  const { profile } = facts.settings;
  // Groups that a later link has joined need no witness.
  const witnessed = [...course.witnessed].filter((id) => !course.union.groups.some((group) => group.id === id));
  const decision: Decision = {
    tenant,
    position,
    eventId,
    accepted,
    refused,
    ...groupOfUnion(course),
    closed,
    cut,
    manual,
    profile,
    ...(witnessed.length > 0 && { witnessed }),
    ...(asked.hand && { hand: { by: asked.hand.by, at: asked.hand.at } }),
    ...ofSplits(course),
  };
  return course.refused.length > EVIDENCE ? { ...decision, refusedBeyond: refusedBeyond(course) } : decision;
}

/**
 * True for a decision worth storing: the others are not needed for rebuilding or explaining. A rebound member brings
 * its group newer facts.
 */
export const carriesSomething = (decision: Decision, facts: Facts): boolean => {
  const { accepted, refused, closed, manual, groupId } = decision;
  const evidence = accepted.length + refused.length + closed.length > 0 || isAboutSplits(decision);
  return manual || evidence || (groupId !== null && isRebound(decision, facts));
};
