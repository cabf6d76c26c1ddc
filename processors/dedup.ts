import { changedByPerson, correlatedByPerson } from '#domain/access/trail.ts';
import { memberLeft } from '#domain/correlation/grouping/member-left.ts';
import { eventIdOf } from '#domain/event/event.ts';
import type { Ask, EventReference, Incoming, Receipt, Saved } from '#domain/event/incoming.ts';
import { analyse, assign, bind, type Stamp, withNote } from '#domain/event/lifecycle/change.ts';
import { endSilent } from '#domain/event/lifecycle/ending.ts';
import { expire, setStatus } from '#domain/event/lifecycle/status.ts';
import { liftSuppression } from '#domain/event/lifecycle/suppression.ts';
import type { Effects, Entry, EventKey, Fold, Reads } from '#domain/pipeline/processor.ts';
import { eventsIncoming, eventsSaved } from '#schemas/topics/topics.ts';
import { assignEvent } from './assign-event.ts';
import { groupSet, groupUndone } from './dedup-groups.ts';
import { byMonitor, recovered } from './dedup-monitors.ts';
import { namedBy, occurred } from './dedup-occurrences.ts';
import { eventsFromSource, type Rows } from './dedup-rows.ts';
import {
  answer,
  changed,
  conflict,
  type DedupState,
  eventOf,
  forgetTenant,
  restore,
  rewind,
  rowsOf,
  save,
  type Work,
  waitingAgain,
} from './dedup-work.ts';
import { fold } from './fold.ts';

/** Changes of an event that the record names by its id. */
type AskOf<K extends Ask['kind']> = Extract<Ask, { readonly kind: K }>;

const notFound = (id: string): Receipt => ({
  ok: false,
  fault: 'not-found',
  message: `Event ${eventIdOf(id)} was not found`,
});

const statusSet = (
  work: Work,
  { eventId, status, by, notes, category, until, trail, ...assignment }: AskOf<'status-set'>,
  stamp: Stamp,
): Receipt => {
  const event = eventOf(work, eventId);
  if (!event) return notFound(eventId);
  const refused = status === 'resolved' ? null : conflict(work, event);
  const move = { to: status, at: stamp.receivedAt, by, notes, category, until };
  if (refused !== null) return refused;
  const known = status === 'resolved' ? event : waitingAgain(work, event, stamp);
  const change = assignEvent(setStatus(known, move, stamp), { ...assignment, by }, stamp);
  const receipt = changed(work, event, change);
  if (trail && change.event !== event)
    work.effects.saveRecord(changedByPerson({ event, by, trail, at: stamp.receivedAt }, change.event, notes));
  return receipt;
};

/** Adds a note to the event, in any status. */
const noted = (work: Work, { eventId, by, text, trail }: AskOf<'noted'>, stamp: Stamp): Receipt => {
  const event = eventOf(work, eventId);
  if (!event) return notFound(eventId);
  const after = withNote(event, { by, notes: text }, stamp);
  if (trail) work.effects.saveRecord(changedByPerson({ event, by, trail, at: stamp.receivedAt }, after, text));
  return changed(work, event, { event: after, outcome: 'changed' });
};

/** No caller waits for an assignment, and it may carry the position of an answered arrival. */
const assigned = (work: Work, { eventId, correlationId, moves, leaves }: AskOf<'assigned'>, stamp: Stamp): null => {
  const event = eventOf(work, eventId);
  if (!event) return null;
  const change = leaves ? assign(event, null, stamp, true) : assign(event, correlationId, stamp, moves);
  const { tenant, correlationId: left } = event;
  const moved = leaves || left === null || change.event === event ? undefined : { left };
  if (moved)
    work.effects.saveRecord(memberLeft(tenant, moved.left, { eventId, at: stamp.receivedAt, to: correlationId }));
  save(work, event, change.event, 'assigned', moved);
  return null;
};

/** Merge answers when the links are decided; here only unknown events are refused. */
const related = (
  work: Work,
  { eventId, links, manual, by, notes, trail, apart }: AskOf<'related'>,
  stamp: Stamp,
): Receipt | null => {
  const event = eventOf(work, eventId);
  if (!event) return notFound(eventId);
  const after = notes ? withNote(event, { by, notes }, stamp) : event;
  const hand = by && trail && { by, at: stamp.receivedAt, trail };
  save(work, event, after, 'related', { links, manual, ...(hand && { hand }), ...(apart && { apart }) });
  // Merge writes the audit entry of a split, since only merge knows whether it was made.
  if (trail && by && !apart)
    work.effects.saveRecord(correlatedByPerson({ event, by, trail, at: stamp.receivedAt }, links, notes));
  return null;
};

const bound = (work: Work, { eventId, ci, businessImpact }: AskOf<'bound'>, stamp: Stamp): Receipt => {
  const event = eventOf(work, eventId);
  if (!event) return notFound(eventId);
  const change = bind(event, ci, stamp, businessImpact);
  save(work, event, change.event, 'bound');
  return answer(change);
};

/** Changes nothing of the event; one that is over, or without a CI, has no use for surroundings. */
const rewired = (work: Work, { eventId }: AskOf<'rewired'>): Receipt => {
  const event = eventOf(work, eventId);
  if (!event) return notFound(eventId);
  if (event.ci === null || event.status === 'resolved') return answer({ event, outcome: 'ignored' });
  save(work, event, event, 'bound', {});
  return answer({ event, outcome: 'changed' });
};

const analysed = (work: Work, { eventId, analysis }: AskOf<'analysed'>, stamp: Stamp): Receipt => {
  const event = eventOf(work, eventId);
  return event ? changed(work, event, analyse(event, analysis, stamp)) : notFound(eventId);
};

