import type { Event } from '#domain/event/event.ts';
import { unboundKeys } from '#domain/event/unbound.ts';
import type { EventKey, EventPart } from '#domain/ports/processor.ts';
import type { Database } from './database.ts';
import { covers } from './event-covers.ts';
import { type Gathered, gatheredOf, gatheredText, latestText, readGathered } from './event-gathered.ts';
import { bodyText, type EventRow, eventWith, magnitude, severityRank, stateText, statusCode } from './event-row.ts';
import { slotOf } from './event-slot.ts';
import { type EventStatements, eventStatements } from './event-statements.ts';
import { tenantWord, wordsDiffer } from './event-text.ts';
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
  get(tenant: string, id: string): Event | undefined;
  /** Those that exist, in the order of the keys. */
  getMany(keys: readonly EventKey[]): Event[];
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

const EVERYTHING: ReadonlySet<EventPart> = new Set<EventPart>(['created', 'tally', 'state', 'assigned']);

/** What resolution times are measured by: an event that was opened again has none. */
const resolvedAtOf = (event: Event): number | null => (event.status === 'resolved' ? (event.resolvedAt ?? null) : null);

class SqliteEventTable implements EventTable {
  readonly #recent = new Recent<string, Stored>(
    RECENT_CHARACTERS,
    ({ size, gatheredSize }) => size + gatheredSize + EVENT_CHARACTERS,
  );
  readonly #sql: EventStatements;

  constructor(database: Database) {
    this.#sql = eventStatements(database.db);
    database.onRollback(() => this.#recent.clear());
  }

  get(tenant: string, id: string): Event | undefined {
    return this.#find(tenant, id)?.event;
  }

  getMany(keys: readonly EventKey[]): Event[] {
    this.#prefetch(keys);
    const found: Event[] = [];
    for (const { tenant, id } of keys) {
      const stored = this.#find(tenant, id);
      if (stored !== undefined) found.push(stored.event);
    }
    return found;
  }

  write(event: Event, parts: ReadonlySet<EventPart>): boolean {
    if (parts.has('created') && this.#create(event)) return true;
    const stored = this.#find(event.tenant, event.id);
    if (stored === undefined) return this.#create(event);
    if (stored.event.position > event.position) return false;
    this.#update(stored, event, parts.has('created') ? EVERYTHING : parts);
    return true;
  }

  remove(tenant: string, id: string): boolean {
    const stored = this.#find(tenant, id);
    if (stored === undefined) return false;
    for (const statement of this.#sql.remove) statement.run(stored.seq);
    this.#addToCount(stored.event, -1);
    this.#recent.delete(id);
    return true;
  }

  #find(tenant: string, id: string): Stored | undefined {
    const recent = this.#recent.get(id);
    if (recent?.event.tenant === tenant) return recent;
    const row = this.#sql.select.get(tenant, id) as EventRow | undefined;
    return row && this.#read(row);
  }

  /** One statement for all that is not in memory costs a third of one for each. */
  #prefetch(keys: readonly EventKey[]): void {
    const missing = new Map<string, string[]>();
    for (const { tenant, id } of keys) {
      if (this.#recent.get(id)?.event.tenant === tenant) continue;
      const ids = missing.get(tenant);
      if (ids === undefined) missing.set(tenant, [id]);
      else ids.push(id);
    }
    for (const [tenant, ids] of missing) {
      if (ids.length < FEW) continue;
      for (const row of this.#sql.selectMany.all(tenant, JSON.stringify(ids))) this.#read(row as unknown as EventRow);
    }
  }

  #read(row: EventRow): Stored {
    const gathered = readGathered(row[20]);
    const [gatheredSize, size] = [row[20].length, row[18].length + row[19].length];
    return this.#remember({ seq: row[0], event: eventWith(row, gathered), gathered, gatheredSize, size });
  }

  #create(event: Event): boolean {
    const { tenant, firstOccurrence: first, seen } = event;
    const status = statusCode(event.status);
    const severity = severityRank(event.severity);
    const resolvedAt = resolvedAtOf(event);
    const [body, state, gathered] = [bodyText(event), stateText(event), gatheredText(event)];
    const { changes, lastInsertRowid: seq } = this.#sql.insert.run(
      ...[tenant, event.id, status, severity, event.source, event.timestamp, event.createdAt, event.createdPosition],
      ...[event.identity, event.ci?.id ?? null, ...keysOf(event), event.correlationId, resolvedAt],
      ...[resolvedAt === null ? null : resolvedAt - first, body, state, gathered],
    );
    if (changes === 0) return false;
    this.#sql.insertTally.run(
      ...[seq, tenant, status, severity, first, event.lastOccurrence, slotOf(event.lastOccurrence), event.count],
      ...[magnitude(event.count), seen.bin, seen.bits, event.position, event.updatedAt, null],
    );
    this.#writeText(seq, event);
    this.#addToCount(event, 1);
    const sizes = { gatheredSize: gathered.length, size: body.length + state.length };
    this.#remember({ seq: Number(seq), event, gathered: gatheredOf(event), ...sizes });
    return true;
  }

  #update(stored: Stored, event: Event, parts: ReadonlySet<EventPart>): void {
    const { seq, event: before } = stored;
    const { gathered, gatheredSize } = parts.has('tally') ? this.#writeTally(stored, event) : stored;
    if (!parts.has('tally')) this.#sql.touch.run(event.position, event.updatedAt, seq);
    if (parts.has('state')) this.#writeState(stored, event);
    if (parts.has('assigned')) this.#sql.assign.run(event.correlationId, seq);
    if (parts.has('created')) this.#sql.rewrite.run(event.timestamp, bodyText(event), seq);
    if (parts.has('created') || (parts.has('tally') && wordsDiffer(before, event))) this.#writeText(seq, event);
    if (covers(parts, before, event)) this.#remember({ seq, event, gathered, gatheredSize, size: stored.size });
    else this.#recent.delete(event.id);
  }

  /** Returns what `event.gathered` holds now. An index is touched only when its columns change, which few repeats do. */
  #writeTally(stored: Stored, event: Event): Pick<Stored, 'gathered' | 'gatheredSize'> {
    const { seq, event: before } = stored;
    const { firstOccurrence: first, lastOccurrence: last, count, seen } = event;
    const latest = latestText(stored.gathered, event);
    this.#sql.tally.run(last, count, seen.bin, seen.bits, event.position, event.updatedAt, latest ?? null, seq);
    if (first !== before.firstOccurrence || slotOf(last) !== slotOf(before.lastOccurrence))
      this.#sql.move.run(first, slotOf(last), seq);
    if (magnitude(count) !== magnitude(before.count)) this.#sql.magnitude.run(magnitude(count), seq);
    return latest === undefined ? this.#gather(seq, event) : stored;
  }

  #gather(seq: number, event: Event): Pick<Stored, 'gathered' | 'gatheredSize'> {
    const text = gatheredText(event);
    this.#sql.gathered.run(text, seq);
    return { gathered: gatheredOf(event), gatheredSize: text.length };
  }

  #writeText(seq: number | bigint, event: Event): void {
    this.#sql.text.run(seq, tenantWord(event.tenant), event.title, event.description ?? '');
  }

  #writeState({ seq, event: before }: Stored, event: Event): void {
    const resolvedAt = resolvedAtOf(event);
    const status = statusCode(event.status);
    const severity = severityRank(event.severity);
    if (before.status !== event.status || before.severity !== event.severity) {
      this.#sql.tallyState.run(status, severity, seq);
      this.#addToCount(before, -1);
      this.#addToCount(event, 1);
    }
    this.#sql.state.run(
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
    this.#sql.count.run(tenant, source, statusCode(status), severityRank(severity), n);
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
