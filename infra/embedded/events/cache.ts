import type { Event } from '#domain/event/event.ts';
import { Lru } from '#domain/lru.ts';
import type { EventPart } from '#domain/pipeline/processor.ts';
import type { BatchListener } from '#infra/embedded/journal/commit-queue.ts';
import { asWritten, takeActivity } from './changed-fields.ts';
import type { Accumulated } from './row.ts';

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
 * Events used last, and all of pending batches. A repeat changes a few numbers of the cached event: nine of ten records are
 * repeats, and a new event for each would be kept just long enough to outlive small collections.
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

  /** Whether the file has an older one. */
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
