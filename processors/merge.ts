import { apply, flushChanges, noteChange, rebind, storedOf, succeed } from '#domain/correlation/grouping/apply.ts';
import {
  asFacts,
  cutOf,
  dropQueued,
  findingsOf,
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
  takeNext,
} from '#domain/correlation/grouping/arrival-queue.ts';
import { carriesSomething, decide, type MergeAsked } from '#domain/correlation/grouping/decide.ts';
import { forget, forgetTenant, memberOf, openMemory, remember } from '#domain/correlation/grouping/group-memory.ts';
import { comesBack, type Facts, type Member, type TenantGroups } from '#domain/correlation/grouping/groups.ts';
import { forgetEnded, lastIn, lastsIn, noteLastingTransition } from '#domain/correlation/grouping/lasting.ts';
import { bestFirst, linksOf } from '#domain/correlation/grouping/links.ts';
import type { Arrival, CorrelationInput, Decision, StatusTransition } from '#domain/correlation/records.ts';
import { MAX_WINDOW_MS } from '#domain/correlation/settings.ts';
import { withTransition } from '#domain/correlation/status-transitions.ts';
import type { Incoming, Receipt } from '#domain/event/incoming.ts';
import type {
  Backlog,
  BacklogWork,
  Effects,
  EnrichedKey,
  Entry,
  EventKey,
  FoundGroups,
  Reads,
  StoredGroup,
} from '#domain/pipeline/processor.ts';
import { NO_WHOLES } from '#domain/topology/near.ts';
import { correlationChanges, correlationHits, eventsIncoming } from '#schemas/topics/topics.ts';
import { fold } from './fold.ts';
import { type RequestedSplit, reopenGroups, splitNext, unknownOf } from './merge-by-hand.ts';
import { restore } from './merge-restore.ts';
import type { FactsRecord, HitsRecord, MergeState, Ready } from './merge-state.ts';

/** True for an event that may be older than memory: its group must be looked up. A superseding one is new itself. */
const hasPast = ({ arrival, links }: FactsRecord): boolean =>
  (arrival.rebound && arrival.supersedes === undefined) || links !== undefined;

/**
 * Returns the position at which the event returned, or superseded another: a group that had closed by then is not its
 * own, regardless of later arrivals.
 */
const cameBackAt = (found: FoundGroups, arrival: Arrival): number | undefined => {
  let at: Arrival | undefined = arrival;
  while (at?.rebound && !comesBack(at)) at = found.enriched(at.tenant, at.eventId, at.position - 1)?.arrival;
  return at !== undefined && comesBack(at) ? at.position : undefined;
};

/** Names rows missing in memory: partners of hits and links, and for manual links the closed groups they may extend. */
const namedBy = ({ arrival, links, apart }: FactsRecord): readonly string[] => {
  const linked = [...(links ?? []).map(({ other }) => other), ...(apart?.eventIds ?? [])];
  return arrival.supersedes === undefined ? linked : [...linked, arrival.supersedes];
};

const keyOf = (tenant: string, id: string): string => `${tenant}\n${id}`;

const reads = (state: MergeState, batch: readonly Entry<CorrelationInput>[]): Reads => {
  const missing = new Map<string, EnrichedKey>();
  const groups = new Map<string, EnrichedKey>();
  const arriving = new Set<string>();
  const homes: EventKey[] = [];
  const need = (tenant: string, id: string, through: number, byHand: boolean): void => {
    const member = memberOf(state, tenant, id);
    const key = keyOf(tenant, id);
    if (byHand && member?.group?.status !== 'open' && !groups.has(key)) groups.set(key, { tenant, id, through });
    if (member || arriving.has(id)) return;
    // The first that names it has the lowest position, and decides its remembered state; another tenant that names it
    // finds nothing.
    if (!missing.has(key)) missing.set(key, { tenant, id, through });
  };
  for (const { tenant, position, value } of batch) {
    // Repeated hits of a decided arrival are dropped: they would make merge read its partners again.
    if (value.kind === 'hits' && position > state.arrivals.decided)
      for (const { other } of value.hits) need(tenant, other, position, false);
    if (value.kind === 'returned' && lastsIn(state.lasting, value.eventId) === null)
      homes.push({ tenant, id: value.eventId });
    if (value.kind !== 'facts') continue;
    const byHand = value.manual === true;
    if (hasPast(value)) need(tenant, value.arrival.eventId, position - 1, byHand);
    else arriving.add(value.arrival.eventId);
    // All split events are in one group.
    for (const other of namedBy(value)) need(tenant, other, position, byHand && value.apart === undefined);
  }
  const keys = [...missing.values()];
  return { enriched: keys, joined: keys, turns: [...keys, ...homes], homes, groupsOf: [...groups.values()] };
};

/** Returns the event's member object, read from the store in its state at the position when memory has none. */
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
  const { arrival, upstream, wholes = NO_WHOLES, settings } = stored;
  const facts = { arrival, upstream, wholes, settings, turns: found.turns(tenant, id) };
  return remember(state, facts, found.joined(tenant, id, cameBackAt(found, arrival)));
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

/** Returns the closed group of the event, regardless of later returns. */
const homeOf = (found: FoundGroups, tenant: string, member: Member | undefined, eventId: string): string | null =>
  member?.group?.status === 'closed' && 'members' in member.group ? member.group.id : found.home(tenant, eventId);

/**
 * Stored with the event in the order of positions; an event that is not in memory is read with its transitions when it
 * is needed.
 */
