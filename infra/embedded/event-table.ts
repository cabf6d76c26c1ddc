import type { Event } from '#domain/event/event.ts';
import { unboundKeys } from '#domain/event/unbound.ts';
import type { EventKey, EventPart } from '#domain/ports/processor.ts';
import type { Database } from './database.ts';
import { asWritten } from './event-covers.ts';
import { type Gathered, gatheredOf, gatheredText, latestText, readGathered } from './event-gathered.ts';
import { EVERY_PART } from './event-parts.ts';
import { bodyText, type EventRow, eventWith, magnitude, severityRank, stateText, statusCode } from './event-row.ts';
import { slotOf } from './event-slot.ts';
import { type EventStatements, eventStatements, WRITES } from './event-statements.ts';
import { tenantWord, wordsDiffer } from './event-text.ts';
import type { InFlight } from './in-flight.ts';
import { Recent } from './recent.ts';

/** Characters of text in events kept in memory, so that duplicates of busy events read nothing. */
const RECENT_CHARACTERS = 48 * 1024 * 1024;
/** What an event weighs besides its texts. */
const EVENT_CHARACTERS = 600;
/** Fewer events than this are read one by one. */
const FEW = 4;

interface Stored {
  readonly seq: number;
  readonly event: Event;
  /** As `event.gathered` has it. */
  readonly gathered: Gathered;
  /** Characters of its texts: of `gathered`, and of all others. */
  readonly gatheredSize: number;
  readonly size: number;
}

export interface EventTable {
  /** As committed. */
  get(tenant: string, id: string): Event | undefined;
  /** Those that exist, in the order of the keys, as committed. */
  getMany(keys: readonly EventKey[]): Event[];
  /** The same as they will be when everything handed over is committed. */
  latest(keys: readonly EventKey[]): Event[];
  /** Deletes the row for ever; false when there is none. */
  remove(tenant: string, id: string): boolean;
  /** Writes no more than the parts; false when the stored position is higher. An event that is not there is created. */
  write(event: Event, parts: ReadonlySet<EventPart>): boolean;
}

const BOUND = [null, null] as const;
/** Host name and address of an event that has no CI, as later ones are looked for by. */
function keysOf(event: Event): readonly [host: string | null, address: string | null] {
  if (event.ci !== null) return BOUND;
  const { host, address } = unboundKeys(event);
  return [host, address];
}

/** What resolution times are measured by: an event that was opened again has none. */
const resolvedAtOf = (event: Event): number | null => (event.status === 'resolved' ? (event.resolvedAt ?? null) : null);

function storedOf(row: EventRow): Stored {
  const gathered = readGathered(row[20]);
  const [gatheredSize, size] = [row[20].length, row[18].length + row[19].length];
  return { seq: row[0], event: eventWith(row, gathered), gathered, gatheredSize, size };
}

