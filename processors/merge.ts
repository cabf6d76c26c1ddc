import { apply, rebind } from '#domain/correlation/grouping/apply.ts';
import {
  asFacts,
  firstQueued,
  isAccepted,
  MAX_QUEUED,
  notePassed,
  openArrivalQueue,
  pauseIntake,
  type QueuedArrival,
  queuedAt,
  queuedCount,
  resumeIntake,
} from '#domain/correlation/grouping/arrival-queue.ts';
import { flushChanges, storedOf } from '#domain/correlation/grouping/group-changes.ts';
import { forget, memberOf, openMemory, remember } from '#domain/correlation/grouping/group-memory.ts';
import type { Facts, Member, TenantGroups } from '#domain/correlation/grouping/groups.ts';
import { isAboutSplits } from '#domain/correlation/grouping/splits.ts';
import type { Arrival, CorrelationInput, Group, Outcome, Turn } from '#domain/correlation/records.ts';
import { type Causes, openCauses } from '#domain/correlation/root-cause/causes.ts';
import { MOST_WINDOW_MS } from '#domain/correlation/settings.ts';
import { withTurn } from '#domain/correlation/turns.ts';
import type {
  Backlog,
  Effects,
  EnrichedKey,
  Entry,
  FoundGroups,
  Reads,
  Restorable,
  StoredGroup,
} from '#domain/pipeline/processor.ts';
import { correlationChanges, correlationHits } from '#schemas/topics/topics.ts';
import { fold } from './fold.ts';
import { decideReady } from './merge-decide.ts';
import type { FactsRecord, HitsRecord, MergeState } from './merge-state.ts';

/** An event that may be older than memory: its group must be looked up. One that takes another's place is new itself. */
const hasPast = ({ arrival, links }: FactsRecord): boolean =>
  (arrival.rebound && arrival.supersedes === undefined) || links !== undefined;

/** At which position the event came back last: a group that had closed by then is no more its own, whatever it arrived for since. */
const returnedAt = (found: FoundGroups, arrival: Arrival): number | undefined => {
  let at: Arrival | undefined = arrival;
  while (at?.rebound && at.again !== 'returned') at = found.enriched(at.tenant, at.eventId, at.position - 1)?.arrival;
  return at?.again === 'returned' ? at.position : undefined;
};

/** Names what memory lacks: partners of hits and links, and for links set by hand the closed groups they may extend. */
const namedBy = ({ arrival, links, apart }: FactsRecord): readonly string[] => {
  const linked = [...(links ?? []).map(({ other }) => other), ...(apart?.eventIds ?? [])];
  return arrival.supersedes === undefined ? linked : [...linked, arrival.supersedes];
};

const keyOf = (tenant: string, id: string): string => `${tenant}\n${id}`;

const reads = (state: MergeState, batch: readonly Entry<CorrelationInput>[]): Reads => {
  const missing = new Map<string, EnrichedKey>();
  const groups = new Map<string, EnrichedKey>();
  const arriving = new Set<string>();
  const need = (tenant: string, id: string, through: number, byHand: boolean): void => {
    const member = memberOf(state, tenant, id);
    const key = keyOf(tenant, id);
    if (byHand && member?.group?.status !== 'open' && !groups.has(key)) groups.set(key, { tenant, id, through });
    if (member || arriving.has(id)) return;
    // The first that names it has the lowest position, and decides what it is remembered as; a stranger who names it finds nothing.
    if (!missing.has(key)) missing.set(key, { tenant, id, through });
  };
  for (const { tenant, position, value } of batch) {
    // Repeated hits of a decided arrival are dropped: they would make merge read its partners again.
    if (value.kind === 'hits' && position > state.arrivals.decided)
      for (const { other } of value.hits) need(tenant, other, position, false);
    if (value.kind !== 'facts') continue;
    const byHand = value.manual === true;
    if (hasPast(value)) need(tenant, value.arrival.eventId, position - 1, byHand);
    else arriving.add(value.arrival.eventId);
    // All that are split stand in one group.
    for (const other of namedBy(value)) need(tenant, other, position, byHand && value.apart === undefined);
  }
  const keys = [...missing.values()];
  return { enriched: keys, joined: keys, turns: keys, groupsOf: [...groups.values()] };
};

