import type { Condition, Event, Recency } from '#domain/event/event.ts';
import { binOf, isForgotten, sourceIdsOf, unitedSeen } from '#domain/event/lifecycle/accumulated.ts';
import { isAhead } from '#domain/event/lifecycle/change.ts';
import { NumberMap } from '#domain/number-map.ts';
import type { OpenEvent, Recovery } from '#domain/pipeline/processor.ts';

/** Open events by a key: the id of one, mostly; of several their ids in order, which is that of creation. */
type EventIndex = NumberMap<string | string[]>;

/**
 * Maximum of events that a message may be about, so that a sender with one sourceId for everything does not load all of
 * it into memory.
 */
export const MAX_FED = 100;

/**
 * 53 bits of a text (cyrb53, public domain): a number uses a quarter of the memory; the found event resolves
 * collisions.
 */
export const keyOf = (text: string): number => {
  let h1 = 0xdeadbeef;
  let h2 = 0x41c6ce57;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    h1 = Math.imul(h1 ^ code, 2654435761);
    h2 = Math.imul(h2 ^ code, 1597334677);
  }
  h1 = Math.imul(h1 ^ (h1 >>> 16), 2246822507) ^ Math.imul(h2 ^ (h2 >>> 13), 3266489909);
  h2 = Math.imul(h2 ^ (h2 >>> 16), 2246822507) ^ Math.imul(h1 ^ (h1 >>> 13), 3266489909);
  return 4294967296 * (2097151 & h2) + (h1 >>> 0);
};

const sourceKey = (source: string, sourceId: string): number => keyOf(`${source}#${sourceId}`);

/** Keys of one entry of `details.sourceIds`; with a `#` it may name another source. */
export const keysOf = (event: Pick<Event, 'source'>, id: string): readonly number[] =>
  id.includes('#') ? [sourceKey(event.source, id), keyOf(id)] : [sourceKey(event.source, id)];

/** Returns the index of the id among ids in order, or where it belongs. */
const placeOf = (ids: readonly string[], id: string): number => {
  let from = 0;
  let to = ids.length;
  while (from < to) {
    const middle = (from + to) >>> 1;
    if (ids[middle]! < id) from = middle + 1;
    else to = middle;
  }
  return from;
};

const add = (index: EventIndex, key: number, id: string): void => {
  const held = index.get(key);
  if (held === undefined) index.set(key, id);
  else if (typeof held === 'string') {
    if (held !== id) index.set(key, held < id ? [held, id] : [id, held]);
  } else {
    const place = placeOf(held, id);
    if (held[place] !== id) held.splice(place, 0, id);
  }
};

const remove = (index: EventIndex, key: number, id: string): void => {
  const held = index.get(key);
  if (held === id) index.delete(key);
  if (!Array.isArray(held)) return;
  const place = placeOf(held, id);
  if (held[place] === id) held.splice(place, 1);
  if (held.length === 1) index.set(key, held[0]!);
};

const indexSource = (index: EventIndex, event: Pick<Event, 'id' | 'source'>, id: string): void => {
  for (const key of keysOf(event, id)) add(index, key, event.id);
};
const dropSource = (index: EventIndex, event: Event, id: string): void => {
  for (const key of keysOf(event, id)) remove(index, key, event.id);
};

/** `id`: `source#sourceId`, a condition of plain ingest. */
const indexPlain = (index: EventIndex, eventId: string, id: string): void => add(index, keyOf(id), eventId);
const dropPlain = (index: EventIndex, eventId: string, id: string): void => remove(index, keyOf(id), eventId);

const NOTHING: readonly string[] = [];

const newestOf = (index: EventIndex, key: number, most: number): readonly string[] => {
  const held = index.get(key) ?? NOTHING;
  if (typeof held === 'string') return [held];
  return held.length > most ? held.slice(-most) : held;
};

/** The newest `most` open events of an identity, the newest last. */
export const alikeOf = ({ byIdentity }: Rows, identity: string, most: number): readonly string[] =>
  newestOf(byIdentity, keyOf(identity), most);

