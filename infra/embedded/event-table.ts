import type { StatementSync } from 'node:sqlite';
import type { Event } from '#domain/event/event.ts';
import type { EventKey, EventPart } from '#domain/ports/processor.ts';
import type { Database } from './database.ts';
import {
  bodyText,
  type EventRow,
  magnitude,
  restText,
  SELECT_EVENT,
  severityRank,
  stateText,
  statusCode,
  toEvent,
} from './event-row.ts';
import { tenantWord, wordsDiffer } from './event-text.ts';
import { Recent } from './recent.ts';

/** Characters of text in events kept in memory, so that duplicates of busy events read nothing. */
const RECENT_CHARACTERS = 32 * 1024 * 1024;
/** What an event weighs besides its texts. */
const EVENT_CHARACTERS = 600;
/** Fewer events than this are read one by one. */
const FEW = 4;

interface Stored {
  readonly seq: number;
  readonly magnitude: number;
  /** Characters of its texts. */
  readonly size: number;
  readonly event: Event;
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

const sameTally = (a: Event, b: Event): boolean =>
  a.count === b.count &&
  a.lastOccurrence === b.lastOccurrence &&
  a.firstOccurrence === b.firstOccurrence &&
  a.tags === b.tags &&
  a.details === b.details &&
  a.conditions === b.conditions &&
  a.seen === b.seen &&
  a.description === b.description;

const sameState = (a: Event, b: Event): boolean =>
  a.status === b.status &&
  a.severity === b.severity &&
  a.signature === b.signature &&
  a.history === b.history &&
  a.ci === b.ci &&
  a.usual === b.usual &&
  a.assignedTo === b.assignedTo &&
  a.assignedTeam === b.assignedTeam &&
  a.acknowledgedBy === b.acknowledgedBy &&
  a.acknowledgedAt === b.acknowledgedAt &&
  a.resolvedBy === b.resolvedBy &&
  a.resolvedAt === b.resolvedAt &&
  a.resolutionNotes === b.resolutionNotes &&
  a.resolutionCategory === b.resolutionCategory &&
  a.aiAnalysis === b.aiAnalysis &&
  a.businessImpact === b.businessImpact;

/** True when the row now equals `after`, so that it may stand for the row in memory. */
const covers = (parts: ReadonlySet<EventPart>, before: Event, after: Event): boolean =>
  (parts.has('tally') || sameTally(before, after)) &&
  (parts.has('state') || sameState(before, after)) &&
  (parts.has('assigned') || before.correlationId === after.correlationId);

const EVERYTHING: ReadonlySet<EventPart> = new Set<EventPart>(['created', 'tally', 'state', 'assigned']);

/** What resolution times are measured by: an event that was opened again has none. */
const resolvedAtOf = (event: Event): number | null => (event.status === 'resolved' ? (event.resolvedAt ?? null) : null);

class SqliteEventTable implements EventTable {
  readonly #recent = new Recent<string, Stored>(RECENT_CHARACTERS, ({ size }) => size + EVENT_CHARACTERS);
  readonly #select: StatementSync;
  readonly #selectMany: StatementSync;
  readonly #insert: StatementSync;
  readonly #insertTally: StatementSync;
  readonly #text: StatementSync;
  readonly #tally: StatementSync;
  readonly #magnitude: StatementSync;
  readonly #touch: StatementSync;
  readonly #state: StatementSync;
  readonly #tallyState: StatementSync;
  readonly #assign: StatementSync;
  readonly #rewrite: StatementSync;
  readonly #count: StatementSync;
  readonly #remove: readonly StatementSync[];

