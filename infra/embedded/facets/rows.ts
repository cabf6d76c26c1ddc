import { Buffer } from 'node:buffer';
import { type Event, severityRank } from '#domain/event/event.ts';
import { canonicalHost } from '#domain/event/identity/system.ts';
import type { EventPart } from '#domain/pipeline/processor.ts';
import type { RowReader } from '#infra/embedded/redo-log/connections.ts';
import type { Database } from '#infra/embedded/redo-log/database.ts';

/** The tenant as one search word: names hold hyphens, which would split it. */
export const tenantWord = (tenant: string): string => `t${Buffer.from(tenant).toString('hex')}`;

/** The place of a kind is its number in `facet_value`. */
const FACET_KINDS = ['host', 'service', 'environment', 'source', 'ci', 'assignee', 'tag', 'team'] as const;
export type FacetKind = (typeof FACET_KINDS)[number];
export const kindNumber = (kind: FacetKind): number => FACET_KINDS.indexOf(kind);

/** Values in memory; above this all are forgotten. */
const MAX_KNOWN = 200_000;
const READ = 'SELECT n FROM facet_value WHERE tenant = ? AND kind = ? AND value = ? LIMIT 1';
const ADD = 'INSERT INTO facet_value (n, tenant, kind, value) VALUES (?, ?, ?, ?)';

/**
 * Dictionary encoding of the filter values of events. A value that is evicted before it is in the file gets a second
 * number.
 */
class FacetValues {
  readonly #database: Database;
  #known: Map<string, number> = new Map();

  constructor(database: Database) {
    this.#database = database;
    database.onRollback(() => this.#known.clear());
  }

  /** Stores a value that has no number yet; null for none. To be called where changes are recorded. */
  numberOf(tenant: string, kind: FacetKind, value: string | undefined): number | null {
    if (value === undefined || value === '') return null;
    const key = `${kind} ${tenant} ${value}`;
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    if (this.#known.size >= MAX_KNOWN) this.#known.clear();
    const n = this.#stored(tenant, kind, value) ?? this.#add(tenant, kind, value);
    this.#known.set(key, n);
    return n;
  }

  #stored(tenant: string, kind: FacetKind, value: string): number | undefined {
    const row = this.#database.arrays<[number]>(READ).get(tenant, kindNumber(kind), value);
    return row?.[0];
  }

  #add(tenant: string, kind: FacetKind, value: string): number {
    const n = this.#database.next('facet_value', 'n');
    this.#database.write(ADD, n, tenant, kindNumber(kind), value);
    return n;
  }
}

const NUMBERS = `SELECT n FROM facet_value WHERE tenant = ? AND kind = ? AND value IN (SELECT value FROM json_each(?))`;

/** All numbers of the values. */
export const numbersOf = (reading: RowReader, tenant: string, kind: FacetKind, values: readonly string[]): number[] =>
  reading
    .arrays<[number]>(NUMBERS)
    .all(tenant, kindNumber(kind), JSON.stringify(values))
    .map(([n]) => n);

const VALUES = 'SELECT n, value FROM facet_value WHERE n IN (SELECT value FROM json_each(?))';

export const valuesOf = (reading: RowReader, numbers: readonly number[]): ReadonlyMap<number, string> =>
  new Map(reading.arrays<[number, string]>(VALUES).all(JSON.stringify(numbers)));

/** Bits of `event_facet.flags`. */
export const GROUPED = 1;
export const BOUND = 2;
export const USUAL = 4;

const INSERT = `INSERT INTO event_facet (seq, timestamp, status, severity, flags, source, host, service, environment, ci, assignee, team)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`;
const STATE = `UPDATE event_facet SET status = ?, severity = ?, flags = (flags & ${GROUPED}) | ?, ci = ? WHERE seq = ?`;
// An indexed column is named only when it changes.
const ASSIGN = 'UPDATE event_facet SET assignee = ? WHERE seq = ?';
const ASSIGN_TEAM = 'UPDATE event_facet SET team = ? WHERE seq = ?';
const GROUP = `UPDATE event_facet SET flags = (flags & ~${GROUPED}) | ? WHERE seq = ?`;
const SAY = 'UPDATE event_facet SET timestamp = ?, host = ?, service = ?, environment = ? WHERE seq = ?';
const TAG = 'INSERT OR IGNORE INTO event_tag VALUES (?, ?)';
const UNTAG = 'DELETE FROM event_tag WHERE tag = ? AND seq = ?';
const REMOVE = 'DELETE FROM event_facet WHERE seq = ?';

