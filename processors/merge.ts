import { apply, rebind } from '#domain/correlation/apply.ts';
import { type Causes, openCauses } from '#domain/correlation/causes.ts';
import { type Asked, carriesSomething, decide } from '#domain/correlation/decide.ts';
import {
  forget,
  forgetTenant,
  type GroupMemory,
  memberOf,
  openMemory,
  remember,
  reopen,
  revive,
} from '#domain/correlation/group-memory.ts';
import { type Facts, type Member, recordOf, type TenantGroups } from '#domain/correlation/groups.ts';
import { bestFirst, linksOf } from '#domain/correlation/links.ts';
import type { Arrival, CorrelationInput, Decision, Group, Turn } from '#domain/correlation/records.ts';
import { MOST_WINDOW_MS } from '#domain/correlation/settings.ts';
import { noteTouch, settleTouched, type Touched } from '#domain/correlation/touched.ts';
import { withTurn } from '#domain/correlation/turns.ts';
import {
  asFacts,
  cutOf,
  dropUndecided,
  findingsOf,
  firstUndecided,
  leaveRest,
  MOST_UNDECIDED,
  openWaiting,
  pass,
  takeNext,
  takeRest,
  type Undecided,
  undecidedAt,
  undecidedCount,
  type Waiting,
  waitsAlready,
} from '#domain/correlation/undecided.ts';
import type { Incoming, Receipt } from '#domain/event/incoming.ts';
import type {
  Backlog,
  Effects,
  EnrichedKey,
  Entry,
  EventKey,
  Found,
  Reads,
  Restorable,
  StoredGroup,
  Work,
} from '#domain/ports/processor.ts';
import { correlationChanges, correlationHits, eventsIncoming } from '#schemas/topics/topics.ts';
import { fold } from './fold.ts';

type FactsRecord = Extract<CorrelationInput, { kind: 'facts' }>;
type HitsRecord = Extract<CorrelationInput, { kind: 'hits' }>;
type Ready = Undecided<StoredGroup> & { readonly facts: FactsRecord };

export interface MergeState extends GroupMemory {
  readonly waiting: Waiting<StoredGroup>;
  readonly touched: Touched;
  /** Newest arrival of the batch; what no window reaches from it is forgotten. */
  newest: Facts | null;
  /** Links left out since the start because nothing is stored of the partner. */
  dropped: number;
}

/** An event that may be older than memory: its group must be looked up. One that takes another's place is new itself. */
const hasPast = ({ arrival, links }: FactsRecord): boolean =>
  (arrival.rebound && arrival.supersedes === undefined) || links !== undefined;

/** Since when a closed group is no more the event's, by position. */
const returnedAt = ({ again, position }: Arrival): number | undefined => (again === 'returned' ? position : undefined);

/** Names what memory lacks: partners of hits and links, and for links set by hand the closed groups they may extend. */
const namedBy = ({ arrival, links }: FactsRecord): readonly string[] => {
  const linked = links === undefined ? [] : links.map(({ other }) => other);
  return arrival.supersedes === undefined ? linked : [...linked, arrival.supersedes];
};

const reads = (state: MergeState, batch: readonly Entry<CorrelationInput>[]): Reads => {
  const missing = new Map<string, EnrichedKey>();
  const groups = new Map<string, EventKey>();
  const arriving = new Set<string>();
  const need = (tenant: string, id: string, through: number, byHand: boolean): void => {
    const member = memberOf(state, tenant, id);
    // The first that names it has the lowest position, and decides what it is remembered as.
    if (!member && !arriving.has(id) && !missing.has(id)) missing.set(id, { tenant, id, through });
    if (byHand && member?.group?.status !== 'open') groups.set(id, { tenant, id });
  };
  for (const { tenant, position, value } of batch) {
    if (value.kind === 'hits') for (const { other } of value.hits) need(tenant, other, position, false);
    if (value.kind !== 'facts') continue;
    const byHand = value.manual === true;
    if (hasPast(value)) need(tenant, value.arrival.eventId, position - 1, byHand);
    else arriving.add(value.arrival.eventId);
    for (const other of namedBy(value)) need(tenant, other, position, byHand);
  }
  const keys = [...missing.values()];
  return { enriched: keys, joined: keys, turns: keys, groupsOf: [...groups.values()] };
};

/** The event's member object, read from the store as it stood at the position when memory has none. */
const recall = (state: MergeState, found: Found, tenant: string, id: string, through: number): Member | undefined => {
  const known = memberOf(state, tenant, id);
  if (known) return known;
  const stored = found.enriched(tenant, id, through);
  if (!stored) return undefined;
  const { arrival, upstream, settings } = stored;
  const facts = { arrival, upstream, settings, turns: found.turns(tenant, id) };
  return remember(state, facts, found.joined(tenant, id, returnedAt(arrival)));
};

