import { isOn } from '#domain/correlation/grouping/group-state.ts';
import { type Condition, type Event, eventIdOf, type Recency } from '#domain/event/event.ts';
import { isChange } from '#domain/event/identity/problem-kind.ts';
import type { Again, Incoming, Receipt, Saved, SavedEvent } from '#domain/event/incoming.ts';
import { SEEN_BIN_MS, SEEN_BINS } from '#domain/event/lifecycle/accumulated.ts';
import { believable, type Change, type Stamp } from '#domain/event/lifecycle/change.ts';
import { changedSaid, changedTally } from '#domain/event/lifecycle/occurrence.ts';
import type { Effects, Entry, EventPart, FoundEvents, OpenEvent, Restorable } from '#domain/pipeline/processor.ts';
import { eventsSaved } from '#schemas/topics/topics.ts';
import {
  alikeOf,
  openRefill,
  openRows,
  RECOVERY_MS,
  type Rows,
  recoveryOf,
  refillSeen,
  reindex,
  rememberSeen,
} from './dedup-rows.ts';

/** Further occurrences of an event within a batch, shown as one when the batch ends. */
type Repeats = Map<string, { readonly event: Event; readonly receivedAt: number }>;

/** One record passing dedup. */
export interface Work {
  readonly tenant: string;
  readonly entry: Entry<Incoming>;
  readonly rows: Rows;
  readonly repeats: Repeats;
  readonly found: FoundEvents;
  readonly effects: Effects;
}

const PARTS: Readonly<Record<SavedEvent['happened'], EventPart>> = {
  created: 'created',
  repeated: 'tally',
  changed: 'state',
  assigned: 'assigned',
  related: 'state',
  bound: 'state',
};

/** The entry shows the event with all repeats so far, so they need no entry of their own any more. */
const emit = ({ tenant, entry, repeats, effects }: Work, saved: Omit<SavedEvent, 'receivedAt'>): void => {
  repeats.delete(saved.event.id);
  const value: Saved = { ...saved, receivedAt: entry.value.receivedAt };
  effects.emit(eventsSaved, { tenant, position: entry.position, value });
};

/**
 * An event that is active again arrives once more: events held back beside it have arrived since. A change is a moment,
 * and does not.
 */
const turned = (before: Event, after: Event): Pick<SavedEvent, 'previousStatus' | 'again'> => {
  if (before.status === after.status) return {};
  const isOpened = !isOn(before.status) && isOn(after.status) && !isChange(after);
  return { previousStatus: before.status, ...(isOpened && { again: 'opened' }) };
};

/** Saves and publishes the changes; nothing when `after` is `before`, unless more is passed on. */
export const save = (
  work: Work,
  before: Event,
  after: Event,
  happened: SavedEvent['happened'] = 'changed',
  more?: Pick<SavedEvent, 'links' | 'manual' | 'apart' | 'hand' | 'left'>,
  isUndone = false,
): void => {
  if (after === before && more === undefined) return;
  if (after !== before) {
    reindex(work.rows, before, after);
    work.effects.saveEvent(after, PARTS[happened]);
    if (changedTally(before, after)) work.effects.saveEvent(after, 'tally');
    if (changedSaid(before, after)) work.effects.saveEvent(after, 'said');
  }
  const { again, ...turn } = turned(before, after);
  // An event in no group stands where it stood before: an undo is no arrival.
  const isQuiet = isUndone && after.correlationId === null;
  emit(work, { happened, event: after, ...turn, ...(again !== undefined && !isQuiet && { again }), ...more });
};

/** `known`: the earlier state in memory. */
const remember = ({ rows }: Work, event: Event, known: Recency | null): void => {
  rows.watermark = Math.max(rows.watermark, event.lastOccurrence);
  if (event.seen !== known) rememberSeen(rows, event.identity, event.seen);
};

export const saveCreated = (work: Work, event: Event, seen: Recency | null): void => {
  reindex(work.rows, null, event);
  remember(work, event, seen);
  work.rows.newest = Math.max(work.rows.newest, event.timestamp);
  work.effects.saveEvent(event, 'created');
  emit(work, { happened: 'created', event, ...(event.supersedes !== undefined && { again: 'supersedes' }) });
};

/** Changes that a further occurrence makes to an event, beside its count. */
export interface Repeated {
  /** Published at once; the others wait for the end of the batch. */
  readonly told: { readonly happened: 'changed' | 'bound'; readonly again?: Again } | null;
  readonly seen: Recency | null;
}

/** A repeat waits for the end of the batch; one with more changes than every repeat is published at once. */
export const saveRepeated = (work: Work, before: Event, after: Event, { told, seen }: Repeated): void => {
  reindex(work.rows, before, after);
  remember(work, after, seen);
  work.effects.saveEvent(after, 'tally');
  if (changedSaid(before, after)) work.effects.saveEvent(after, 'said');
  if (told !== null) {
    work.effects.saveEvent(after, 'state');
    const how = told.again === 'returned' ? told : { ...told, ...turned(before, after) };
    emit(work, { ...turned(before, after), ...how, event: after });
  } else work.repeats.set(after.id, { event: after, receivedAt: work.entry.value.receivedAt });
};

