import type { Ask, Incoming, Receipt, Saved } from '#domain/event/incoming.ts';
import type { Stamp } from '#domain/event/life/change.ts';
import type { Effects, Entry, EventKey, Fold, Reads } from '#domain/pipeline/processor.ts';
import { eventsIncoming, eventsSaved } from '#schemas/topics/topics.ts';
import { analysed, assigned, bound, expired, noted, related, rewired, statusSet, unsilenced } from './dedup-changes.ts';
import { byMonitor, recovered } from './dedup-monitors.ts';
import { namedBy, occurred } from './dedup-occurrences.ts';
import type { Rows } from './dedup-rows.ts';
import { fedBy } from './dedup-sources.ts';
import { type DedupState, forgetTenant, restore, rowsOf, type Work } from './dedup-work.ts';
import { fold } from './fold.ts';

/** Ids of the events that a record may touch, as the index stands; an event made within the batch is found there. */
const named = (rows: Rows | undefined, ask: Ask): readonly (string | undefined)[] => {
  if ('eventId' in ask) return [ask.eventId];
  if (ask.kind === 'forgotten') return [];
  if (ask.kind === 'occurred') return namedBy(rows, ask.occurrence);
  if (ask.conditionId !== null) return [rows?.byCondition.get(ask.conditionId)];
  return rows === undefined ? [] : fedBy(rows.bySource, ask.source, ask.sourceId);
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

/** Null when nobody waits for an answer, or another processor gives it. */
const take = (work: Work, ask: Exclude<Ask, { kind: 'forgotten' }>, stamp: Stamp): Receipt | null => {
  switch (ask.kind) {
    case 'occurred':
      return occurred(work, ask, stamp);
    case 'recovered':
      return recovered(work, ask, stamp);
    case 'acknowledged':
    case 'suppressed':
    case 'unsuppressed':
      return byMonitor(work, ask, stamp);
    case 'status-set':
      return statusSet(work, ask, stamp);
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
      return unsilenced(work, ask, stamp);
  }
};

/** The last word of a tenant that is deleted. Merge answers it. */
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

/** Owns events: folds occurrences of one complaint into one event, and makes every other change of an event. */
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
