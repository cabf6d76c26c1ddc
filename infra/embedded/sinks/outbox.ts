import { itemAt, lastItem } from '#domain/assert.ts';
import type { GroupChange } from '#domain/correlation/records.ts';
import type { Status } from '#domain/event/event.ts';
import { Lru } from '#domain/lru.ts';
import type { Entry } from '#domain/pipeline/processor.ts';
import type { Sink, SinkEvent, SinkEventBody } from '#domain/ports/sink.ts';
import type { BatchListener } from '#infra/embedded/redo-log/commit-queue.ts';
import type { Database } from '#infra/embedded/redo-log/database.ts';

/** Bits of the receiving sinks, index of the tenant, position, index in HAPPENED, id, and further fields. */
type PackedEntry = readonly [to: number, tenant: number, position: number, happened: number, id: string, more?: string];
/** The content of a row. A zero represents an entry whose tenant was deleted. */
interface Body {
  readonly sinks: readonly string[];
  /** Total of entries for each of the sinks, up to this row. */
  readonly told: readonly number[];
  readonly tenants: readonly string[];
  readonly entries: readonly (PackedEntry | 0)[];
}

/** The places are stored. */
const HAPPENED = ['created', 'status', 'group'] as const satisfies readonly SinkEventBody['happened'][];

const SUPPRESSED = 'suppressed';

const moreOf = (told: SinkEventBody): string | undefined => {
  if (told.happened === 'status') return told.previousStatus;
  if (told.happened === 'created') return told.wasSuppressed && SUPPRESSED;
  return told.change;
};

const toldOf = (happened: number, id: string, more: string | undefined): SinkEventBody => {
  const what = HAPPENED[happened] as SinkEventBody['happened'];
  if (what === 'created') return { happened: what, id, ...(more === SUPPRESSED && { wasSuppressed: true }) };
  if (what === 'status') return { happened: what, id, previousStatus: more as Status };
  return { happened: what, id, change: more as GroupChange['kind'] };
};

interface Audience {
  readonly told: SinkEventBody;
  /** A bit for each sink. */
  to: number;
}

const isSame = (a: SinkEventBody, b: SinkEventBody): boolean =>
  a.id === b.id && a.happened === b.happened && moreOf(a) === moreOf(b);

/** The happening of a record: one entry for all sinks that get the same. */
const audiences = (sinks: readonly Sink[], topic: string, value: unknown): Audience[] => {
  const found: Audience[] = [];
  for (const [place, sink] of sinks.entries()) {
    const told = sink.input === topic ? sink.told(value) : null;
    if (told === null) continue;
    const known = found.find((one) => isSame(one.told, told));
    if (known === undefined) found.push({ told, to: 1 << place });
    else known.to |= 1 << place;
  }
  return found;
};

const packed = ({ told, to }: Audience, tenant: number, position: number): PackedEntry => {
  const head = [to, tenant, position, HAPPENED.indexOf(told.happened), told.id] as const;
  const more = moreOf(told);
  return more === undefined ? head : [...head, more];
};

/** The happenings of the records of a batch. */
const packEntries = (
  sinks: readonly Sink[],
  entriesOf: (topic: string) => readonly Entry<unknown>[],
): Pick<Body, 'tenants' | 'entries'> => {
  const tenants = new Map<string, number>();
  const entries: PackedEntry[] = [];
  for (const topic of new Set(sinks.map(({ input }) => input))) {
    for (const { tenant, position, value } of entriesOf(topic)) {
      for (const audience of audiences(sinks, topic, value)) {
        const place = tenants.get(tenant) ?? tenants.size;
        tenants.set(tenant, place);
        entries.push(packed(audience, place, position));
      }
    }
  }
  return { tenants: [...tenants.keys()], entries };
};

/** Returns the number of entries for each sink. */
const countsOf = (sinks: readonly Sink[], { entries }: Pick<Body, 'entries'>): number[] =>
  sinks.map((_, place) => entries.filter((entry) => entry !== 0 && (entry[0] & (1 << place)) !== 0).length);

const bodyText = ({ sinks, told: all, tenants, entries }: Body): string =>
  JSON.stringify([sinks, all, tenants, entries]);

const bodyOf = (text: string): Body => {
  const [sinks, all, tenants, entries] = JSON.parse(text) as [
    ...[Body['sinks'], Body['told'], Body['tenants'], Body['entries']],
  ];
  return { sinks, told: all, tenants, entries };
};

/** A row as stored. */
export interface StoredRow {
  readonly last: number;
  readonly at: number;
  readonly body: string;
}

/** A happening with the number of its entry. */
interface Numbered {
  readonly number: number;
  readonly happening: SinkEvent;
}