/** The receipt of the record that made this change. */
export const answer = ({ event, outcome }: Change): Extract<Receipt, { ok: true }> => ({
  ok: true,
  outcome,
  id: event.id,
  count: event.count,
  correlationId: event.correlationId,
});
export const eventOf = ({ found, tenant }: Work, id: string | undefined): Event | undefined =>
  id === undefined ? undefined : found.event(tenant, id);

/**
 * Returns another open event that waits for the same conditions; without any, one with its identity
 * (docs/specification.md §4).
 */
const rivalOf = ({ rows }: Work, event: Event): string | undefined => {
  const declared = event.conditions.filter(({ plain }) => !plain);
  if (declared.length === 0) return alikeOf(rows, event.identity, 1)[0];
  const held = declared.map(({ id }) => rows.byCondition.get(id));
  return held.every((id) => id !== undefined) ? held[0] : undefined;
};

/** Leaving resolved is refused while another open event is about the same. */
export const conflict = (work: Work, event: Event): Receipt | null => {
  const other = event.status === 'resolved' ? rivalOf(work, event) : undefined;
  if (other === undefined) return null;
  const conflictingEventId = eventIdOf(other);
  const message = `Event ${conflictingEventId} is open for the same problem. Update that event instead`;
  return { ok: false, fault: 'conflict', message, data: { conflictingEventId } };
};

/** True if a condition of the event still lasts: its monitor did not end it meanwhile, and no other event holds it. */
export const lasts = (
  { rows }: Work,
  event: Event,
  { id, last = event.lastOccurrence }: Condition,
  now: number,
): boolean => {
  const holder = rows.byCondition.get(id) ?? event.id;
  return holder === event.id && (recoveryOf(rows, id, now)?.at ?? Number.NEGATIVE_INFINITY) < last;
};

/** A resolved event waits for its conditions again. */
export const waitingAgain = (work: Work, event: Event, { receivedAt }: Stamp): Event => {
  if (event.status !== 'resolved') return event;
  const conditions = event.conditions.filter((condition) => lasts(work, event, condition, receivedAt));
  return conditions.length === event.conditions.length ? event : { ...event, conditions };
};

/** Saves a change and answers it. */
export const changed = (work: Work, before: Event, change: Change): Receipt => {
  save(work, before, change.event);
  return answer(change);
};

export interface DedupState {
  readonly tenants: Map<string, Rows>;
  readonly repeats: Repeats;
  /** Position of the last processed record. */
  through: number;
}

/** Times of a clock that was ahead count no more. `receivedAt`: of an occurrence or its end, ms. */
export const rewind = (rows: Rows, receivedAt: number): void => {
  rows.watermark = believable(rows.watermark, receivedAt);
  rows.newest = believable(rows.newest, receivedAt);
};

export const rowsOf = (state: DedupState, tenant: string): Rows => {
  const known = state.tenants.get(tenant);
  if (known !== undefined) return known;
  const rows = openRows();
  state.tenants.set(tenant, rows);
  return rows;
};

/** Drops the whole memory of a tenant, and its unpublished changes. */
export const forgetTenant = ({ tenants, repeats }: DedupState, tenant: string): void => {
  tenants.delete(tenant);
  for (const [id, { event }] of repeats) if (event.tenant === tenant) repeats.delete(id);
};

/**
 * Events that occurred since then may still be relevant: a late occurrence is four hours behind the memory, which
 * extends four hours back.
 */
const SEEN_MS = (2 * SEEN_BINS + 1) * SEEN_BIN_MS;

const restoreOpen = async (state: DedupState, from: Restorable): Promise<void> => {
  const refills = new Map<string, (event: OpenEvent) => void>();
  for await (const piece of from.openEvents())
    for (const event of piece) {
      let refill = refills.get(event.tenant);
      if (refill === undefined) {
        refill = openRefill(rowsOf(state, event.tenant));
        refills.set(event.tenant, refill);
      }
      refill(event);
    }
};

/** Refills the memory after a start. */
export const restore = async (state: DedupState, from: Restorable, now: number): Promise<void> => {
  for await (const { tenant, last, newest } of from.watermarks()) {
    const rows = rowsOf(state, tenant);
    rows.watermark = last;
    rows.newest = newest;
  }
  await restoreOpen(state, from);
  for await (const recovery of from.recoveries(now - RECOVERY_MS)) {
    rowsOf(state, recovery.tenant).recoveries.set(recovery.conditionId, recovery);
  }
  for await (const piece of from.seen(SEEN_MS))
    for (const { tenant, identity, seen } of piece) refillSeen(rowsOf(state, tenant), identity, seen);
};