/** The newest `most` events that a condition of plain ingest feeds, the newest last. */
export const eventsFromPlainId = ({ bySource }: Rows, id: string, most: number): readonly string[] =>
  newestOf(bySource, keyOf(id), most);

/** The newest `MAX_FED` events that a sourceId feeds, the newest last. */
export const eventsFromSource = ({ bySource }: Rows, source: string, sourceId: string): readonly string[] =>
  newestOf(bySource, sourceKey(source, sourceId), MAX_FED);

/** An occurrence that is older than a recovery received in this time is saved as resolved (docs/specification.md §2). */
export const RECOVERY_MS = 60 * 60_000;
/** Bounds per tenant; beyond them the oldest entries go before their time. */
const MAX_SEEN = 300_000;
const MAX_RECOVERIES = 100_000;
/** Entries checked per new one, so that outdated ones leave faster than new ones can arrive. */
const SWEPT = 4;

/** Removes outdated entries, a few at a time, in rounds. */
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

/** Indexes of the open events of one tenant: ids only, the events themselves are loaded per batch. */
export interface Rows {
  /** Events by `keyOf` the identity. */
  readonly byIdentity: EventIndex;
  readonly byCondition: Map<string, string>;
  /** Events without a monitor's condition, by `source#sourceId`. */
  readonly bySource: EventIndex;
  readonly recoveries: Map<string, Recovery>;
  readonly seen: Map<string, Recency>;
  readonly sweepRecoveries: (isDead: (recovery: Recovery) => boolean) => void;
  readonly sweepSeen: (isDead: (seen: Recency) => boolean) => void;
  /** Highest event time seen, ms. */
  watermark: number;
  /** Event time of the newest event, ms: the reference for implausible times. */
  newest: number;
  open: number;
}

export const openRows = (): Rows => {
  const recoveries = new Map<string, Recovery>();
  const seen = new Map<string, Recency>();
  return {
    byIdentity: new NumberMap(),
    byCondition: new Map(),
    bySource: new NumberMap(),
    recoveries,
    seen,
    sweepRecoveries: openSweep(recoveries, MAX_RECOVERIES),
    sweepSeen: openSweep(seen, MAX_SEEN),
    watermark: 0,
    newest: 0,
    open: 0,
  };
};

const isOpen = (event: Event | null): event is Event => event !== null && event.status !== 'resolved';

/** The keys by which an open event is found. */
type Indexed = Omit<OpenEvent, 'tenant' | 'createdPosition' | 'position'>;

const enterConditions = (rows: Rows, id: string, conditions: readonly Condition[], from: number): void => {
  for (let i = from; i < conditions.length; i++) {
    const held = conditions[i]!;
    if (held.plain) indexPlain(rows.bySource, id, held.id);
    else rows.byCondition.set(held.id, id);
  }
};

const leaveConditions = (rows: Rows, id: string, conditions: readonly Condition[], from: number): void => {
  for (let i = from; i < conditions.length; i++) {
    const held = conditions[i]!;
    if (held.plain) dropPlain(rows.bySource, id, held.id);
    else if (rows.byCondition.get(held.id) === id) rows.byCondition.delete(held.id);
  }
};

const enterSources = (rows: Rows, event: Indexed): void => {
  if (event.conditions.length > 0) enterConditions(rows, event.id, event.conditions, 0);
  else for (const id of sourceIdsOf(event)) indexSource(rows.bySource, event, id);
};

const leaveSources = (rows: Rows, event: Event): void => {
  if (event.conditions.length > 0) leaveConditions(rows, event.id, event.conditions, 0);
  else for (const id of sourceIdsOf(event)) dropSource(rows.bySource, event, id);
};

const enter = (rows: Rows, event: Indexed): void => {
  rows.open += 1;
  add(rows.byIdentity, keyOf(event.identity), event.id);
  enterSources(rows, event);
};

const leave = (rows: Rows, event: Event): void => {
  rows.open -= 1;
  remove(rows.byIdentity, keyOf(event.identity), event.id);
  leaveSources(rows, event);
};

