import type { Event, Seen } from '#domain/event/event.ts';
import { binOf, isForgotten, unitedSeen } from '#domain/event/seen.ts';
import { sourceIdsOf } from '#domain/event/union.ts';
import { NumberMap } from '#domain/number-map.ts';
import type { OpenEvent, Recovery } from '#domain/ports/processor.ts';
import { dropSource, indexSource, keyOf, type SourceIndex } from './dedup-sources.ts';

/** An occurrence that is older than a recovery received in this time is saved as resolved (rulings §1). */
export const RECOVERY_MS = 60 * 60_000;
/** Bounds per tenant; beyond them the oldest entries go before their time. */
const MAX_SEEN = 300_000;
const MAX_RECOVERIES = 100_000;
/** Entries looked at per new one, so that what is out of date leaves faster than anything can arrive. */
const SWEPT = 4;

/** Removes what is out of date, a few entries at a time, round and round. */
const openSweep = <V>(map: Map<string, V>, limit: number) => {
  let rest = map.entries();
  return (isDead: (value: V) => boolean): void => {
    for (let i = 0; i < SWEPT; i++) {
      const next = rest.next();
      if (next.done) {
        rest = map.entries();
        return;
      }
      if (map.size > limit || isDead(next.value[1])) map.delete(next.value[0]);
    }
  };
};

/** Where the open events of one tenant are found: ids only, the events themselves are loaded per batch. */
export interface Rows {
  /** By `keyOf` the identity. */
  readonly byIdentity: NumberMap<string>;
  readonly byCondition: Map<string, string>;
  readonly bySource: SourceIndex;
  readonly recoveries: Map<string, Recovery>;
  readonly seen: Map<string, Seen>;
  readonly sweepRecoveries: (isDead: (recovery: Recovery) => boolean) => void;
  readonly sweepSeen: (isDead: (seen: Seen) => boolean) => void;
  /** Highest event time seen, ms. */
  watermark: number;
  open: number;
}

export const openRows = (): Rows => {
  const recoveries = new Map<string, Recovery>();
  const seen = new Map<string, Seen>();
  return {
    byIdentity: new NumberMap(),
    byCondition: new Map(),
    bySource: new NumberMap(),
    recoveries,
    seen,
    sweepRecoveries: openSweep(recoveries, MAX_RECOVERIES),
    sweepSeen: openSweep(seen, MAX_SEEN),
    watermark: 0,
    open: 0,
  };
};

const isOpen = (event: Event | null): event is Event => event !== null && event.status !== 'resolved';

/** What an open event is found by. */
type Indexed = Omit<OpenEvent, 'tenant' | 'createdPosition' | 'position'>;

const enter = (rows: Rows, event: Indexed): void => {
  rows.open += 1;
  rows.byIdentity.set(keyOf(event.identity), event.id);
  for (const { id } of event.conditions) rows.byCondition.set(id, event.id);
  if (event.conditions.length === 0) for (const id of sourceIdsOf(event)) indexSource(rows.bySource, event, id);
};

const leave = (rows: Rows, event: Event): void => {
  rows.open -= 1;
  const identity = keyOf(event.identity);
  if (rows.byIdentity.get(identity) === event.id) rows.byIdentity.delete(identity);
  for (const { id } of event.conditions) if (rows.byCondition.get(id) === event.id) rows.byCondition.delete(id);
  if (event.conditions.length === 0) for (const id of sourceIdsOf(event)) dropSource(rows.bySource, event, id);
};

/** An occurrence adds at most one condition and one sourceId, so no more than those are looked at. */
const stay = (rows: Rows, before: Event, after: Event): void => {
  if (before.conditions !== after.conditions) {
    leave(rows, before);
    enter(rows, after);
  } else if (after.conditions.length === 0) {
    const ids = sourceIdsOf(after);
    const oldest = sourceIdsOf(before)[1];
    if (oldest !== undefined && !ids.includes(oldest)) dropSource(rows.bySource, before, oldest);
    indexSource(rows.bySource, after, ids[ids.length - 1] ?? after.sourceId);
  }
};

/** Keeps the index true to an event that was `before` and is `after`. */
export const reindex = (rows: Rows, before: Event | null, after: Event): void => {
  if (isOpen(before) && isOpen(after)) stay(rows, before, after);
  else if (isOpen(before)) leave(rows, before);
  else if (isOpen(after)) enter(rows, after);
};

/** Whether no higher `order` was given for the key before. */
const openNewest = () => {
  const highest = new NumberMap<number>();
  return (key: number, order: number): boolean => {
    if ((highest.get(key) ?? 0) > order) return false;
    highest.set(key, order);
    return true;
  };
};

/**
 * For refilling with the events that were open when they were stored, in any order: of two with one identity the one made last
 * is found by it, of two with one condition the one changed last.
 */
export const openRefill = (rows: Rows): ((event: OpenEvent) => void) => {
  const [isMadeLast, holdsLast] = [openNewest(), openNewest()];
  return (event) => {
    const { id, identity, conditions, position, createdPosition } = event;
    rows.open += 1;
    const made = keyOf(identity);
    if (isMadeLast(made, createdPosition)) rows.byIdentity.set(made, id);
    for (const held of conditions) if (holdsLast(keyOf(held.id), position)) rows.byCondition.set(held.id, id);
    if (conditions.length === 0) for (const sourceId of sourceIdsOf(event)) indexSource(rows.bySource, event, sourceId);
  };
};

/** What is remembered of an identity; null when it is too long ago to count. */
export const seenOf = (rows: Rows, identity: string): Seen | null => {
  const seen = rows.seen.get(identity);
  return seen === undefined || isForgotten(seen, binOf(rows.watermark)) ? null : seen;
};

export const rememberSeen = (rows: Rows, identity: string, seen: Seen): void => {
  rows.seen.set(identity, seen);
  const bin = binOf(rows.watermark);
  rows.sweepSeen((other) => isForgotten(other, bin));
};

/** For refilling: several events may know of one identity. */
export const refillSeen = (rows: Rows, identity: string, seen: Seen): void => {
  if (isForgotten(seen, binOf(rows.watermark))) return;
  const known = rows.seen.get(identity);
  rows.seen.set(identity, known === undefined ? seen : unitedSeen(known, seen));
};

const isPast = (recovery: Recovery, now: number): boolean => now - recovery.receivedAt > RECOVERY_MS;

/** The latest recovery of a condition that was received in the last 60 min. */
export const recoveryOf = (rows: Rows, conditionId: string, now: number): Recovery | null => {
  const recovery = rows.recoveries.get(conditionId);
  return recovery === undefined || isPast(recovery, now) ? null : recovery;
};

export const rememberRecovery = (rows: Rows, recovery: Recovery): void => {
  rows.recoveries.set(recovery.conditionId, recovery);
  rows.sweepRecoveries((other) => isPast(other, recovery.receivedAt));
};
