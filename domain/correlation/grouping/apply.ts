import { assertDefined } from '#domain/assert.ts';
import type { Arrival, Decision, Group, GroupChange, Outcome } from '#domain/correlation/records.ts';
import { replaceMember } from '#domain/correlation/root-cause/causes.ts';
import { slices } from '#domain/slices.ts';
import { NO_WHOLES } from '#domain/topology/near.ts';
import { type GroupMemory, groupsOf, markSplits, memberOf, remember, splitsIn, watchGroup } from './group-memory.ts';
import {
  absorb,
  admit,
  chooseCandidate,
  depart,
  emptyGroup,
  type Facts,
  indexCauses,
  lastingIn,
  type Member,
  nameCause,
  type OpenGroup,
  openGroupOf,
  retire,
  sizeOf,
  sparkIn,
  type TenantGroups,
  witness,
} from './groups.ts';
import { dropLasting, lastIn, lastsIn } from './lasting.ts';
import { noteSplits, splitsOf } from './splits.ts';

const close = (memory: GroupMemory, groups: TenantGroups, group: OpenGroup, position: number): AppliedChange => {
  // Freeze the group before later steps change its members.
  indexCauses(group);
  group.spark = sparkIn(group);
  group.status = 'closed';
  group.position = position;
  groups.open.delete(group.id);
  retire(groups.open, group, null);
  for (const member of lastingIn(group, position)) lastIn(memory.lasting, group, member);
  for (const member of group.members.values()) {
    groups.members.delete(member.eventId);
    // Links of the same batch must still find it, and be refused.
    memory.recent.set(member.eventId, member);
  }
  return { kind: 'closed', group, events: [] };
};

