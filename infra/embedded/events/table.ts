import type { Event } from '#domain/event/event.ts';
import { isChange } from '#domain/event/identity/problem-kind.ts';
import { unboundKeys } from '#domain/event/identity/unbound.ts';
import { hourOf } from '#domain/event/source-counts.ts';
import { EVERY_PART } from '#domain/pipeline/batch.ts';
import type { EventKey, EventPart } from '#domain/pipeline/processor.ts';
import { FacetRows, tenantWord } from '#infra/embedded/facets/rows.ts';
import type { Database } from '#infra/embedded/redo-log/database.ts';
import { type CachedEventState, type CachedRow, EventRowCache, newest } from './cache.ts';
import { indexed, wordsDiffer } from './full-text.ts';
import {
  accumulatedOf,
  accumulatedText,
  bodyText,
  bucketOf,
  type EventTableRow,
  eventWith,
  latestText,
  magnitude,
  readAccumulated,
  severityRank,
  stateText,
  statusCode,
} from './row.ts';
import { type EventStatements, eventStatements, WRITES } from './statements.ts';

/** The fields by which an event is counted; source and time never change. */
type CounterFields = Pick<Event, 'tenant' | 'source' | 'status' | 'severity' | 'timestamp'>;
type Key = readonly (string | number)[];

const OF_SOURCES = 'INSERT INTO event_count VALUES (?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET n = n + excluded.n';
const OF_HOURS = 'INSERT INTO event_hour VALUES (?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET n = n + excluded.n';
const NO_HOURS = 'DELETE FROM event_hour WHERE tenant = ? AND hour = ? AND status = ? AND severity = ? AND n = 0';

/** Differences by key. */
class Differences {
  readonly #differences = new Map<string, { readonly key: Key; n: number }>();

  add(key: Key, n: number): void {
    const text = key.join('\n');
    const known = this.#differences.get(text);
    if (known === undefined) this.#differences.set(text, { key, n });
    else known.n += n;
  }

  *take(): Generator<{ readonly key: Key; readonly n: number }> {
    for (const difference of this.#differences.values()) if (difference.n !== 0) yield difference;
    this.#differences.clear();
  }

  clear(): void {
    this.#differences.clear();
  }
}

/**
 * Numbers of events by source and by hour of event time, each by status and severity. Within a batch or transaction differences are added
 * up, and written at its end: its events share few hours and sources.
 */
class StoredCounts {
  readonly #database: Database;
  readonly #sources = new Differences();
  readonly #hours = new Differences();