const expired = (work: Work, { eventId, silence }: AskOf<'expired'>, stamp: Stamp): Receipt => {
  const event = eventOf(work, eventId);
  if (!event) return notFound(eventId);
  return changed(work, event, silence === undefined ? expire(event, stamp) : endSilent(event, silence, stamp));
};

const endSuppression = (work: Work, { eventId, by, next }: AskOf<'unsilenced'>, stamp: Stamp): Receipt => {
  const event = eventOf(work, eventId);
  return event ? changed(work, event, liftSuppression(event, by, next, stamp)) : notFound(eventId);
};

/**
 * Returns ids of the events that a record may touch, by the current index; an event made within the batch is found
 * there.
 */
const named = (rows: Rows | undefined, ask: Ask): readonly (string | undefined)[] => {
  if ('eventId' in ask) return [ask.eventId];
  if (ask.kind === 'operated') return ask.eventIds;
  if (ask.kind === 'undone') return ask.events.map(({ id }) => id);
  if (ask.kind === 'forgotten') return [];
  if (ask.kind === 'occurred') return namedBy(rows, ask.occurrence);
  if ('occurrence' in ask && ask.occurrence !== undefined)
    return [...reference(rows, ask), ...namedBy(rows, ask.occurrence)];
  return reference(rows, ask);
};

const reference = (rows: Rows | undefined, ask: EventReference): readonly (string | undefined)[] => {
  if (ask.conditionId !== null) return [rows?.byCondition.get(ask.conditionId)];
  return rows === undefined ? [] : eventsFromSource(rows, ask.source, ask.sourceId);
};

const reads = (state: DedupState, batch: readonly Entry<Incoming>[]): Reads => {
  const events: EventKey[] = [];
  const deliveries: EventKey[] = [];
  const asked = new Map<string, string>();
  for (const { tenant, value } of batch) {
    if (value.deliveryId !== undefined) deliveries.push({ tenant, id: value.deliveryId });
    for (const id of named(state.tenants.get(tenant), value.ask)) {
      if (id === undefined || asked.get(id) === tenant) continue;
      asked.set(id, tenant);
      events.push({ tenant, id });
    }
  }
  return { events, deliveries };
};

/** Returns null when no caller waits for an answer, or another processor answers. */
const take = (work: Work, ask: Exclude<Ask, { kind: 'forgotten' }>, stamp: Stamp): Receipt | null => {
  switch (ask.kind) {
    case 'occurred':
      return occurred(work, ask.occurrence, stamp);
    case 'recovered':
      return recovered(work, ask, stamp);
    case 'acknowledged':
    case 'unacknowledged':
    case 'suppressed':
    case 'unsuppressed':
      return byMonitor(work, ask, stamp);
    case 'status-set':
      return statusSet(work, ask, stamp);
    case 'operated':
      return groupSet(work, ask, stamp);
    case 'undone':
      return groupUndone(work, ask, stamp);
    case 'noted':
      return noted(work, ask, stamp);
    case 'assigned':
      return assigned(work, ask, stamp);
    case 'related':
      return related(work, ask, stamp);
    case 'bound':
      return bound(work, ask, stamp);
    case 'rewired':
      return rewired(work, ask);
    case 'analysed':
      return analysed(work, ask, stamp);
    case 'expired':
      return expired(work, ask, stamp);
    case 'unsilenced':
      return endSuppression(work, ask, stamp);
  }
};

/** The last record of a deleted tenant. Merge answers it. */
const forget = (state: DedupState, { tenant, position, value }: Entry<Incoming>, effects: Effects): void => {
  forgetTenant(state, tenant);
  effects.forget(tenant);
  const saved: Saved = { happened: 'forgotten', receivedAt: value.receivedAt };
  effects.emit(eventsSaved, { tenant, position, value: saved });
};

const sum = (state: DedupState, size: (rows: Rows) => number): number => {
  let total = 0;
  for (const rows of state.tenants.values()) total += size(rows);
  return total;
};

/** Owns events: deduplicates occurrences of one problem into one event, and makes every other change of an event. */
export const dedup: Fold<DedupState, Incoming> = fold({
  name: 'dedup',
  input: eventsIncoming,
  open: () => ({ tenants: new Map(), repeats: new Map(), through: 0 }),
  reads,
  step(state, entry, found, effects) {
    const { tenant, position, value } = entry;
    const { ask, receivedAt, deliveryId } = value;
    state.through = Math.max(state.through, position);
    if (ask.kind === 'forgotten') return forget(state, entry, effects);
    const known = deliveryId === undefined ? undefined : found.delivery(tenant, deliveryId);
    if (known !== undefined) return effects.receipt(position, known.receipt);
    const work = { tenant, entry, rows: rowsOf(state, tenant), repeats: state.repeats, found, effects };
    if (ask.kind === 'occurred' || ask.kind === 'recovered') rewind(work.rows, receivedAt);
    const receipt = take(work, ask, { position, receivedAt });
    if (receipt === null) return;
    effects.receipt(position, receipt);
    if (deliveryId !== undefined && receipt.ok) {
      effects.saveDelivery({ tenant, id: deliveryId, receipt, position, at: receivedAt });
    }
  },
  settle(state, effects) {
    for (const { event, receivedAt } of state.repeats.values()) {
      const value = { happened: 'repeated', event, receivedAt };
      effects.emit(eventsSaved, { tenant: event.tenant, position: state.through, value });
    }
    state.repeats.clear();
  },
  restore,
  sizes: (state) => ({
    open_events: sum(state, (rows) => rows.open),
    seen_identities: sum(state, (rows) => rows.seen.size),
    recent_recoveries: sum(state, (rows) => rows.recoveries.size),
  }),
});
