import { splitByPerson } from '#domain/access/trail.ts';
import { firstItem } from '#domain/assert.ts';
import { asFacts } from '#domain/correlation/grouping/arrival-queue.ts';
import { entryId, GROUP_ENTRY, type GroupEntry } from '#domain/correlation/grouping/group-entry.ts';
import { type Frozen, frozenOf, memberOf, reopen, revive, shut } from '#domain/correlation/grouping/group-memory.ts';
import type { Facts, Member } from '#domain/correlation/grouping/groups.ts';
import { holderOf } from '#domain/correlation/grouping/lasting.ts';
import { decideSplit, type NotSplit } from '#domain/correlation/grouping/manual-split.ts';
import type { Decision, ManualSplit } from '#domain/correlation/records.ts';
import { eventIdOf } from '#domain/event/event.ts';
import type { ByHand, Incoming, Receipt, SplitRequestRecord } from '#domain/event/incoming.ts';
import type { Effects } from '#domain/pipeline/processor.ts';
import { eventsIncoming } from '#schemas/topics/topics.ts';
import type { MergeState, Ready } from './merge-state.ts';

export type RequestedSplit = Ready & { readonly facts: { readonly apart: SplitRequestRecord; readonly hand: ByHand } };
/** A decision that removed events from a group. */
type SplitDecision = Decision & { readonly apart: ManualSplit };

const refused = (next: RequestedSplit, why: NotSplit): Receipt => {
  const { from } = next.facts.apart;
  const { eventId } = next.facts.arrival;
  if (why.cause === 'done') return { ok: true, outcome: 'ignored', id: eventId, count: 0, correlationId: why.groupId };
  if (why.cause === 'all')
    return {
      ok: false,
      fault: 'invalid',
      message: `All members of ${from} are selected. Leave at least one in the group`,
    };
  const eventIds = why.eventIds.map(eventIdOf);
  const message = `Events ${eventIds.slice(0, 20).join(', ')} are not in group ${from}`;
  return { ok: false, fault: 'invalid', message, data: { eventIds } };
};

/** The decision, or the answer when there is none. */
const requestSplit = (state: MergeState, next: RequestedSplit, facts: Facts): SplitDecision | Receipt => {
  const { position } = next;
  const { apart: parting, hand } = next.facts;
  const decided = decideSplit(state, { position, facts, parting, hand });
  return 'cause' in decided ? refused(next, decided) : (decided as SplitDecision);
};

/** Publishes events that are in no group now; the others are published like all that join one. */
const tellLeavers = ({ tenant, position, apart, joined }: SplitDecision, at: number, effects: Effects): void => {
  if (joined.length > 0) return;
  for (const eventId of apart.left) {
    const ask = { kind: 'assigned', eventId, correlationId: apart.from, moves: true, leaves: true } as const;
    const value: Incoming = { ask, receivedAt: at };
    effects.emit(eventsIncoming, { tenant, position, value });
  }
};

const eventsSaid = ({ left }: ManualSplit): string =>
  left.length === 1 ? eventIdOf(firstItem(left)) : `${left.length} events`;

/** The note of both groups and of the audit trail: stored with the decision, once. */
const keepWord = ({ tenant, apart, groupId }: SplitDecision, { facts }: RequestedSplit, effects: Effects): void => {
  const { hand, apart: parting } = facts;
  const { by, at } = hand;
  const { reason } = parting;
  const keep = (group: string, text: string): void => {
    const entry: GroupEntry = { id: apart.id, group, kind: 'split', at, by, text };
    effects.saveRecord({ tenant, kind: GROUP_ENTRY, id: entryId(entry), body: entry });
  };
  if (apart.restores !== undefined && groupId !== null) {
    keep(apart.from, `undid the merge with ${groupId}: ${reason}`);
    keep(groupId, `no longer part of ${apart.from}: ${reason}`);
  } else {
    const into = groupId === null ? '' : ` into ${groupId}`;
    keep(apart.from, `split ${eventsSaid(apart)}${into}: ${reason}`);
    if (groupId !== null) keep(groupId, `split from ${apart.from}: ${reason}`);
  }
  effects.saveRecord(splitByPerson(tenant, hand, { ...apart, into: groupId, reason }));
};

const isClosed = ({ group }: Member): boolean => group?.status === 'closed';

/** Set manually: nothing is written when one of the events is unknown. */
export const unknownOf = (state: MergeState, { tenant, facts }: Ready): string[] =>
  (facts.links ?? []).map(({ other }) => other).filter((id) => !memberOf(state, tenant, id));

/** Opens the closed groups of manual links or splits, from memory or as stored. False when one cannot be loaded. */
export const reopenGroups = (state: MergeState, { tenant, position, facts, stored, pinned }: Ready): boolean => {
  const from = facts.apart?.from;
  const isNamed = (names: readonly string[]): boolean => from === undefined || names.includes(from);
  // Not that of an event which has left it: the event itself is linked.
  const held = ({ eventId, group }: Member): string | null =>
    group === null ? holderOf(state.lasting, tenant, eventId, position) : null;
  for (const member of pinned) {
    const known = member.group ?? (member.former?.id === held(member) ? member.former : null);
    if (known?.status === 'closed' && 'members' in known && isNamed([known.id, ...known.aliases])) revive(state, known);
  }
  const closed = new Set(pinned.flatMap((one) => (isClosed(one) ? (one.group?.id ?? []) : (held(one) ?? []))));
  for (const { group, members } of stored) {
    const names = [group.id, ...group.aliases];
    const isWanted = names.some((id) => closed.has(id)) && isNamed(names);
    if (isWanted && group.status === 'closed' && members.length > 0) reopen(state, group, members);
  }
  return !pinned.some(isClosed);
};

/** The groups of the tenant that are open and were not. */
const openedSince = ({ tenants }: MergeState, tenant: string, before: ReadonlySet<string>) =>
  [...(tenants.get(tenant)?.open.values() ?? [])].filter(({ id }) => !before.has(id));

/** Returns closed groups of the named events that are in memory, unchanged. */
const frozenGroups = ({ pinned }: Ready): Map<string, Frozen> =>
  new Map(
    pinned.flatMap(({ group }) =>
      group?.status === 'closed' && 'members' in group ? [[group.id, frozenOf(group)] as const] : [],
    ),
  );

type Execute = (state: MergeState, decision: Decision, facts: Facts, effects: Effects) => void;

/** Removes events from a group; `execute` carries a decision out. */
export const splitNext = (state: MergeState, next: RequestedSplit, effects: Effects, execute: Execute): void => {
  const before = new Set(state.tenants.get(next.tenant)?.open.keys());
  const frozen = frozenGroups(next);
  reopenGroups(state, next);
  const facts = asFacts(next.facts);
  const decided = requestSplit(state, next, facts);
  if ('ok' in decided) {
    for (const group of openedSince(state, next.tenant, before)) shut(state, group, frozen.get(group.id));
    effects.receipt(next.position, decided);
    return;
  }
  execute(state, decided, facts, effects);
  tellLeavers(decided, facts.arrival.time, effects);
  keepWord(decided, next, effects);
  const { eventId: id, groupId: correlationId } = decided;
  effects.receipt(next.position, { ok: true, outcome: 'changed', id, count: decided.apart.left.length, correlationId });
};