/** Returns the number of equal conditions at the beginning of both. */
const sameAtFirst = (a: readonly Condition[], b: readonly Condition[]): number => {
  let same = 0;
  while (same < a.length && same < b.length && a[same]!.id === b[same]!.id) same++;
  return same;
};

/** An occurrence adds at most one condition and one sourceId, so only those are checked. */
const stay = (rows: Rows, before: Event, after: Event): void => {
  const [held, holds] = [before.conditions, after.conditions];
  if (held === holds) {
    if (holds.length > 0) return;
    const ids = sourceIdsOf(after);
    const oldest = sourceIdsOf(before)[1];
    if (oldest !== undefined && !ids.includes(oldest)) dropSource(rows.bySource, before, oldest);
    indexSource(rows.bySource, after, ids[ids.length - 1] ?? after.sourceId);
  } else if (held.length === 0 || holds.length === 0) {
    leaveSources(rows, before);
    enterSources(rows, after);
  } else {
    const same = sameAtFirst(held, holds);
    leaveConditions(rows, before.id, held, same);
    enterConditions(rows, after.id, holds, same);
  }
};

/** Updates the index for an event that was `before` and is `after`. */
export const reindex = (rows: Rows, before: Event | null, after: Event): void => {
  if (isOpen(before) && isOpen(after)) stay(rows, before, after);
  else if (isOpen(before)) leave(rows, before);
  else if (isOpen(after)) enter(rows, after);
};

/** Returns a test: true if no higher `order` was used for the key before. */
const openNewest = () => {
  const highest = new NumberMap<number>();
  return (key: number, order: number): boolean => {
    if ((highest.get(key) ?? 0) > order) return false;
    highest.set(key, order);
    return true;
  };
};

/** Refills with stored open events, in any order: of two with one condition the one changed last is found. */
export const openRefill = (rows: Rows): ((event: OpenEvent) => void) => {
  const holdsLast = openNewest();
  return (event) => {
    const { id, identity, conditions, position } = event;
    rows.open += 1;
    add(rows.byIdentity, keyOf(identity), id);
    for (const held of conditions)
      if (held.plain) indexPlain(rows.bySource, id, held.id);
      else if (holdsLast(keyOf(held.id), position)) rows.byCondition.set(held.id, id);
    if (conditions.length === 0) for (const sourceId of sourceIdsOf(event)) indexSource(rows.bySource, event, sourceId);
  };
};

/**
 * True for a bin that is too old to count, or of a clock that was ahead: consecutive bins are one watermark apart at
 * most.
 */
const isOut = (seen: Recency, bin: number): boolean => isForgotten(seen, bin) || seen.bin > bin + 1;

/** The memory of an identity; null when it does not count. */
export const seenOf = (rows: Rows, identity: string): Recency | null => {
  const seen = rows.seen.get(identity);
  return seen === undefined || isOut(seen, binOf(rows.watermark)) ? null : seen;
};

export const rememberSeen = (rows: Rows, identity: string, seen: Recency): void => {
  rows.seen.set(identity, seen);
  const bin = binOf(rows.watermark);
  rows.sweepSeen((other) => isOut(other, bin));
};

/** Refills `seen`: several events may have data of one identity. */
export const refillSeen = (rows: Rows, identity: string, seen: Recency): void => {
  if (isOut(seen, binOf(rows.watermark))) return;
  const known = rows.seen.get(identity);
  rows.seen.set(identity, known === undefined ? seen : unitedSeen(known, seen));
};

/** A record with a receipt after now arrived while a clock was ahead. */
const isPast = ({ receivedAt }: Recovery, now: number): boolean =>
  now - receivedAt > RECOVERY_MS || isAhead(receivedAt, now);

/** The latest recovery of a condition that was received in the last 60 min. */
export const recoveryOf = (rows: Rows, conditionId: string, now: number): Recovery | null => {
  const recovery = rows.recoveries.get(conditionId);
  return recovery === undefined || isPast(recovery, now) ? null : recovery;
};

export const rememberRecovery = (rows: Rows, recovery: Recovery): void => {
  rows.recoveries.set(recovery.conditionId, recovery);
  rows.sweepRecoveries((other) => isPast(other, recovery.receivedAt));
};
