import { itemAt, lastItem } from '#domain/known.ts';
import { Lru } from '#domain/lru.ts';
import type { Entry } from '#domain/pipeline/processor.ts';
import type { Sink } from '#domain/ports/sink.ts';
import type { BatchListener } from '#infra/embedded/journal/commit-queue.ts';
import type { Database } from '#infra/embedded/journal/database.ts';
import { bodyText, countsOf, type Numbered, OutboxRow, packEntries, type StoredRow } from './outbox-row.ts';

/** Rows read at once. */
const CHUNK = 20;
/** Rows cached as they were read. */
const RECENT = 8;
/** Rows looked at in one call for a sink that they tell nothing. */
const MOST_ROWS = 1_000;

/** Cursors of sinks in the table `cursor`: the number of the last entry that is done with. */
export const cursorOf = (sink: string): string => `sink.${sink}`;

/** The backlog of a sink. */
export interface Slice {
  readonly entries: readonly Numbered[];
  /** Nothing up to this number is left for the sink but `entries`. */
  readonly through: number;
  /** How many wait behind `entries`. */
  readonly lag: number;
  /** In so many ms the next one is old enough; infinite: there is none. */
  readonly youngForMs: number;
  /** There may be more that can be given now. */
  readonly more: boolean;
}

type RowHead = Pick<StoredRow, 'last' | 'at'>;

/** Holds happenings from the batch that writes them until the last sink has taken them. One per database. */
export class Outbox implements BatchListener {
  readonly #database: Database;
  readonly #sinks: readonly Sink[];
  /** Number of the newest entry. */
  #last: number;
  /** How many each sink was told in all. */
  readonly #told: Map<string, number>;
  #hasOpen = false;
  readonly #recent = new Lru<number, OutboxRow>(RECENT);
  readonly #pending = new Set<number>();
  #listener: { submitted(): void; readable(): void } = { submitted: () => {}, readable: () => {} };

  constructor(database: Database, sinks: readonly Sink[]) {
    this.#database = database;
    this.#sinks = sinks;
    const text = 'SELECT last, at, body FROM outbox ORDER BY last DESC LIMIT 1';
    const newest = database.statement<StoredRow>(text).get();
    const told = newest && new OutboxRow(newest).told;
    this.#told = new Map(sinks.map(({ name }) => [name, told?.get(name) ?? 0]));
    const read = "SELECT max(position) AS position FROM cursor WHERE name LIKE 'sink.%'";
    this.#last = Math.max(newest?.last ?? 0, Number(database.statement(read).get()?.position ?? 0));
    if (sinks.length > 0) database.addListener(() => this);
    database.onRollback(() => this.#recent.clear());
  }

  /** `submitted`: a batch that tells sinks something is on its way; `readable`: it is in the file. */
  listen(listener: { submitted(): void; readable(): void }): void {
    this.#listener = listener;
  }

  /** Whether batches that tell sinks something are not in the file yet. */
  get isWaiting(): boolean {
    return this.#pending.size > 0;
  }

  /** Says what the records of a batch tell sinks; part of its transaction. */
  write(entriesOf: (topic: string) => readonly Entry<unknown>[], at: number): void {
    const batch = packEntries(this.#sinks, entriesOf);
    if (batch.entries.length === 0) return;
    this.#last += batch.entries.length;
    for (const [place, count] of countsOf(this.#sinks, batch).entries()) {
      const { name } = itemAt(this.#sinks, place);
      this.#told.set(name, this.#toldTo(name) + count);
    }
    const body = bodyText({ ...batch, sinks: [...this.#told.keys()], told: [...this.#told.values()] });
    this.#database.write('INSERT INTO outbox VALUES (?, ?, ?)', this.#last, at, body);
    this.#hasOpen = true;
  }

  /** Happenings for a sink after a number and until a time (ms), at most so many. */
  read(sink: string, after: number, { until, most }: { readonly until: number; readonly most: number }): Slice {
    const entries: Numbered[] = [];
    let through = after;
    for (let looked = 0; looked < MOST_ROWS; ) {
      const rows = this.#rows(through);
      for (const stored of rows) {
        if (stored.at > until)
          return this.#slice(sink, entries, through, { youngForMs: stored.at - until, more: false });
        const room = most - entries.length;
        const found = this.#body(stored).of(sink, through, room);
        entries.push(...found);
        through = found.length === room ? lastItem(found).number : stored.last;
        if (found.length === room)
          return this.#slice(sink, entries, through, { youngForMs: Number.POSITIVE_INFINITY, more: true });
      }
      looked += rows.length;
      if (rows.length < CHUNK)
        return this.#slice(sink, entries, through, { youngForMs: Number.POSITIVE_INFINITY, more: false });
    }
    return this.#slice(sink, entries, through, { youngForMs: Number.POSITIVE_INFINITY, more: true });
  }

  /** How many entries wait that the sink is told after a number. */
  lag(sink: string, after: number): number {
    const [head] = this.#rows(after, 1);
    if (head === undefined) return 0;
    const next = this.#body(head);
    const before = (next.told.get(sink) ?? 0) - next.count(sink, after);
    return Math.max(0, this.#toldTo(sink) - before);
  }

  submitted(batch: number): void {
    if (!this.#hasOpen) return;
    this.#hasOpen = false;
    this.#pending.add(batch);
    this.#listener.submitted();
  }
  applied(batch: number): void {
    if (this.#pending.delete(batch)) this.#listener.readable();
  }
  lost(batch: number): void {
    this.#pending.delete(batch);
  }
  discarded(): void {
    this.#hasOpen = false;
  }

  #slice(sink: string, entries: readonly Numbered[], through: number, rest: Pick<Slice, 'youngForMs' | 'more'>): Slice {
    return { entries, through, lag: this.lag(sink, through), ...rest };
  }

  #toldTo(sink: string): number {
    return this.#told.get(sink) ?? 0;
  }

  #rows(after: number, most = CHUNK): RowHead[] {
    const text = 'SELECT last, at FROM outbox WHERE last > ? ORDER BY last LIMIT ?';
    return this.#database.statement<RowHead>(text).all(after, most);
  }

  /** Several sinks read the same rows at about the same time, and each of them a large row in pieces. */
  #body({ last, at }: RowHead): OutboxRow {
    const known = this.#recent.get(last);
    if (known !== undefined) return known;
    const body = String(this.#database.statement('SELECT body FROM outbox WHERE last = ?').get(last)?.body);
    const row = new OutboxRow({ last, at, body });
    this.#recent.set(last, row);
    return row;
  }
}