  constructor(database: Database) {
    this.#database = database;
    database.beforeCommit(() => this.#finish());
    database.onRollback(() => this.#forget());
  }

  add({ tenant, source, status, severity, timestamp }: CounterFields, n: number): void {
    const [code, rank] = [statusCode(status), severityRank(severity)];
    this.#sources.add([tenant, source, code, rank], n);
    this.#hours.add([tenant, hourOf(timestamp), code, rank], n);
    if (!this.#database.isWriting) this.#finish();
  }

  #finish(): void {
    for (const { key, n } of this.#sources.take()) this.#database.write(OF_SOURCES, ...key, n);
    for (const { key, n } of this.#hours.take()) {
      this.#database.write(OF_HOURS, ...key, n);
      if (n < 0) this.#database.write(NO_HOURS, ...key);
    }
  }

  #forget(): void {
    this.#sources.clear();
    this.#hours.clear();
  }
}

/** Fewer events than this are read one by one. */
const FEW = 2;

export interface EventTable {
  /** Returns the committed event. */
  get(tenant: string, id: string): Event | undefined;
  /** Returns existing committed events, in the order of the keys. */
  getMany(keys: readonly EventKey[]): Event[];
  /** The same as they will be when all submitted batches are committed. They change in place when a later change is submitted. */
  latest(keys: readonly EventKey[]): Event[];
  /** Deletes the row for ever; false when there is none. */
  remove(tenant: string, id: string): boolean;
  /** Writes no more than the parts; false when the stored position is higher. An event that is not there is created. */
  write(event: Event, parts: ReadonlySet<EventPart>): boolean;
}

const BOUND = [null, null] as const;
/** Returns the host name and address of an event without a CI, by which later CIs find it. */
function keysOf(event: Event): readonly [host: string | null, address: string | null] {
  if (event.ci !== null) return BOUND;
  const { host, address } = unboundKeys(event);
  return [host, address];
}

/** The basis of resolution times: an event that was opened again has none. */
const resolvedAtOf = (event: Event): number | null => (event.status === 'resolved' ? (event.resolvedAt ?? null) : null);

function storedOf(row: EventTableRow): CachedEventState {
  const accumulated = readAccumulated(row[20]);
  const [accumulatedSize, size] = [row[20].length, row[18].length + row[19].length];
  return { seq: row[0], event: eventWith(row, accumulated), accumulated, accumulatedSize, size };
}

/** The state as columns hold it. */
const stateColumns = (event: Event) => {
  const resolvedAt = resolvedAtOf(event);
  return [
    statusCode(event.status),
    severityRank(event.severity),
    event.ci?.id ?? null,
    resolvedAt,
    resolvedAt === null ? null : resolvedAt - event.firstOccurrence,
  ] as const;
};

class SqliteEventTable implements EventTable {
  readonly #memory: EventRowCache;
  readonly #sql: EventStatements;
  readonly #database: Database;
  readonly #facets: FacetRows;
  readonly #counts: StoredCounts;

  constructor(database: Database) {
    this.#facets = new FacetRows(database);
    this.#counts = new StoredCounts(database);
    this.#sql = eventStatements(database);
    this.#database = database;
    this.#memory = database.addListener((isRecording) => new EventRowCache(isRecording));
    database.onRollback(() => this.#memory.clear());
  }

  get(tenant: string, id: string): Event | undefined {
    const row = this.#find(tenant, id);
    if (row === undefined) return undefined;
    return this.#memory.isPending(row) ? this.#read(tenant, id)?.event : { ...row.event };
  }

  getMany(keys: readonly EventKey[]): Event[] {
    this.#prefetch(keys.filter(({ tenant, id }) => this.#memory.get(tenant, id) === undefined));
    return keys.map(({ tenant, id }) => this.get(tenant, id)).filter((event) => event !== undefined);
  }

  latest(keys: readonly EventKey[]): Event[] {
    const rows = keys.map(({ tenant, id }) => this.#memory.get(tenant, id));
    this.#prefetch(keys.filter((_, index) => rows[index] === undefined));
    const found: Event[] = [];
    for (const [index, { tenant, id }] of keys.entries()) {
      const row = rows[index] ?? this.#find(tenant, id);
      if (row !== undefined) found.push(newest(row).event);
    }
    return found;
  }

  write(event: Event, parts: ReadonlySet<EventPart>): boolean {
    const row = this.#find(event.tenant, event.id);
    if (row === undefined) this.#create(event);
    else {
      const stored = newest(row);
      if (stored.event.position > event.position) return false;
      this.#update(row, stored, event, parts.has('created') ? EVERY_PART : parts);
    }
    return true;
  }

  remove(tenant: string, id: string): boolean {
    const row = this.#find(tenant, id);
    if (row === undefined) return false;
    for (const text of WRITES.remove) this.#database.write(text, row.seq);
    this.#facets.remove(row.seq, newest(row).event);
    this.#counts.add(newest(row).event, -1);
    this.#memory.delete(id);
    return true;
  }

  #find(tenant: string, id: string): CachedRow | undefined {
    const row = this.#memory.get(tenant, id);
    if (row !== undefined) return row;
    const stored = this.#read(tenant, id);
    return stored && this.#memory.keep(stored);
  }

  #read(tenant: string, id: string): CachedEventState | undefined {
    const row = this.#sql.select.get(tenant, id);
    return row && storedOf(row);
  }

  /** One statement for many that are not in memory costs less than one for each. */
  #prefetch(missing: readonly EventKey[]): void {
    if (missing.length < FEW) return;
    const keys = JSON.stringify(missing.map(({ tenant, id }) => [tenant, id]));
    for (const row of this.#sql.selectMany.all(keys)) this.#memory.keep(storedOf(row));
  }

  #create(event: Event): void {
    const { tenant, firstOccurrence: first, seen } = event;
    const status = statusCode(event.status);
    const severity = severityRank(event.severity);
    const resolvedAt = resolvedAtOf(event);
    const [body, state, accumulated] = [bodyText(event), stateText(event), accumulatedText(event)];
    const seq = this.#database.next('event', 'seq');
    this.#database.write(
      WRITES.insert,
      seq,
      tenant,
      event.id,
      status,
      severity,
      event.source,
      event.timestamp,
      event.createdAt,
      event.createdPosition,
      event.identity,
      event.ci?.id ?? null,
      ...keysOf(event),
      event.correlationId,
      resolvedAt,
      resolvedAt === null ? null : resolvedAt - first,
      body,
      state,
      accumulated,
      event.signature,
    );
    this.#database.write(
      WRITES.insertTally,
      seq,
      tenant,
      status,
      severity,
      first,
      event.lastOccurrence,
      bucketOf(event.lastOccurrence),
      event.count,
      magnitude(event.count),
      seen.bin,
      seen.bits,
      event.position,
      event.updatedAt,
      null,
    );
    this.#writeText(seq, event);
    this.#facets.create(seq, event, status);
    if (isChange(event)) this.#database.write(WRITES.change, 1, seq);
    if (event.silencing !== undefined) this.#database.write(WRITES.silence, event.silencing.by, seq);
    this.#counts.add(event, 1);
    const sizes = { accumulatedSize: accumulated.length, size: body.length + state.length };
    this.#memory.create({ seq, event, accumulated: accumulatedOf(event), ...sizes });
  }

