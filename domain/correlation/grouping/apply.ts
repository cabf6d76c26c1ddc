import type { Arrival, Outcome } from '#domain/correlation/records.ts';
import { replaceMember } from '#domain/correlation/root-cause/causes.ts';
import { known } from '#domain/known.ts';
import { type AppliedChange, sparkIn } from './group-changes.ts';
import { type GroupMemory, groupsOf, markSplits, memberOf, remember, splitsIn, watchGroup } from './group-memory.ts';
import {
  absorb,
  admit,
  depart,
  emptyGroup,
  type Facts,
  indexCauses,
  type Member,
  type OpenGroup,
  openGroupOf,
  retire,
  type TenantGroups,
  witness,
} from './groups.ts';
import { isAboutSplits, noteSplits, splitsOf } from './splits.ts';

const close = (memory: GroupMemory, groups: TenantGroups, group: OpenGroup, position: number): AppliedChange => {
  // Freeze the group before later steps change its members.
  indexCauses(group);
  group.spark = sparkIn(group);
  group.status = 'closed';
  group.position = position;
  groups.open.delete(group.id);
  retire(groups.open, group, null);
  for (const member of group.members.values()) {
    groups.members.delete(member.eventId);
    // Links of the same batch must still find it, and be refused.
    memory.recent.set(member.eventId, member);
  }
  return { kind: 'closed', group, events: [] };
};

const found = (groups: TenantGroups, decision: Outcome, facts: Facts): OpenGroup => {
  const founded = known(decision.founded, 'founder of the group');
  const group = emptyGroup({
    tenant: decision.tenant,
    id: decision.groupId as string,
    foundedBy: founded.eventId,
    foundedAt: founded.time,
    createdPosition: decision.position,
    weights: facts.settings.rootCause,
    profile: facts.settings.profile,
  });
  groups.open.set(group.id, group);
  watchGroup(groups.closing, group.foundedAt, group.id);
  return group;
};

const takeOver = (groups: TenantGroups, group: OpenGroup, id: string, position: number): AppliedChange[] => {
  const other = groups.open.get(id);
  if (!other) return [];
  const events = [...other.members.keys()];
  absorb(group, other);
  other.position = position;
  groups.open.delete(id);
  retire(groups.open, other, group);
  return [
    { kind: 'absorbed', group: other, events: [] },
    { kind: 'merged', group, events },
  ];
};

/** Groups are rebuilt without their ends: one that a person opened again may still hold what joined another group meanwhile. */
const leaveFormer = (member: Member, group: OpenGroup): void => {
  const former = openGroupOf(member);
  if (former === null || former === group) return;
  former.members.delete(member.eventId);
  former.causes.stale = true;
};

const joining = (memory: GroupMemory, { tenant, joined }: Outcome, arrival: Member): Member[] =>
  joined.map((eventId) => {
    const member = eventId === arrival.eventId ? arrival : memberOf(memory, tenant, eventId);
    if (!member) throw new Error(`the facts of event ${eventId} are not at hand`);
    return member;
  });

/** Events leave their group; what is said of splits is remembered whatever has become of the group. */
const takeApart = (memory: GroupMemory, groups: TenantGroups, decision: Outcome): AppliedChange[] => {
  if (!isAboutSplits(decision)) return [];
  noteSplits(splitsIn(memory, decision.tenant), decision);
  const { apart, position } = decision;
  const group = apart && groups.open.get(apart.from);
  if (!group) return [];
  for (const member of depart(group, apart.left))
    if (groups.members.delete(member.eventId)) memory.recent.set(member.eventId, member);
  // It may be due sooner.
  watchGroup(groups.closing, group.last, group.id);
  group.position = position;
  markSplits(memory, group);
  return [{ kind: 'split', group, events: apart.left }];
};

/** In a group that is still open it stands where it did, so that what it caused before its silence stays caused. */
const keepTime = (arrival: Arrival, { time }: Arrival): Arrival =>
  arrival.time === time ? arrival : { ...arrival, time };

/** One that returns in no open group comes as a new one would. */
const comeAnew = ({ recent }: GroupMemory, member: Member): void => {
  member.former = member.group?.id ?? member.former;
  member.group = null;
  // In the order of time, in which the oldest are forgotten.
  if (recent.delete(member.eventId)) recent.set(member.eventId, member);
};

/** A second arrival of an event: it, and its group, get the newer facts. */
export const rebind = (memory: GroupMemory, member: Member, { arrival, upstream, settings }: Facts): void => {
  if (!arrival.rebound || arrival.position <= member.arrival.position) return;
  const group = openGroupOf(member);
  const known = group ? keepTime(arrival, member.arrival) : arrival;
  const before = { arrival: member.arrival, upstream: member.upstream, weights: member.weights };
  Object.assign(member, { arrival: known, cameAt: arrival.time, upstream, weights: settings.rootCause });
  if (!group && arrival.again === 'returned') comeAnew(memory, member);
  if (!group) return;
  group.last = Math.max(group.last, arrival.time);
  replaceMember(group.causes, before, member);
};

/** Whether this decision is that of the second arrival itself. */
export const isRebound = ({ position }: Pick<Outcome, 'position'>, { arrival }: Facts): boolean =>
  arrival.rebound && arrival.position === position;

/**
 * The one function that changes groups, live and when they are rebuilt from their decisions.
 * `facts` are the arrival's; those of other events that join are in memory. Throws before it changes a group when they are not.
 */
export function apply(memory: GroupMemory, decision: Outcome, facts: Facts): AppliedChange[] {
  const { tenant, position, groupId } = decision;
  const arrival = remember(memory, facts);
  const members = joining(memory, decision, arrival);
  const groups = groupsOf(memory, tenant);
  const touches: AppliedChange[] = [];
  for (const id of decision.closed) {
    const group = groups.open.get(id);
    if (group) touches.push(close(memory, groups, group, position));
  }
  rebind(memory, arrival, facts);
  touches.push(...takeApart(memory, groups, decision));
  const group =
    groupId === null ? undefined : decision.founded ? found(groups, decision, facts) : groups.open.get(groupId);
  if (group) {
    const former = decision.apart && groups.open.get(decision.apart.from);
    for (const { eventId } of members) if (former?.superseded.has(eventId)) group.superseded.add(eventId);
    for (const member of members) {
      leaveFormer(member, group);
      admit(group, member);
      groups.members.set(member.eventId, member);
      for (const id of splitsOf(memory.splits.get(tenant), member.eventId)) group.splits.add(id);
    }
    if (members.length > 0)
      touches.push({ kind: decision.founded ? 'created' : 'joined', group, events: decision.joined });
    if (decision.manual || isRebound(decision, facts)) touches.push({ kind: 'updated', group, events: [] });
    for (const id of decision.merged) touches.push(...takeOver(groups, group, id, position));
    for (const id of decision.witnessed ?? []) {
      const other = groups.open.get(id);
      if (other !== undefined && other !== group) witness(group, other);
    }
    if (touches.some((touch) => touch.group === group))
      Object.assign(group, { position, weights: facts.settings.rootCause, profile: facts.settings.profile });
  }
  if (groups.open.size === 0) memory.tenants.delete(tenant);
  return touches;
}