/** One row as it is read. */
export class OutboxRow {
  readonly last: number;
  readonly at: number;
  /** Characters, about. */
  readonly weight: number;
  readonly #body: Body;

  constructor({ last, at, body }: StoredRow) {
    this.last = last;
    this.at = at;
    this.weight = body.length + ROW_WEIGHT;
    this.#body = bodyOf(body);
  }

  /** Total of entries for each sink, up to the end of this row. */
  get told(): ReadonlyMap<string, number> {
    return new Map(this.#body.sinks.map((name, place) => [name, itemAt(this.#body.told, place)]));
  }

  /** Returns the first events for the sink above a number, up to a maximum. */
  of(sink: string, above: number, most = Number.POSITIVE_INFINITY): Numbered[] {
    const { sinks, tenants, entries } = this.#body;
    const bit = 1 << sinks.indexOf(sink);
    if (!sinks.includes(sink)) return [];
    const found: Numbered[] = [];
    const first = this.last - entries.length + 1;
    for (let number = Math.max(first, above + 1); number <= this.last && found.length < most; number++) {
      const entry = itemAt(entries, number - first);
      if (entry === 0 || (entry[0] & bit) === 0) continue;
      const [, tenant, position, happened, id, more] = entry;
      const about = { tenant: tenants[tenant] as string, position, at: this.at };
      found.push({ number, happening: { ...toldOf(happened, id, more), ...about } });
    }
    return found;
  }

  /** Returns the number of entries for the sink above a number. */
  count(sink: string, above: number): number {
    const { sinks, entries } = this.#body;
    const place = sinks.indexOf(sink);
    if (place === -1) return 0;
    const from = Math.max(0, above - (this.last - entries.length));
    let count = 0;
    for (let index = from; index < entries.length; index++) {
      const entry = itemAt(entries, index);
      if (entry !== 0 && (entry[0] & (1 << place)) !== 0) count += 1;
    }
    return count;
  }

  /** Returns the body without a tenant, null when it has no entry of it. Numbers stay unchanged. */
  without(tenant: string): string | null {
    const place = this.#body.tenants.indexOf(tenant);
    if (place === -1) return null;
    const tenants = this.#body.tenants.map((one) => (one === tenant ? '' : one));
    const entries = this.#body.entries.map((entry) => (entry !== 0 && entry[1] === place ? 0 : entry));
    return bodyText({ ...this.#body, tenants, entries });
  }
}

/** Rows read at once. */
const CHUNK = 20;
/** Characters of rows that are cached as they were read, each with its share of the object around it. */
const RECENT = 2_000_000;
const ROW_WEIGHT = 200;
/** Maximum of rows scanned in one call for a sink without entries in them. */
const MAX_ROWS = 1_000;

/** Cursors of sinks in the table `cursor`: the number of the last entry that is done with. */
export const cursorOf = (sink: string): string => `sink.${sink}`;

/** The backlog of a sink. */
export interface Slice {
  readonly entries: readonly Numbered[];
  /** Nothing up to this number is left for the sink but `entries`. */
  readonly through: number;
  /** Number waiting behind `entries`. */
  readonly lag: number;
  /** Time in ms until the next one is old enough; infinite: there is none. */
  readonly youngForMs: number;
  /** There may be more that can be given now. */
  readonly more: boolean;
}

type RowHead = Pick<StoredRow, 'last' | 'at'>;

/** Stores sink events from the batch that writes them until the last sink has consumed them. One per database. */
export class Outbox implements BatchListener {
  readonly #database: Database;
  readonly #sinks: readonly Sink[];
  /** Number of the newest entry. */
  #last: number;
  /** Total of entries for each sink. */
  readonly #told: Map<string, number>;
  #hasOpen = false;
  readonly #recent = new Lru<number, OutboxRow>(RECENT, ({ weight }) => weight);
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

  /** `submitted`: a batch with sink events is in flight; `readable`: it is in the file. */
  listen(listener: { submitted(): void; readable(): void }): void {
    this.#listener = listener;
  }

  /** True if batches with sink events are not in the file yet. */
  get isWaiting(): boolean {
    return this.#pending.size > 0;
  }

  /** Writes the sink events of a batch's records; part of its transaction. */
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

  /** Returns events for a sink after a number and until a time (ms), up to a maximum. */
  read(sink: string, after: number, { until, most }: { readonly until: number; readonly most: number }): Slice {
    const entries: Numbered[] = [];
    let through = after;
    for (let looked = 0; looked < MAX_ROWS; ) {
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

  /** Returns the number of entries waiting for the sink after a number. */
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
