import type { Event } from '#domain/event/event.ts';
import type { EventPart } from '#domain/pipeline/processor.ts';
import type { Flights } from '#infra/embedded/journal/commit-queue.ts';
import { Recent } from '#infra/embedded/sqlite/weighted-lru.ts';
import type { Gathered } from './accumulated.ts';
import { asWritten, takeTally } from './changed-fields.ts';

/** An event as its row stands. */
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
/** The one place of an event in memory. */
export interface Row extends Stored {
  event: Event;
  gathered: Gathered;
  gatheredSize: number;
  /** What is being gathered makes of it; null when that does not change it. */
  open: Change | null;
  /** The last flight that changed it; 0 when it was read. */
  flight: number;
}

/** Characters of text in events kept in memory, so that duplicates of busy events read nothing. */
const RECENT_CHARACTERS = 48 * 1024 * 1024;
/** What an event weighs besides its texts. */
const EVENT_CHARACTERS = 600;
/** The flight of what was made by what is being gathered. */
const NOT_YET = Number.POSITIVE_INFINITY;

/** The row as what is being gathered leaves it. */
export function newest(row: Row): Stored {
  if (row.open === null) return row;
  const { parts, event, gathered, gatheredSize } = row.open;
  const { seq, size } = row;
  return { seq, size, event: asWritten(parts, row.event, event), gathered, gatheredSize };
}

/**
 * Events used lately, and all that fly. A repeat changes a few numbers of the event that is there: nine of ten records are
 * repeats, and a new event for each would be kept just long enough to outlive small collections.
 */
export class EventMemory implements Flights {
  readonly #rows = new Recent<string, Row>(
    RECENT_CHARACTERS,
    ({ size, gatheredSize }) => size + gatheredSize + EVENT_CHARACTERS,
    (row) => !this.flies(row),
  );
  readonly #isGathering: () => boolean;
  #open: Row[] = [];
  #landed = 0;

  constructor(isGathering: () => boolean) {
    this.#isGathering = isGathering;
  }

  get(tenant: string, id: string): Row | undefined {
    const row = this.#rows.get(id);
    return row?.event.tenant === tenant ? row : undefined;
  }

  /** Whether the file has an older one. */
  flies({ flight }: Row): boolean {
    return flight > this.#landed;
  }

  /** Takes an event that was read. */
  keep(stored: Stored): Row {
    return this.#put(stored, 0);
  }

  /** Takes an event that is written for the first time. */
  create(stored: Stored): void {
    const row = this.#put({ ...stored, event: { ...stored.event } }, this.#isGathering() ? NOT_YET : 0);
    if (this.#isGathering()) this.#open.push(row);
  }

  change(row: Row, change: Change): void {
    if (!this.#isGathering()) this.#take(row, change);
    else {
      if (row.open === null) this.#open.push(row);
      row.open = change;
    }
  }

  delete(id: string): void {
    this.#rows.delete(id);
  }

  /** Forgets all that the file has as well. */
  clear(): void {
    this.#rows.keepOnly((row) => this.flies(row));
  }

  handOver(flight: number): void {
    for (const row of this.#open) {
      if (row.open !== null) this.#take(row, row.open);
      row.flight = flight;
    }
    this.#open = [];
  }
  land(flight: number): void {
    this.#landed = flight;
  }
  lose(flight: number): void {
    this.#rows.keepOnly((row) => row.flight !== flight);
  }
  abandon(): void {
    for (const row of this.#open) row.open = null;
    this.#open = [];
    this.#rows.keepOnly(({ flight }) => flight !== NOT_YET);
  }

  #put(stored: Stored, flight: number): Row {
    const { seq, event, gathered, gatheredSize, size } = stored;
    const row: Row = { seq, event, gathered, gatheredSize, size, open: null, flight };
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
