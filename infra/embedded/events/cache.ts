import type { Event } from '#domain/event/event.ts';
import type { EventPart } from '#domain/pipeline/processor.ts';
import type { BatchListener } from '#infra/embedded/journal/commit-queue.ts';
import { WeightedLru } from '#infra/embedded/sqlite/weighted-lru.ts';
import type { Gathered } from './accumulated.ts';
import { asWritten, takeTally } from './changed-fields.ts';

/** An event as it is in its row. */
export interface Stored {
  readonly seq: number;
  readonly event: Event;
  /** As `event.gathered` has it. */
  readonly gathered: Gathered;
  /** Characters of its texts: of `gathered`, and of all others. */
  readonly gatheredSize: number;
  readonly size: number;
}
/** What a change writes: no more than the parts of the event. */
export interface Change extends Pick<Stored, 'event' | 'gathered' | 'gatheredSize'> {
  readonly parts: ReadonlySet<EventPart>;
}
/** An event in the cache. */
export interface Row extends Stored {
  event: Event;
  gathered: Gathered;
  gatheredSize: number;
  /** The change by the batch being recorded; null when there is none. */
  open: Change | null;
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
export function newest(row: Row): Stored {
  if (row.open === null) return row;
  const { parts, event, gathered, gatheredSize } = row.open;
  const { seq, size } = row;
  return { seq, size, event: asWritten(parts, row.event, event), gathered, gatheredSize };
}

/**
 * Events used last, and all of pending batches. A repeat changes a few numbers of the cached event: nine of ten records are
 * repeats, and a new event for each would be kept just long enough to outlive small collections.
 */
export class EventRowCache implements BatchListener {
  readonly #rows = new WeightedLru<string, Row>(
    CACHE_CHARACTERS,
    ({ size, gatheredSize }) => size + gatheredSize + EVENT_CHARACTERS,
    (row) => !this.isPending(row),
  );
  readonly #isRecording: () => boolean;
  #open: Row[] = [];
  #lastApplied = 0;

  constructor(isRecording: () => boolean) {
    this.#isRecording = isRecording;
  }

  get(tenant: string, id: string): Row | undefined {
    const row = this.#rows.get(id);
    return row?.event.tenant === tenant ? row : undefined;
  }

  /** Whether the file has an older one. */
  isPending({ batch }: Row): boolean {
    return batch > this.#lastApplied;
  }

  /** Caches an event that was read. */
  keep(stored: Stored): Row {
    return this.#put(stored, 0);
  }

  /** Caches a new event. */
  create(stored: Stored): void {
    const row = this.#put({ ...stored, event: { ...stored.event } }, this.#isRecording() ? UNSUBMITTED : 0);
    if (this.#isRecording()) this.#open.push(row);
  }

  change(row: Row, change: Change): void {
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

  #put(stored: Stored, batch: number): Row {
    const { seq, event, gathered, gatheredSize, size } = stored;
    const row: Row = { seq, event, gathered, gatheredSize, size, open: null, batch };
    this.#rows.set(event.id, row);
    return row;
  }

  #take(row: Row, { parts, event, gathered, gatheredSize }: Change): void {
    row.open = null;
    if (parts.size === 1 && parts.has('tally')) takeTally(row.event, event);
    else row.event = asWritten(parts, row.event, event);
    row.gathered = gathered;
    if (row.gatheredSize === gatheredSize) return;
    row.gatheredSize = gatheredSize;
    this.#rows.set(event.id, row);
  }
}