class SqliteEventTable implements EventTable {
  readonly #recent = new Recent<string, Stored>(
    RECENT_CHARACTERS,
    ({ size, gatheredSize }) => size + gatheredSize + EVENT_CHARACTERS,
  );
  readonly #flying: InFlight<string, Stored>;
  readonly #sql: EventStatements;
  readonly #database: Database;

  constructor(database: Database) {
    this.#sql = eventStatements(database.db);
    this.#database = database;
    this.#flying = database.inFlight((id, stored) => this.#recent.set(id, stored));
    database.onRollback(() => this.#recent.clear());
  }

  get(tenant: string, id: string): Event | undefined {
    return this.#committed(tenant, id)?.event;
  }

  getMany(keys: readonly EventKey[]): Event[] {
    const inMemory = (id: string) => (this.#flying.get(id) === undefined ? this.#recent.get(id) : undefined);
    return this.#all(keys, inMemory, (tenant, id) => this.#committed(tenant, id));
  }

  latest(keys: readonly EventKey[]): Event[] {
    const inMemory = (id: string) => this.#flying.get(id) ?? this.#recent.get(id);
    return this.#all(keys, inMemory, (tenant, id) => this.#latest(tenant, id));
  }

  write(event: Event, parts: ReadonlySet<EventPart>): boolean {
    const stored = this.#latest(event.tenant, event.id);
    if (stored === undefined) this.#create(event);
    else if (stored.event.position > event.position) return false;
    else this.#update(stored, event, parts.has('created') ? EVERY_PART : parts);
    return true;
  }

  remove(tenant: string, id: string): boolean {
    const stored = this.#latest(tenant, id);
    if (stored === undefined) return false;
    for (const text of WRITES.remove) this.#database.write(text, stored.seq);
    this.#addToCount(stored.event, -1);
    this.#recent.delete(id);
    return true;
  }

  /** Those that exist, each looked for in memory first, then by `find`. */
  #all(
    keys: readonly EventKey[],
    inMemory: (id: string) => Stored | undefined,
    find: (tenant: string, id: string) => Stored | undefined,
  ): Event[] {
    const known = keys.map(({ tenant, id }) => {
      const stored = inMemory(id);
      return stored?.event.tenant === tenant ? stored : undefined;
    });
    this.#prefetch(keys.filter((_, index) => known[index] === undefined));
    const found: Event[] = [];
    for (const [index, { tenant, id }] of keys.entries()) {
      const stored = known[index] ?? find(tenant, id);
      if (stored !== undefined) found.push(stored.event);
    }
    return found;
  }

  #latest(tenant: string, id: string): Stored | undefined {
    const flying = this.#flying.get(id);
    return flying?.event.tenant === tenant ? flying : this.#find(tenant, id);
  }

  /** What is in memory of an event in flight may be older than its row already. */
  #committed(tenant: string, id: string): Stored | undefined {
    if (this.#flying.get(id) === undefined) return this.#find(tenant, id);
    const row = this.#sql.select.get(tenant, id) as EventRow | undefined;
    return row && storedOf(row);
  }

  #find(tenant: string, id: string): Stored | undefined {
    const recent = this.#recent.get(id);
    if (recent?.event.tenant === tenant) return recent;
    const row = this.#sql.select.get(tenant, id) as EventRow | undefined;
    return row && this.#remember(storedOf(row));
  }

  /** One statement for many that are not in memory costs a third of one for each. */
  #prefetch(keys: readonly EventKey[]): void {
    for (const [tenant, missing] of Map.groupBy(keys, ({ tenant }) => tenant)) {
      const ids = missing.map(({ id }) => id).filter((id) => this.#flying.get(id) === undefined);
      if (ids.length < FEW) continue;
      for (const row of this.#sql.selectMany.all(tenant, JSON.stringify(ids)))
        this.#remember(storedOf(row as unknown as EventRow));
    }
  }

  #create(event: Event): void {
    const { tenant, firstOccurrence: first, seen } = event;
    const status = statusCode(event.status);
    const severity = severityRank(event.severity);
    const resolvedAt = resolvedAtOf(event);
    const [body, state, gathered] = [bodyText(event), stateText(event), gatheredText(event)];
    const seq = this.#database.next('event', 'seq');
    this.#database.write(
      WRITES.insert,
      ...[seq, tenant, event.id, status, severity, event.source, event.timestamp, event.createdAt],
      ...[event.createdPosition, event.identity, event.ci?.id ?? null, ...keysOf(event)],
      ...[event.correlationId, resolvedAt],
      ...[resolvedAt === null ? null : resolvedAt - first, body, state, gathered],
    );
    this.#database.write(
      WRITES.insertTally,
      ...[seq, tenant, status, severity, first, event.lastOccurrence],
      ...[slotOf(event.lastOccurrence), event.count, magnitude(event.count), seen.bin, seen.bits, event.position],
      ...[event.updatedAt, null],
    );
    this.#writeText(seq, event);
    this.#addToCount(event, 1);
    const sizes = { gatheredSize: gathered.length, size: body.length + state.length };
    this.#flying.set(event.id, { seq, event, gathered: gatheredOf(event), ...sizes });
  }

  #update(stored: Stored, event: Event, parts: ReadonlySet<EventPart>): void {
    const { seq, event: before } = stored;
    const { gathered, gatheredSize } = parts.has('tally') ? this.#writeTally(stored, event) : stored;
    if (!parts.has('tally')) this.#database.write(WRITES.touch, event.position, event.updatedAt, seq);
    if (parts.has('state')) this.#writeState(stored, event);
    if (parts.has('assigned')) this.#database.write(WRITES.assign, event.correlationId, seq);
    if (parts.has('created')) this.#database.write(WRITES.rewrite, event.timestamp, bodyText(event), seq);
    if (parts.has('created') || (parts.has('tally') && wordsDiffer(before, event))) this.#writeText(seq, event);
    this.#flying.set(event.id, { ...stored, event: asWritten(parts, before, event), gathered, gatheredSize });
  }

  /** Returns what `event.gathered` holds now. An index is touched only when its columns change, which few repeats do. */
  #writeTally(stored: Stored, event: Event): Pick<Stored, 'gathered' | 'gatheredSize'> {
    const { seq, event: before } = stored;
    const { firstOccurrence: first, lastOccurrence: last, count, seen } = event;
    const latest = latestText(stored.gathered, event);
    this.#database.write(
      WRITES.tally,
      last,
      count,
      seen.bin,
      seen.bits,
      event.position,
      event.updatedAt,
      latest ?? null,
      seq,
    );
    if (first !== before.firstOccurrence || slotOf(last) !== slotOf(before.lastOccurrence))
      this.#database.write(WRITES.move, first, slotOf(last), seq);
    if (magnitude(count) !== magnitude(before.count)) this.#database.write(WRITES.magnitude, magnitude(count), seq);
    return latest === undefined ? this.#gather(seq, event) : stored;
  }

  #gather(seq: number, event: Event): Pick<Stored, 'gathered' | 'gatheredSize'> {
    const text = gatheredText(event);
    this.#database.write(WRITES.gathered, text, seq);
    return { gathered: gatheredOf(event), gatheredSize: text.length };
  }

  #writeText(seq: number, event: Event): void {
    this.#database.write(WRITES.text, seq, tenantWord(event.tenant), event.title, event.description ?? '');
  }

  #writeState({ seq, event: before }: Stored, event: Event): void {
    const resolvedAt = resolvedAtOf(event);
    const status = statusCode(event.status);
    const severity = severityRank(event.severity);
    if (before.status !== event.status || before.severity !== event.severity) {
      this.#database.write(WRITES.tallyState, status, severity, seq);
      this.#addToCount(before, -1);
      this.#addToCount(event, 1);
    }
    this.#database.write(
      WRITES.state,
      status,
      severity,
      event.ci?.id ?? null,
      resolvedAt,
      resolvedAt === null ? null : resolvedAt - event.firstOccurrence,
      stateText(event),
      seq,
    );
  }

  /** Counted by source as it stood at creation, which never changes. */
  #addToCount({ tenant, source, status, severity }: Event, n: number): void {
    this.#database.write(WRITES.count, tenant, source, statusCode(status), severityRank(severity), n);
  }

  #remember(stored: Stored): Stored {
    this.#recent.set(stored.event.id, stored);
    return stored;
  }
}

const tables = new WeakMap<Database, EventTable>();

/** The one table of events of a database: it remembers what it wrote, so a second one would read stale rows. */
export function openEventTable(database: Database): EventTable {
  let table = tables.get(database);
  if (table === undefined) {
    table = new SqliteEventTable(database);
    tables.set(database, table);
  }
  return table;
}
