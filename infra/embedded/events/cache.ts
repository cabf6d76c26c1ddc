import type { Event } from '#domain/event/event.ts';
import { copyFields, sameFields } from '#domain/event/field-functions.ts';
import { type ChangedPart, EVENT_FIELDS, fieldsOf } from '#domain/event/fields.ts';
import { Lru } from '#domain/lru.ts';
import type { EventPart } from '#domain/pipeline/processor.ts';
import type { BatchListener } from '#infra/embedded/redo-log/commit-queue.ts';
import type { Accumulated } from './row.ts';

const sameTally = sameFields(fieldsOf('tally'));
const sameState = sameFields(fieldsOf('state'));
const sameSaid = sameFields(fieldsOf('said'));
const sameAssigned = sameFields(fieldsOf('assigned'));

const covers = (parts: ReadonlySet<EventPart>, before: Event, after: Event): boolean =>
  (parts.has('tally') || sameTally(before, after)) &&
  (parts.has('state') || sameState(before, after)) &&
  (parts.has('said') || sameSaid(before, after)) &&
  (parts.has('assigned') || sameAssigned(before, after));

const CHANGED: readonly ChangedPart[] = ['tally', 'state', 'said', 'assigned'];

/** Returns the event in the state of its row when only `parts` of `after` are written. */
function asWritten(parts: ReadonlySet<EventPart>, before: Event, after: Event): Event {
  if (covers(parts, before, after)) return after;
  const unwritten = new Set<string>(CHANGED.filter((part) => !parts.has(part)));
  const isWritten = (name: string): boolean => !unwritten.has(EVENT_FIELDS[name as keyof Event]);
  return Object.fromEntries([
    ...Object.entries(after).filter(([name]) => isWritten(name)),
    ...Object.entries(before).filter(([name, value]) => !isWritten(name) && value !== undefined),
  ]) as unknown as Event;
}

/** Lays the changes of a further occurrence over the event that is there. */
const takeActivity: (event: Event, after: Event) => void = copyFields(fieldsOf('tally', 'fence'));

/** An event as it is in its row. */
export interface CachedEventState {
  readonly seq: number;
  readonly event: Event;
  /** The content of `event.gathered`. */
  readonly accumulated: Accumulated;
  /** Characters of its texts: of `accumulated`, and of all others. */
  readonly accumulatedSize: number;
  readonly size: number;
}
/** The values that a change writes: no more than the parts of the event. */
export interface RowChange extends Pick<CachedEventState, 'event' | 'accumulated' | 'accumulatedSize'> {
  readonly parts: ReadonlySet<EventPart>;
}
/** An event in the cache. */
export interface CachedRow extends CachedEventState {
  event: Event;
  accumulated: Accumulated;
  accumulatedSize: number;
  /** The change by the batch being recorded; null when there is none. */
  open: RowChange | null;
  /** The last batch that changed it; 0 when it was read. */
  batch: number;
}

/** Characters of text in cached events, so that duplicates of busy events need no read. */
const CACHE_CHARACTERS = 48 * 1024 * 1024;
/** Weight of an event without its texts. */
const EVENT_CHARACTERS = 600;
/** The batch of rows created by the batch being recorded. */
const UNSUBMITTED = Number.POSITIVE_INFINITY;

/** The row with the change being recorded. */
export function newest(row: CachedRow): CachedEventState {
  if (row.open === null) return row;
  const { parts, event, accumulated, accumulatedSize } = row.open;
  const { seq, size } = row;
  return { seq, size, event: asWritten(parts, row.event, event), accumulated, accumulatedSize };
}

/**
 * Recently used events, and all of pending batches. A repeat changes a few numbers of the cached event: nine of ten
 * records are repeats, and a new event for each would live just long enough to survive small collections.
 */
export class EventRowCache implements BatchListener {
  readonly #rows = new Lru<string, CachedRow>(
    CACHE_CHARACTERS,
    ({ size, accumulatedSize }) => size + accumulatedSize + EVENT_CHARACTERS,
    (row) => !this.isPending(row),
  );
  readonly #isRecording: () => boolean;
  #open: CachedRow[] = [];
  #lastApplied = 0;

  constructor(isRecording: () => boolean) {
    this.#isRecording = isRecording;
  }

  get(tenant: string, id: string): CachedRow | undefined {
    const row = this.#rows.get(id);
    return row?.event.tenant === tenant ? row : undefined;
  }

  /** True if the file has an older one. */
  isPending({ batch }: CachedRow): boolean {
    return batch > this.#lastApplied;
  }

  /** Caches an event that was read. */
  keep(stored: CachedEventState): CachedRow {
    return this.#put(stored, 0);
  }

  /** Caches a new event. */
  create(stored: CachedEventState): void {
    const row = this.#put({ ...stored, event: { ...stored.event } }, this.#isRecording() ? UNSUBMITTED : 0);
    if (this.#isRecording()) this.#open.push(row);
  }

  change(row: CachedRow, change: RowChange): void {
    if (!this.#isRecording()) this.#take(row, change);
    else {
      if (row.open === null) this.#open.push(row);
      row.open = change;
    }
  }

  delete(id: string): void {
    this.#rows.delete(id);
  }

  /** Drops all events that are not pending. */
  clear(): void {
    this.#rows.keepOnly((row) => this.isPending(row));
  }

  submitted(batch: number): void {
    for (const row of this.#open) {
      if (row.open !== null) this.#take(row, row.open);
      row.batch = batch;
    }
    this.#open = [];
  }
  applied(batch: number): void {
    this.#lastApplied = batch;
  }
  lost(batch: number): void {
    this.#rows.keepOnly((row) => row.batch !== batch);
  }
  discarded(): void {
    for (const row of this.#open) row.open = null;
    this.#open = [];
    this.#rows.keepOnly(({ batch }) => batch !== UNSUBMITTED);
  }

  #put(stored: CachedEventState, batch: number): CachedRow {
    const { seq, event, accumulated, accumulatedSize, size } = stored;
    const row: CachedRow = { seq, event, accumulated, accumulatedSize, size, open: null, batch };
    this.#rows.set(event.id, row);
    return row;
  }

  #take(row: CachedRow, { parts, event, accumulated, accumulatedSize }: RowChange): void {
    row.open = null;
    if (parts.size === 1 && parts.has('tally')) takeActivity(row.event, event);
    else row.event = asWritten(parts, row.event, event);
    row.accumulated = accumulated;
    if (row.accumulatedSize === accumulatedSize) return;
    row.accumulatedSize = accumulatedSize;
    this.#rows.set(event.id, row);
  }
}