const takeTransition = (
  state: MergeState,
  { tenant, position }: Entry<unknown>,
  turn: StatusTransition,
  found: FoundGroups,
): void => {
  const told = { ...turn, position };
  const { eventId } = turn;
  const member = memberOf(state, tenant, eventId);
  if (member) member.turns = withTransition(member.turns, told);
  const isElsewhere = member?.group?.status === 'open' || lastsIn(state.lasting, eventId) !== null;
  const id = isElsewhere || turn.kind === 'ended' ? null : homeOf(found, tenant, member, eventId);
  if (id !== null) lastIn(state.lasting, { tenant, id }, { eventId, turns: found.turns(tenant, eventId) });
  noteLastingTransition(state.lasting, told);
};

const takeForgotten = ({ arrivals }: MergeState, { tenant, position }: Entry<unknown>): void => {
  if (position > arrivals.decided) queuedAt(arrivals, tenant, position).forgets = true;
};

/**
 * True if the group may be new: for an event that was in a group before, or inherited that of another event; or that a
 * user removed.
 */
const movesTo = (state: MergeState, { tenant, apart }: Decision, eventId: string): boolean => {
  if (apart !== undefined) return true;
  const again = memberOf(state, tenant, eventId)?.arrival.again;
  return again === 'returned' || again === 'supersedes';
};

const assign = (state: MergeState, decision: Decision, at: number, effects: Effects): void => {
  for (const eventId of decision.joined) {
    const moves = movesTo(state, decision, eventId) && { moves: true };
    const value: Incoming = {
      ask: { kind: 'assigned', eventId, correlationId: decision.groupId as string, ...moves },
      receivedAt: at,
    };
    effects.emit(eventsIncoming, { tenant: decision.tenant, position: decision.position, value });
  }
};

const answer = ({ eventId, groupId, accepted, joined, merged }: Decision): Receipt => ({
  ok: true,
  outcome: joined.length + merged.length > 0 ? 'changed' : 'ignored',
  id: eventId,
  count: accepted.length,
  correlationId: groupId,
});

/** Saves a decision and executes it. */
const execute = (state: MergeState, decision: Decision, facts: Facts, effects: Effects): void => {
  effects.saveDecision(decision);
  for (const change of apply(state, decision, facts)) noteChange(state.changes, change);
  assign(state, decision, facts.arrival.time, effects);
};

const relateNext = (state: MergeState, next: Ready, effects: Effects): void => {
  const { facts: record, position } = next;
  const manual = record.manual === true;
  const unknown = manual ? unknownOf(state, next) : [];
  if (unknown.length > 0) {
    const message = `Events ${unknown.join(', ')} were not found`;
    effects.receipt(position, { ok: false, fault: 'not-found', message, data: { eventIds: unknown } });
    return;
  }
  if (manual && !reopenGroups(state, next)) {
    effects.receipt(position, { ok: false, fault: 'internal', message: "Couldn't read the closed group" });
    return;
  }
  const facts = asFacts(record);
  const links = record.links?.toSorted(bestFirst) ?? linksOf(findingsOf(next), facts.settings.threshold);
  const { hand } = record;
  const asked: MergeAsked = {
    position,
    facts,
    links,
    cut: cutOf(next),
    demanded: record.links !== undefined,
    manual,
    ...(manual && hand && { hand }),
  };
  const decision = decide(state, asked);
  if (carriesSomething(decision, facts)) execute(state, decision, facts, effects);
  else rebind(state, remember(state, facts), facts);
  succeed(state, facts);
  if (asked.demanded) effects.receipt(position, answer(decision));
};

const isRequestedSplit = (next: Ready): next is RequestedSplit =>
  next.facts.apart !== undefined && next.facts.hand !== undefined;

const decideNext = (state: MergeState, next: Ready, effects: Effects): void => {
  if (isRequestedSplit(next)) splitNext(state, next, effects, execute);
  else relateNext(state, next, effects);
};

const FORGOTTEN: Receipt = { ok: true, outcome: 'changed', id: null, count: 0, correlationId: null };

/** Everything before it is decided; later records of the tenant have no past to be decided on, and are dropped too. */
const forgetAll = (state: MergeState, { tenant, position }: QueuedArrival<StoredGroup>, effects: Effects): void => {
  forgetTenant(state, tenant);
  dropQueued(state.arrivals, tenant);
  effects.receipt(position, FORGOTTEN);
};

const isArrival = (next: QueuedArrival<StoredGroup>): next is Ready => next.facts !== null;

/** Decides at most `most` arrivals; false when no other can be decided now. */
const decideReady = (state: MergeState, effects: Effects, { most, failed }: BacklogWork): boolean => {
  for (let left = most; left > 0; left -= 1) {
    const next = takeNext(state.arrivals);
    if (next === null) return false;
    state.arrivals.decided = next.position;
    try {
      if (isArrival(next)) decideNext(state, next, effects);
      else forgetAll(state, next, effects);
    } catch (error) {
      failed({ tenant: next.tenant, position: next.position, value: next.facts }, error);
    }
  }
  return true;
};

/** One missing strategy blocks all decisions. */
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
  forgetEnded(state.lasting, state.arrivals.decided);
  state.newest = null;
};

/** Groups that may still grow by their time: those of a silent tenant stay in memory until its next arrival. */
const growing = (tenants: Iterable<TenantGroups>, before: number): number => {
  let count = 0;
  for (const { open } of tenants) for (const { last } of open.values()) if (last >= before) count += 1;
  return count;
};

/** `mostUndecided`: waiting arrivals from which no more are read into memory. */
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
      else takeTransition(state, entry, value, found);
    },
    proceed: decideReady,
    settle,
    settled: ({ arrivals }) => (firstQueued(arrivals)?.position ?? Number.POSITIVE_INFINITY) - 1,
    backlog: backlogOf(mostUndecided),
    sizes: ({ tenants, recent, arrivals, dropped }, now) => ({
      open_groups: growing(tenants.values(), now - MAX_WINDOW_MS),
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