  constructor(database: Database) {
    const { db } = database;
    this.#select = db.prepare(`${SELECT_EVENT} WHERE e.tenant = ? AND e.id = ?`, { returnArrays: true });
    this.#selectMany = db.prepare(`${SELECT_EVENT} WHERE e.tenant = ? AND e.id IN (SELECT value FROM json_each(?))`, {
      returnArrays: true,
    });
    this.#insert = db.prepare(`INSERT INTO event (tenant, id, status, severity, source, timestamp, created_at,
      created_position, identity, ci_id, correlation_id, resolved_at, open_ms, body, state)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`);
    this.#insertTally = db.prepare('INSERT INTO tally VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)');
    this.#text = db.prepare(
      'INSERT OR REPLACE INTO event_text (rowid, tenant, title, description) VALUES (?, ?, ?, ?)',
    );
    this.#tally =
      db.prepare(`UPDATE tally SET first = ?, last = ?, count = ?, seen_bin = ?, seen_bits = ?, position = ?,
      updated_at = ?, rest = ? WHERE seq = ?`);
    this.#magnitude = db.prepare('UPDATE tally SET magnitude = ? WHERE seq = ?');
    this.#touch = db.prepare('UPDATE tally SET position = ?, updated_at = ? WHERE seq = ?');
    this.#state = db.prepare(`UPDATE event SET status = ?, severity = ?, ci_id = ?, resolved_at = ?, open_ms = ?,
      state = ? WHERE seq = ?`);
    this.#tallyState = db.prepare('UPDATE tally SET status = ?, severity = ? WHERE seq = ?');
    this.#count = db.prepare(
      'INSERT INTO event_count VALUES (?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET n = n + excluded.n',
    );
    this.#remove = ['event WHERE seq', 'tally WHERE seq', 'event_text WHERE rowid'].map((rows) =>
      db.prepare(`DELETE FROM ${rows} = ?`),
    );
    this.#assign = db.prepare('UPDATE event SET correlation_id = ? WHERE seq = ?');
    this.#rewrite = db.prepare('UPDATE event SET timestamp = ?, body = ? WHERE seq = ?');
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
    for (const statement of this.#remove) statement.run(stored.seq);
    this.#addToCount(stored.event, -1);
    this.#recent.delete(id);
    return true;
  }

  #find(tenant: string, id: string): Stored | undefined {
    const recent = this.#recent.get(id);
    if (recent?.event.tenant === tenant) return recent;
    const row = this.#select.get(tenant, id) as EventRow | undefined;
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
      for (const row of this.#selectMany.all(tenant, JSON.stringify(ids))) this.#read(row as unknown as EventRow);
    }
  }

  #read(row: EventRow): Stored {
    const size = row[19].length + row[20].length + row[21].length;
    const stored = { seq: row[0], magnitude: row[1], size, event: toEvent(row) };
    this.#recent.set(row[3], stored);
    return stored;
  }

  #create(event: Event): boolean {
    const { tenant, firstOccurrence: first, seen } = event;
    const status = statusCode(event.status);
    const severity = severityRank(event.severity);
    const resolvedAt = resolvedAtOf(event);
    const [body, state, rest] = [bodyText(event), stateText(event), restText(event)];
    const { changes, lastInsertRowid: seq } = this.#insert.run(
      ...[tenant, event.id, status, severity, event.source, event.timestamp, event.createdAt, event.createdPosition],
      ...[event.identity, event.ci?.id ?? null, event.correlationId, resolvedAt],
      ...[resolvedAt === null ? null : resolvedAt - first, body, state],
    );
    if (changes === 0) return false;
    const size = magnitude(event.count);
    this.#insertTally.run(
      ...[seq, tenant, status, severity, first, event.lastOccurrence, event.count, size],
      ...[seen.bin, seen.bits, event.position, event.updatedAt, rest],
    );
    this.#writeText(seq, event);
    this.#addToCount(event, 1);
    this.#remember(event, Number(seq), size, body.length + state.length + rest.length);
    return true;
  }

  #update(stored: Stored, event: Event, parts: ReadonlySet<EventPart>): void {
    const { seq, event: before } = stored;
    let { size } = stored;
    if (parts.has('tally')) size = this.#writeTally(stored, event);
    else this.#touch.run(event.position, event.updatedAt, seq);
    if (parts.has('state')) this.#writeState(stored, event);
    if (parts.has('assigned')) this.#assign.run(event.correlationId, seq);
    if (parts.has('created')) this.#rewrite.run(event.timestamp, bodyText(event), seq);
    if (parts.has('created') || (parts.has('tally') && wordsDiffer(before, event))) this.#writeText(seq, event);
    if (covers(parts, before, event)) this.#remember(event, seq, magnitude(event.count), size);
    else this.#recent.delete(event.id);
  }

  /** Returns the characters of what it wrote. */
  #writeTally({ seq, magnitude: before }: Stored, event: Event): number {
    const rest = restText(event);
    this.#tally.run(
      event.firstOccurrence,
      event.lastOccurrence,
      event.count,
      event.seen.bin,
      event.seen.bits,
      event.position,
      event.updatedAt,
      rest,
      seq,
    );
    const now = magnitude(event.count);
    if (now !== before) this.#magnitude.run(now, seq);
    return rest.length;
  }

  #writeText(seq: number | bigint, event: Event): void {
    this.#text.run(seq, tenantWord(event.tenant), event.title, event.description ?? '');
  }

  #writeState({ seq, event: before }: Stored, event: Event): void {
    const resolvedAt = resolvedAtOf(event);
    const status = statusCode(event.status);
    const severity = severityRank(event.severity);
    if (before.status !== event.status || before.severity !== event.severity) {
      this.#tallyState.run(status, severity, seq);
      this.#addToCount(before, -1);
      this.#addToCount(event, 1);
    }
    this.#state.run(
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
    this.#count.run(tenant, source, statusCode(status), severityRank(severity), n);
  }

  #remember(event: Event, seq: number, size: number, characters: number): void {
    this.#recent.set(event.id, { seq, magnitude: size, size: characters, event });
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