const hostOf = ({ hostname }: Event): string | undefined => hostname && canonicalHost(hostname);
const groupedFlag = ({ correlationId }: Event): number => (correlationId === null ? 0 : GROUPED);
const stateFlags = ({ ci, usual }: Event): number => (ci === null ? 0 : BOUND) + (usual ? USUAL : 0);

/** Stores, for each event, the values by which lists are filtered. */
export class FacetRows {
  readonly #database: Database;
  readonly #values: FacetValues;

  constructor(database: Database) {
    this.#database = database;
    this.#values = new FacetValues(database);
  }

  create(seq: number, event: Event, status: number): void {
    const { tenant } = event;
    this.#database.write(
      INSERT,
      seq,
      event.timestamp,
      status,
      severityRank(event.severity),
      groupedFlag(event) + stateFlags(event),
      this.#values.numberOf(tenant, 'source', event.source),
      ...this.#said(event),
      this.#values.numberOf(tenant, 'ci', event.ci?.id),
      this.#assignee(event),
      this.#team(event),
    );
    for (const tag of new Set(event.tags)) this.#tag(TAG, seq, tenant, tag);
  }

  /** Writes the changes of the parts. */
  update(seq: number, before: Event, event: Event, parts: ReadonlySet<EventPart>, status: number): void {
    if (parts.has('state')) this.#writeState(seq, before, event, status);
    if (parts.has('assigned')) this.#database.write(GROUP, groupedFlag(event), seq);
    if (parts.has('said')) this.#database.write(SAY, event.timestamp, ...this.#said(event), seq);
    if (parts.has('tally') && before.tags !== event.tags) this.#retag(seq, before, event);
  }

  remove(seq: number, { tenant, tags }: Event): void {
    this.#database.write(REMOVE, seq);
    for (const tag of new Set(tags)) this.#tag(UNTAG, seq, tenant, tag);
  }

  #writeState(seq: number, before: Event, event: Event, status: number): void {
    const ci = this.#values.numberOf(event.tenant, 'ci', event.ci?.id);
    this.#database.write(STATE, status, severityRank(event.severity), stateFlags(event), ci, seq);
    if (before.assignedTo?.id !== event.assignedTo?.id) this.#database.write(ASSIGN, this.#assignee(event), seq);
    if (before.assignedTeam?.id !== event.assignedTeam?.id) this.#database.write(ASSIGN_TEAM, this.#team(event), seq);
  }

  #said(event: Event): (number | null)[] {
    const { tenant, service, application, environment } = event;
    return [
      this.#values.numberOf(tenant, 'host', hostOf(event)),
      this.#values.numberOf(tenant, 'service', service ?? application),
      this.#values.numberOf(tenant, 'environment', environment),
    ];
  }

  #assignee({ tenant, assignedTo }: Event): number | null {
    return this.#values.numberOf(tenant, 'assignee', assignedTo?.id);
  }

  #team({ tenant, assignedTeam }: Event): number | null {
    return this.#values.numberOf(tenant, 'team', assignedTeam?.id);
  }

  #retag(seq: number, { tags: old }: Event, { tenant, tags }: Event): void {
    for (const tag of tags) if (!old.includes(tag)) this.#tag(TAG, seq, tenant, tag);
    for (const tag of old) if (!tags.includes(tag)) this.#tag(UNTAG, seq, tenant, tag);
  }

  #tag(text: string, seq: number, tenant: string, tag: string): void {
    const n = this.#values.numberOf(tenant, 'tag', tag);
    if (n !== null) this.#database.write(text, n, seq);
  }
}
