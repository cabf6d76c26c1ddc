import type { Group } from '#domain/correlation/records.ts';
import {
  admit,
  type DueGroup,
  emptyGroup,
  type Facts,
  lastingIn,
  type Member,
  memberFrom,
  type OpenGroup,
  quietTimeMs,
  sparkIn,
  type TenantGroups,
} from './groups.ts';
import { dropLasting, forgetLasting, type Lasting, lastIn, openLasting } from './lasting.ts';
import { openSplits, type Splits, splitsOf } from './splits.ts';

/** Number of facts of ungrouped and closed events held in memory; older ones are read from the store. */
const RECENT = 20_000;

/** Everything merge knows: all tenants of one partition. */
export interface GroupMemory {
  readonly tenants: Map<string, TenantGroups>;
  /** Members by event id, oldest first; event ids are unique over tenants, and the tenant is checked all the same. */
  readonly recent: Map<string, Member>;
  /** Splits by tenant; tenants without any are absent. */
  readonly splits: Map<string, Splits>;
  readonly lasting: Lasting;
}

export const openMemory = (): GroupMemory => ({
  tenants: new Map(),
  recent: new Map(),
  splits: new Map(),
  lasting: openLasting(),
});

export const splitsIn = ({ splits }: GroupMemory, tenant: string): Splits => {
  const known = splits.get(tenant) ?? openSplits();
  splits.set(tenant, known);
  return known;
};

/** The group knows which splits name its members. */
export const markSplits = ({ splits }: GroupMemory, group: OpenGroup): void => {
  const known = splits.get(group.tenant);
  if (known === undefined) return;
  for (const eventId of group.members.keys()) for (const id of splitsOf(known, eventId)) group.splits.add(id);
};

export const groupsOf = (memory: GroupMemory, tenant: string): TenantGroups => {
  const known = memory.tenants.get(tenant);
  if (known) return known;
  const groups: TenantGroups = { open: new Map(), members: new Map(), closing: [] };
  memory.tenants.set(tenant, groups);
  return groups;
};

export const memberOf = (memory: GroupMemory, tenant: string, eventId: string): Member | undefined => {
  const member = memory.recent.get(eventId);
  return member?.arrival.tenant === tenant ? member : memory.tenants.get(tenant)?.members.get(eventId);
};

/** The event's one member object; `closed` names the group that a stored event is in. */
export const remember = (memory: GroupMemory, facts: Facts, closed: string | null = null): Member => {
  const { tenant, eventId } = facts.arrival;
  const known = memberOf(memory, tenant, eventId);
  if (known) return known;
  const member = memberFrom(facts, closed === null ? null : { status: 'closed', id: closed });
  memory.recent.set(eventId, member);
  return member;
};

/**
 * Forgets the oldest beyond the bound, and events of `newest`'s tenant outside every window. Between batches only:
 * facts that a batch expects in memory must stay until its end.
 */
export const forget = ({ recent }: GroupMemory, newest: Facts | null, bound = RECENT): void => {
  const tenant = newest?.arrival.tenant;
  const reached = newest ? newest.arrival.time - quietTimeMs(newest.settings) : 0;
  for (const [eventId, { arrival, pins }] of recent) {
    if (recent.size <= bound && (arrival.tenant !== tenant || arrival.time >= reached)) return;
    if (pins === 0) recent.delete(eventId);
  }
};

/** Forgets events in no open group: when groups are rebuilt, only the store knows whether they are in a closed one. */
export const forgetUngrouped = ({ recent }: GroupMemory): void => {
  for (const [eventId, { group }] of recent) if (group === null) recent.delete(eventId);
};

/** Drops groups and facts of one tenant. */
export const forgetTenant = ({ tenants, recent, splits, lasting }: GroupMemory, tenant: string): void => {
  forgetLasting(lasting, tenant);
  tenants.delete(tenant);
  splits.delete(tenant);
  for (const [eventId, { arrival }] of recent) if (arrival.tenant === tenant) recent.delete(eventId);
};

/** True if an event that returned after the group had closed has become a member of another since. */
const hasLeft = ({ group, former }: Member, { id, aliases }: Pick<Group, 'id' | 'aliases'>): boolean => {
  const last = group?.id ?? former?.id ?? null;
  return last !== null && last !== id && !aliases.includes(last);
};