const pin = (undecided: Undecided<StoredGroup>, member: Member): void => {
  member.pins += 1;
  undecided.pinned.push(member);
};

const takeFacts = (
  state: MergeState,
  { tenant, position }: Entry<unknown>,
  record: FactsRecord,
  found: Found,
): void => {
  const facts = asFacts(record);
  const eventId = record.arrival.eventId;
  // What it was before, since arrivals that are decided first must not see what it has become.
  const past = hasPast(record) ? recall(state, found, tenant, eventId, position - 1) : undefined;
  const member = past ?? remember(state, facts);
  state.newest = facts;
  if (position <= state.waiting.decided) {
    // What comes again only refills memory.
    rebind(state, member, facts);
    return;
  }
  const undecided = undecidedAt(state.waiting, tenant, position);
  if (undecided.facts) return;
  undecided.facts = record;
  pin(undecided, member);
  for (const other of namedBy(record)) {
    const partner = recall(state, found, tenant, other, position);
    if (partner) pin(undecided, partner);
  }
  if (!record.manual) return;
  for (const id of [eventId, ...record.links!.map(({ other }) => other)]) {
    const stored = found.groupOf?.(tenant, id);
    if (stored) undecided.stored.push(stored);
  }
};

const takeHits = (state: MergeState, { tenant, position }: Entry<unknown>, record: HitsRecord, found: Found): void => {
  if (position <= state.waiting.decided) return;
  const undecided = undecidedAt(state.waiting, tenant, position);
  if (undecided.findings.has(record.strategy)) return;
  undecided.findings.set(record.strategy, record);
  for (const { other } of record.hits) {
    const partner = recall(state, found, tenant, other, position);
    if (partner) pin(undecided, partner);
    else state.dropped += 1;
  }
};

/** Kept with the event in the order of positions; what is not in memory is read with its turns when it is wanted. */
const takeTurn = (state: MergeState, { tenant, position }: Entry<unknown>, turn: Turn): void => {
  const member = memberOf(state, tenant, turn.eventId);
  if (member) member.turns = withTurn(member.turns, { ...turn, position });
};

const takeForgotten = ({ waiting }: MergeState, { tenant, position }: Entry<unknown>): void => {
  if (position > waiting.decided) undecidedAt(waiting, tenant, position).forgets = true;
};

const isClosed = ({ group }: Member): boolean => group?.status === 'closed';