  #update(row: CachedRow, stored: CachedEventState, event: Event, parts: ReadonlySet<EventPart>): void {
    const { seq, event: before } = stored;
    const { accumulated, accumulatedSize } = parts.has('tally') ? this.#writeTally(stored, event) : stored;
    if (!parts.has('tally')) this.#database.write(WRITES.touch, event.position, event.updatedAt, seq);
    if (parts.has('state')) this.#writeState(stored, event);
    if (parts.has('assigned')) this.#database.write(WRITES.assign, event.correlationId, seq);
    this.#facets.update(seq, before, event, parts, statusCode(event.status));
    if (before.tags !== event.tags || before.category !== event.category)
      this.#database.write(WRITES.change, isChange(event) ? 1 : 0, seq);
    if (parts.has('said'))
      this.#database.write(WRITES.rewrite, event.timestamp, ...keysOf(event), bodyText(event), seq);
    const words = parts.has('created') || ((parts.has('tally') || parts.has('said')) && wordsDiffer(before, event));
    if (words) this.#writeText(seq, event);
    this.#memory.change(row, { parts, event, accumulated, accumulatedSize });
  }

  /** Returns what `event.gathered` holds now. An index is touched only when its columns change, which few repeats do. */
  #writeTally(stored: CachedEventState, event: Event): Pick<CachedEventState, 'accumulated' | 'accumulatedSize'> {
    const { seq, event: before } = stored;
    const { firstOccurrence: first, lastOccurrence: last, count, seen } = event;
    const latest = latestText(stored.accumulated, event);
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
    if (first !== before.firstOccurrence || bucketOf(last) !== bucketOf(before.lastOccurrence))
      this.#database.write(WRITES.move, first, bucketOf(last), seq);
    if (magnitude(count) !== magnitude(before.count)) this.#database.write(WRITES.magnitude, magnitude(count), seq);
    return latest === undefined ? this.#accumulate(seq, event) : stored;
  }

  #accumulate(seq: number, event: Event): Pick<CachedEventState, 'accumulated' | 'accumulatedSize'> {
    const text = accumulatedText(event);
    this.#database.write(WRITES.gathered, text, seq);
    return { accumulated: accumulatedOf(event), accumulatedSize: text.length };
  }

  #writeText(seq: number, event: Event): void {
    this.#database.write(
      WRITES.text,
      seq,
      tenantWord(event.tenant),
      indexed(event.title),
      indexed(event.description ?? ''),
    );
  }

  #writeState({ seq, event: before }: CachedEventState, event: Event): void {
    const [status, severity] = stateColumns(event);
    if (before.status !== event.status || before.severity !== event.severity) {
      this.#database.write(WRITES.tallyState, status, severity, seq);
      this.#counts.add(before, -1);
      this.#counts.add(event, 1);
    }
    const columns = stateColumns(event);
    const isSame = stateColumns(before).every((value, place) => value === columns[place]);
    // Nine indexes and the counts of groups depend on these columns; an analysis or a note changes none.
    if (isSame && before.supersededBy === event.supersededBy) this.#database.write(WRITES.told, stateText(event), seq);
    else this.#database.write(WRITES.state, ...columns, stateText(event), seq);
    if (before.signature !== event.signature) this.#database.write(WRITES.sign, event.signature, seq);
    if (before.silencing?.by !== event.silencing?.by)
      this.#database.write(WRITES.silence, event.silencing?.by ?? null, seq);
  }
}

/** One per database: it caches its writes, so a second one would read stale rows. */
export const openEventTable = (database: Database): EventTable => new SqliteEventTable(database);