const found = (groups: TenantGroups, decision: Outcome, facts: Facts): OpenGroup => {
  const founded = assertDefined(decision.founded, 'founder of the group');
  const group = emptyGroup({
    tenant: decision.tenant,
    id: decision.groupId as string,
    foundedBy: founded.eventId,
    foundedAt: founded.time,
    createdPosition: decision.position,
    weights: facts.settings.rootCause,
    profile: facts.settings.profile,
  });
  group.aliases = decision.apart?.restores?.slice(1) ?? [];
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

/** Groups are rebuilt without their ends: one that a user reopened may still hold members of another group. */
const leaveFormer = (member: Member, group: OpenGroup): void => {
  const former = openGroupOf(member);
  if (former === null || former === group) return;
  former.members.delete(member.eventId);
  former.causes.stale = true;
};

const joining = (memory: GroupMemory, { tenant, joined }: Outcome, arrival: Member): Member[] =>
  joined.map((eventId) => {
    const member = eventId === arrival.eventId ? arrival : memberOf(memory, tenant, eventId);
    if (!member) throw new Error(`the facts of event ${eventId} are not loaded`);
    return member;
  });

/** True if the decision contains splits. */
export const isAboutSplits = ({ apart, reunited, heirOf }: Pick<Decision, 'apart' | 'reunited' | 'heirOf'>): boolean =>
  apart !== undefined || reunited !== undefined || heirOf !== undefined;

/** Other events than the arrival whose facts a group needs that is rebuilt from the decision. */
export const partnersIn = ({ eventId, joined, apart }: Pick<Decision, 'eventId' | 'joined' | 'apart'>): string[] => [
  ...new Set([...joined, ...(apart?.again ?? []).map((one) => one.eventId)].filter((id) => id !== eventId)),
];

/** Removes events from their group; splits are remembered even if the group no longer exists. */
const applySplit = (memory: GroupMemory, groups: TenantGroups, decision: Outcome): AppliedChange[] => {
  if (!isAboutSplits(decision)) return [];
  noteSplits(splitsIn(memory, decision.tenant), decision);
  const { apart, position } = decision;
  const group = apart && groups.open.get(apart.from);
  if (!group) return [];
  for (const { eventId, time, cameAt } of apart.again ?? []) {
    const member = group.members.get(eventId);
    if (member !== undefined) Object.assign(member, { arrival: { ...member.arrival, time }, cameAt });
  }
  for (const member of depart(group, apart.left))
    if (groups.members.delete(member.eventId)) memory.recent.set(member.eventId, member);
  const back = new Set(apart.restores);
  if (back.size > 0) group.aliases = group.aliases.filter((name) => !back.has(name));
  // It may be due sooner.
  watchGroup(groups.closing, group.last, group.id);
  group.position = position;
  markSplits(memory, group);
  return [{ kind: 'split', group, events: apart.left }];
};

/** An event in an open group retains its position in time, so that its effects before the silence stay effects. */
const keepTime = (arrival: Arrival, { time }: Arrival): Arrival =>
  arrival.time === time ? arrival : { ...arrival, time };

/** An event that returns in no open group is added like a new one. */
const comeAnew = ({ recent }: GroupMemory, member: Member): void => {
  member.former = member.group ?? member.former;
  member.group = null;
  // Moves the member to the end: the map is in order of time, and the oldest are dropped first.
  if (recent.delete(member.eventId)) recent.set(member.eventId, member);
};

/** A second arrival of an event: it, and its group, get the newer facts. */
export const rebind = (memory: GroupMemory, member: Member, facts: Facts): void => {
  const { arrival, upstream, wholes = NO_WHOLES, settings } = facts;
  if (!arrival.rebound || arrival.position <= member.arrival.position) return;
  const group = openGroupOf(member);
  const known = group ? keepTime(arrival, member.arrival) : arrival;
  const before = { ...member };
  Object.assign(member, { arrival: known, cameAt: arrival.time, upstream, wholes, weights: settings.rootCause });
  if (!group && arrival.again === 'returned') comeAnew(memory, member);
  if (!group) return;
  group.last = Math.max(group.last, arrival.time);
  replaceMember(group.causes, before, member);
};

/** An event that supersedes another in a closed group is active there, unless it has joined another group. */
export const succeed = (memory: GroupMemory, { arrival }: Facts): void => {
  const { tenant, eventId, supersedes } = arrival;
  if (supersedes === undefined) return;
  const { lasting } = memory;
  const member = memberOf(memory, tenant, eventId);
  const before = memberOf(memory, tenant, supersedes);
  const id = lastsIn(lasting, supersedes) ?? (before?.group?.status === 'closed' ? before.group.id : null);
  if (id === null || member?.group !== null) return;
  lastIn(lasting, { tenant, id }, { eventId, turns: member.turns });
  member.former = before?.group ?? before?.former ?? null;
};

/** True if this decision belongs to the second arrival itself. */
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
  touches.push(...applySplit(memory, groups, decision));
  const group =
    groupId === null ? undefined : decision.founded ? found(groups, decision, facts) : groups.open.get(groupId);
  if (group) {
    const splits = memory.splits.get(tenant);
    const former = decision.apart && groups.open.get(decision.apart.from);
    for (const { eventId } of members) if (former?.superseded.has(eventId)) group.superseded.add(eventId);
    for (const member of members) {
      leaveFormer(member, group);
      admit(group, member);
      dropLasting(memory.lasting, member.eventId);
      groups.members.set(member.eventId, member);
      if (splits !== undefined) for (const id of splitsOf(splits, member.eventId)) group.splits.add(id);
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

/** The effect of a decision on one group; `events` are those new to it, or all of a group that was merged away. */
export interface AppliedChange {
  readonly kind: Exclude<GroupChange['kind'], 'root-cause'> | 'absorbed' | 'updated';
  readonly group: OpenGroup;
  readonly events: readonly string[];
}

/** The changes of one batch to one group. */
interface GroupDelta {
  readonly before: string | null;
  created: boolean;
  closed: boolean;
  /** True if the candidate may have changed. */
  grew: boolean;
  readonly joined: string[];
  readonly merged: string[];
  readonly split: string[];
}

export type GroupChanges = Map<OpenGroup, GroupDelta>;

const deltaOf = (changes: GroupChanges, group: OpenGroup): GroupDelta => {
  const known = changes.get(group);
  if (known) return known;
  const before = group.candidate?.eventId ?? null;
  const delta = { before, created: false, closed: false, grew: false, joined: [], merged: [], split: [] };
  changes.set(group, delta);
  return delta;
};

export const noteChange = (changes: GroupChanges, { kind, group, events }: AppliedChange): void => {
  const delta = deltaOf(changes, group);
  if (kind === 'created') delta.created = true;
  if (kind === 'closed') delta.closed = true;
  else if (kind !== 'absorbed') delta.grew = true;
  const named = kind === 'merged' ? delta.merged : kind === 'split' ? delta.split : delta.joined;
  for (const event of events) named.push(event);
};

/** Most event ids in one change: a record with all members of a group of 150,000 is too large for the log. */
const NAMED = 10_000;

const piecesOf = (names: readonly string[]): (readonly string[])[] => {
  const pieces: (readonly string[])[] = [];
  for (const some of slices(names, NAMED)) pieces.push(some);
  return pieces;
};

/** A group as it is in a change: unbounded lists are cut. The stored group is complete. */
const namedIn = (group: OpenGroup): GroupChange['group'] => {
  const { aliases, candidate, ...rest } = recordOf(group);
  const explains = candidate?.explains.slice(0, NAMED);
  return {
    ...rest,
    aliases: aliases.slice(0, NAMED),
    candidate: candidate && { ...candidate, explains: explains ?? [] },
  };
};

/** One change of each kind per group and batch, several for many events; none for a group that was created and merged away within the batch. */
const changesOf = (group: OpenGroup, delta: GroupDelta): GroupChange[] => {
  const record = namedIn(group);
  if (group.status === 'merged') return [];
  const { created, joined, merged, split, closed, before } = delta;
  const changes: GroupChange[] = [];
  const tell = (kind: GroupChange['kind'], names: readonly string[]): void => {
    for (const events of piecesOf(names)) changes.push({ kind, group: record, events });
  };
  if (created) {
    const [first = [], ...rest] = piecesOf([...joined, ...merged]);
    changes.push({ kind: 'created', group: record, events: first });
    for (const events of rest) changes.push({ kind: 'joined', group: record, events });
  } else {
    tell('joined', joined);
    tell('merged', merged);
    const cause = group.candidate?.eventId;
    if (cause !== undefined && cause !== before) changes.push({ kind: 'root-cause', group: record, events: [cause] });
  }
  tell('split', split);
  // A user may have reopened the group within the batch.
  if (closed && group.status === 'closed') changes.push({ kind: 'closed', group: record, events: [] });
  return changes;
};

/** Chooses the candidates of the changed groups, once each, and saves each group with its changes; empties `changes`. */
export function flushChanges(
  changes: GroupChanges,
  save: (group: OpenGroup, changes: readonly GroupChange[]) => void,
): void {
  for (const [group, delta] of changes) {
    if (delta.grew && group.status !== 'merged') {
      chooseCandidate(group);
      nameCause(group);
    }
    save(group, changesOf(group, delta));
  }
  changes.clear();
}

/** Returns the group as it is published. */
export const recordOf = (group: OpenGroup): Omit<Group, 'spark' | 'named'> => ({
  tenant: group.tenant,
  id: group.id,
  aliases: group.aliases,
  status: group.status,
  mergedInto: group.mergedInto,
  foundedBy: group.foundedBy,
  foundedAt: group.foundedAt,
  first: group.first,
  last: group.last,
  size: sizeOf(group),
  // The candidate depends on the batches for a merged group; the group it was merged into has its own.
  candidate: group.mergedInto === null ? group.candidate : null,
  createdPosition: group.createdPosition,
  position: group.position,
});

/** Returns the group as it is stored; a merged group does not store data that is derived from members only. */
export const storedOf = (group: OpenGroup): Group => {
  if (group.mergedInto !== null) return recordOf(group);
  return { ...recordOf(group), spark: group.spark ?? sparkIn(group), named: group.named };
};