/** The event's member object, read from the store as it stood at the position when memory has none. */
const recall = (
  state: MergeState,
  found: FoundGroups,
  tenant: string,
  id: string,
  through: number,
): Member | undefined => {
  const known = memberOf(state, tenant, id);
  if (known) return known;
  const stored = found.enriched(tenant, id, through);
  if (!stored) return undefined;
  const { arrival, upstream, settings } = stored;
  const facts = { arrival, upstream, settings, turns: found.turns(tenant, id) };
  return remember(state, facts, found.joined(tenant, id, returnedAt(found, arrival)));
};

const pin = (queued: QueuedArrival<StoredGroup>, member: Member): void => {
  member.pins += 1;
  queued.pinned.push(member);
};

const takeFacts = (
  state: MergeState,
  { tenant, position }: Entry<unknown>,
  record: FactsRecord,
  found: FoundGroups,
): void => {
  const facts = asFacts(record);
  const eventId = record.arrival.eventId;
  // The state before the record: arrivals decided earlier must not see its change.
  const past = hasPast(record) ? recall(state, found, tenant, eventId, position - 1) : undefined;
  const member = past ?? remember(state, facts);
  state.newest = facts;
  if (position <= state.arrivals.decided) {
    // A repeated record only refills memory.
    rebind(state, member, facts);
    return;
  }
  const queued = queuedAt(state.arrivals, tenant, position);
  if (queued.facts) return;
  queued.facts = record;
  pin(queued, member);
  for (const other of namedBy(record)) {
    const partner = recall(state, found, tenant, other, position);
    if (partner) pin(queued, partner);
  }
  if (!record.manual) return;
  for (const id of [eventId, ...(record.links ?? []).map(({ other }) => other)]) {
    const stored = found.groupOf?.(tenant, id, position);
    if (stored) queued.stored.push(stored);
  }
};

const takeHits = (
  state: MergeState,
  { tenant, position }: Entry<unknown>,
  record: HitsRecord,
  found: FoundGroups,
): void => {
  if (position <= state.arrivals.decided) return;
  const queued = queuedAt(state.arrivals, tenant, position);
  if (queued.findings.has(record.strategy)) return;
  queued.findings.set(record.strategy, record);
  for (const { other } of record.hits) {
    const partner = recall(state, found, tenant, other, position);
    if (partner) pin(queued, partner);
    else state.dropped += 1;
  }
};

/** Kept with the event in the order of positions; what is not in memory is read with its turns when it is wanted. */
const takeTurn = (state: MergeState, { tenant, position }: Entry<unknown>, turn: Turn): void => {
  const member = memberOf(state, tenant, turn.eventId);
  if (member) member.turns = withTurn(member.turns, { ...turn, position });
};

const takeForgotten = ({ arrivals }: MergeState, { tenant, position }: Entry<unknown>): void => {
  if (position > arrivals.decided) queuedAt(arrivals, tenant, position).forgets = true;
};

/** One strategy that is away keeps all arrivals undecided. */
const backlogOf = (most: number): Backlog<MergeState> => ({
  isFull: ({ arrivals }) => queuedCount(arrivals) >= most,
  isEmpty: ({ arrivals }) => queuedCount(arrivals) === 0,
  wants: ({ arrivals }, { position, value }) =>
    (value as CorrelationInput).kind === 'passed' || isAccepted(arrivals, position),
  leave: ({ arrivals }) => pauseIntake(arrivals),
  return: ({ arrivals }) => resumeIntake(arrivals),
});

const settle = (state: MergeState, effects: Effects): void => {
  flushChanges(state.changes, (group, changes) => {
    effects.saveGroup(storedOf(group));
    for (const value of changes)
      effects.emit(correlationChanges, { tenant: group.tenant, position: group.position, value });
  });
  forget(state, state.newest);
  state.newest = null;
};