/** One that was in a group before, or took over that of another event, may be told of a new one. */
const movesTo = (state: MergeState, { tenant }: Decision, eventId: string): boolean => {
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

/** Set by hand: nothing is written when one of the events is unknown. */
const unknownOf = (state: MergeState, { tenant, facts }: Ready): string[] =>
  (facts.links ?? []).map(({ other }) => other).filter((id) => !memberOf(state, tenant, id));

/** Opens the closed groups of what a person links, from memory or as stored. False when one cannot be had. */
const reopenGroups = (state: MergeState, { stored, pinned }: Ready): boolean => {
  for (const { group } of pinned) if (group?.status === 'closed' && 'members' in group) revive(state, group);
  if (pinned.some(isClosed))
    for (const { group, members } of stored)
      if (group.status === 'closed' && members.length > 0) reopen(state, group, members);
  return !pinned.some(isClosed);
};

const decideNext = (state: MergeState, next: Ready, effects: Effects): void => {
  const { facts: record, position } = next;
  const manual = record.manual === true;
  const unknown = manual ? unknownOf(state, next) : [];
  if (unknown.length > 0) {
    const message = `Events ${unknown.join(', ')} were not found`;
    effects.receipt(position, { ok: false, fault: 'not-found', message, data: { eventIds: unknown } });
    return;
  }
  if (manual && !reopenGroups(state, next)) {
    effects.receipt(position, { ok: false, fault: 'internal', message: 'The closed group could not be read' });
    return;
  }
  const facts = asFacts(record);
  const links = record.links?.toSorted(bestFirst) ?? linksOf(findingsOf(next), facts.settings.threshold);
  const asked: Asked = { position, facts, links, cut: cutOf(next), demanded: record.links !== undefined, manual };
  const decision = decide(state, asked);
  if (carriesSomething(decision, facts)) {
    effects.saveDecision(decision);
    for (const touch of apply(state, decision, facts)) noteTouch(state.touched, touch);
    assign(state, decision, facts.arrival.time, effects);
  } else rebind(state, remember(state, facts), facts);
  if (asked.demanded) effects.receipt(position, answer(decision));
};

const FORGOTTEN: Receipt = { ok: true, outcome: 'changed', id: null, count: 0, correlationId: null };

/** Everything before it is decided; what came of the tenant after it has no past to be decided on, and is dropped too. */
const forgetAll = (state: MergeState, { tenant, position }: Undecided<StoredGroup>, effects: Effects): void => {
  forgetTenant(state, tenant);
  dropUndecided(state.waiting, tenant);
  effects.receipt(position, FORGOTTEN);
};

const isArrival = (next: Undecided<StoredGroup>): next is Ready => next.facts !== null;

/** Decides at most `most` arrivals; false when no other can be decided now. */
const decideReady = (state: MergeState, effects: Effects, { most, failed }: Work): boolean => {
  for (let left = most; left > 0; left -= 1) {
    const next = takeNext(state.waiting);
    if (next === null) return false;
    state.waiting.decided = next.position;
    try {
      if (isArrival(next)) decideNext(state, next, effects);
      else forgetAll(state, next, effects);
    } catch (error) {
      failed({ tenant: next.tenant, position: next.position, value: next.facts }, error);
    }
  }
  return true;
};

/** One strategy that is away keeps all arrivals undecided. */
const backlogOf = (most: number): Backlog<MergeState> => ({
  isFull: ({ waiting }) => undecidedCount(waiting) >= most,
  isEmpty: ({ waiting }) => undecidedCount(waiting) === 0,
  wants: ({ waiting }, { position, value }) =>
    (value as CorrelationInput).kind === 'passed' || waitsAlready(waiting, position),
  leave: ({ waiting }) => leaveRest(waiting),
  return: ({ waiting }) => takeRest(waiting),
});

const settle = (state: MergeState, effects: Effects): void => {
  settleTouched(state.touched, (group, changes) => {
    effects.saveGroup(recordOf(group));
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

const keyOf = (tenant: string, id: string): string => `${tenant}\n${id}`;

/** Built when the group is touched: most groups that are open at a start never are, and theirs would take a tenth of memory. */
const UNKNOWN_CAUSES: Causes = { ...openCauses(), stale: true };

/** Rebuilds the open groups from their decisions; what is stored of them only says which are open and who is the candidate. */
const restore = async (state: MergeState, from: Restorable, now: number): Promise<void> => {
  const standing = new Map<string, Group>();
  for await (const group of from.openGroups())
    for (const id of [group.id, ...group.aliases]) standing.set(keyOf(group.tenant, id), group);
  for await (const { decision, facts, partners } of from.decisions(now)) {
    state.waiting.decided = Math.max(state.waiting.decided, decision.position);
    const { tenant, groupId } = decision;
    if (groupId === null || !standing.has(keyOf(tenant, groupId))) continue;
    for (const partner of partners) rebind(state, remember(state, partner), partner);
    // A member of which nothing is stored any more is missing from its group; better than not to start.
    const joined = decision.joined.filter((id) => id === decision.eventId || memberOf(state, tenant, id));
    for (const { group } of apply(state, { ...decision, joined, closed: [] }, facts)) group.causes = UNKNOWN_CAUSES;
  }
  for (const { tenant, id, candidate } of new Set(standing.values())) {
    const group = state.tenants.get(tenant)?.open.get(id);
    if (group) group.candidate = candidate;
  }
  forget(state, null);
};

/** `mostUndecided`: arrivals that wait before no more of them are taken into memory. */
export const mergeWith = (mostUndecided: number) =>
  fold<MergeState, CorrelationInput>({
    name: 'merge',
    input: correlationHits,
    open: () => ({ ...openMemory(), waiting: openWaiting(), touched: new Map(), newest: null, dropped: 0 }),
    restore,
    reads,
    step(state, entry, found) {
      const { value } = entry;
      if (value.kind === 'facts') takeFacts(state, entry, value, found);
      else if (value.kind === 'hits') takeHits(state, entry, value, found);
      else if (value.kind === 'passed') pass(state.waiting, value.strategy, value.through);
      else if (value.kind === 'forgotten') takeForgotten(state, entry);
      else takeTurn(state, entry, value);
    },
    proceed: decideReady,
    settle,
    settled: ({ waiting }) => (firstUndecided(waiting)?.position ?? Number.POSITIVE_INFINITY) - 1,
    backlog: backlogOf(mostUndecided),
    sizes: ({ tenants, recent, waiting, dropped }, now) => ({
      open_groups: growing(tenants.values(), now - MOST_WINDOW_MS),
      recent_facts: recent.size,
      undecided: undecidedCount(waiting),
      dropped_links: dropped,
    }),
  });

/**
 * Owns groups. Decides arrivals in the order of their positions, each when all strategies have passed it,
 * so that groups are a function of the order of arrivals and of nothing else.
 */
export const merge = mergeWith(MOST_UNDECIDED);