/** Opens a group again that is still in memory. */
export const revive = (memory: GroupMemory, group: OpenGroup): void => {
  const tenant = groupsOf(memory, group.tenant);
  Object.assign(group, { status: 'open', spark: null });
  for (const [eventId, kept] of group.members) {
    const member = memberOf(memory, group.tenant, eventId) ?? kept;
    if (hasLeft(member, group)) {
      group.members.delete(eventId);
      continue;
    }
    member.group = group;
    dropLasting(memory.lasting, eventId);
    group.members.set(eventId, member);
    tenant.members.set(eventId, member);
  }
  // A member may have been bound to a CI meanwhile.
  group.causes.stale = true;
  tenant.open.set(group.id, group);
  markSplits(memory, group);
  watchGroup(tenant.closing, group.last, group.id);
};

/** The changes of a closed group that is opened. */
export type Frozen = Pick<OpenGroup, 'members' | 'spark'> & { readonly isStale: boolean };
export const frozenOf = ({ members, spark, causes }: OpenGroup): Frozen => ({
  members: new Map(members),
  spark,
  isStale: causes.stale,
});

/** Closes a needlessly opened group again, unchanged: changes of this batch may not be saved yet. */
export const shut = (memory: GroupMemory, group: OpenGroup, frozen: Frozen | undefined): void => {
  const { open, members } = groupsOf(memory, group.tenant);
  group.status = 'closed';
  if (frozen === undefined) group.spark = sparkIn(group);
  else {
    Object.assign(group, { members: frozen.members, spark: frozen.spark });
    group.causes.stale = frozen.isStale;
  }
  open.delete(group.id);
  for (const member of lastingIn(group)) lastIn(memory.lasting, group, member);
  for (const member of group.members.values()) {
    if (member.group !== group) continue;
    members.delete(member.eventId);
    memory.recent.set(member.eventId, member);
  }
  if (open.size === 0) memory.tenants.delete(group.tenant);
};

/** Reopens a stored group, unchanged; extensions use `apply`. */
export const reopen = (memory: GroupMemory, group: Group, members: readonly Facts[]): void => {
  if (memory.tenants.get(group.tenant)?.open.has(group.id)) return;
  const settings = members[0]?.settings;
  if (!settings) throw new Error(`group ${group.id} has no members to open it with`);
  const { aliases, candidate, named = [], position } = group;
  const open = {
    ...emptyGroup({ ...group, weights: settings.rootCause, profile: settings.profile }),
    aliases: [...aliases],
    candidate,
    named,
    position,
  };
  for (const facts of members) {
    const member = remember(memory, facts);
    if (!hasLeft(member, group)) admit(open, member);
  }
  Object.assign(open, { first: group.first, last: group.last });
  revive(memory, open);
};

const dueAt = (heap: DueGroup[], at: number): DueGroup => heap[at]!;

export const watchGroup = (heap: DueGroup[], last: number, id: string): void => {
  const due = { last, id };
  let at = heap.length;
  heap.push(due);
  while (at > 0) {
    const parent = (at - 1) >> 1;
    if (dueAt(heap, parent).last <= last) break;
    heap[at] = dueAt(heap, parent);
    at = parent;
  }
  heap[at] = due;
};

const takeFirst = (heap: DueGroup[]): DueGroup => {
  const first = dueAt(heap, 0);
  const moved = heap.pop()!;
  if (heap.length === 0) return first;
  let at = 0;
  for (;;) {
    let child = 2 * at + 1;
    if (child >= heap.length) break;
    if (child + 1 < heap.length && dueAt(heap, child + 1).last < dueAt(heap, child).last) child++;
    if (dueAt(heap, child).last >= moved.last) break;
    heap[at] = dueAt(heap, child);
    at = child;
  }
  heap[at] = moved;
  return first;
};

/**
 * Returns the ids of the groups whose last member is earlier than `before`, in order. `lastOf` returns null for a group
 * that is no longer open. Only keys are corrected: a repeated call returns the same. O(due · log groups).
 */
export function dueGroups(heap: DueGroup[], before: number, lastOf: (id: string) => number | null): string[] {
  const due: DueGroup[] = [];
  while (heap.length > 0 && dueAt(heap, 0).last < before) {
    const { id } = takeFirst(heap);
    const last = lastOf(id);
    if (last === null) continue;
    if (last < before) due.push({ last, id });
    else watchGroup(heap, last, id);
  }
  for (const { last, id } of due) watchGroup(heap, last, id);
  return [...new Set(due.map(({ id }) => id))].sort();
}