/** Groups that may still grow by their time: those of a silent tenant stay in memory until its next arrival. */
const growing = (tenants: Iterable<TenantGroups>, before: number): number => {
  let count = 0;
  for (const { open } of tenants) for (const { last } of open.values()) if (last >= before) count += 1;
  return count;
};

/** Built when the group is touched: most groups that are open at a start never are, and theirs would take a tenth of memory. */
const UNKNOWN_CAUSES: Causes = { ...openCauses(), stale: true };

/** The group that was left may stand while the one that was founded does not. */
const restoreApart = (state: MergeState, { founded: _, ...decision }: Outcome, facts: Facts): void => {
  const alone = { ...decision, groupId: null, joined: [], merged: [], closed: [] };
  for (const { group } of apply(state, alone, facts)) group.causes = UNKNOWN_CAUSES;
};

/**
 * Rebuilds the open groups from their decisions; what is stored of groups only says which are open and their candidate. Only `settled`
 * says how far merge was. The arrival of that position may still come, after its turn.
 */
const restore = async (state: MergeState, from: Restorable, now: number, settled = 0): Promise<void> => {
  state.arrivals.decided = Math.max(state.arrivals.decided, settled - 1);
  const stillOpen = new Map<string, Group>();
  for await (const group of from.openGroups())
    for (const id of [group.id, ...group.aliases]) stillOpen.set(keyOf(group.tenant, id), group);
  for await (const { decision, facts, partners } of from.decisions(now)) {
    state.arrivals.decided = Math.max(state.arrivals.decided, decision.position);
    const { tenant, groupId } = decision;
    if (groupId === null || !stillOpen.has(keyOf(tenant, groupId))) {
      if (isAboutSplits(decision)) restoreApart(state, decision, facts);
      continue;
    }
    for (const partner of partners) rebind(state, remember(state, partner), partner);
    // A member of which nothing is stored any more is missing from its group; better than not to start.
    const joined = decision.joined.filter((id) => id === decision.eventId || memberOf(state, tenant, id));
    for (const { group } of apply(state, { ...decision, joined, closed: [] }, facts)) group.causes = UNKNOWN_CAUSES;
  }
  for (const { tenant, id, candidate, named = [] } of new Set(stillOpen.values())) {
    const group = state.tenants.get(tenant)?.open.get(id);
    if (group) Object.assign(group, { candidate, named });
  }
  forget(state, null);
};

/** `mostUndecided`: arrivals that wait before no more of them are taken into memory. */
export const mergeWith = (mostUndecided: number) =>
  fold<MergeState, CorrelationInput>({
    name: 'merge',
    input: correlationHits,
    open: () => ({ ...openMemory(), arrivals: openArrivalQueue(), changes: new Map(), newest: null, dropped: 0 }),
    restore,
    reads,
    step(state, entry, found) {
      const { value } = entry;
      if (value.kind === 'facts') takeFacts(state, entry, value, found);
      else if (value.kind === 'hits') takeHits(state, entry, value, found);
      else if (value.kind === 'passed') notePassed(state.arrivals, value.strategy, value.through);
      else if (value.kind === 'forgotten') takeForgotten(state, entry);
      else takeTurn(state, entry, value);
    },
    proceed: decideReady,
    settle,
    settled: ({ arrivals }) => (firstQueued(arrivals)?.position ?? Number.POSITIVE_INFINITY) - 1,
    backlog: backlogOf(mostUndecided),
    sizes: ({ tenants, recent, arrivals, dropped }, now) => ({
      open_groups: growing(tenants.values(), now - MOST_WINDOW_MS),
      recent_facts: recent.size,
      undecided: queuedCount(arrivals),
      dropped_links: dropped,
    }),
  });

/**
 * Owns groups. Decides arrivals in the order of their positions, each when all strategies have passed it,
 * so that groups are a function of the order of arrivals and of nothing else.
 */
export const merge = mergeWith(MAX_QUEUED);
