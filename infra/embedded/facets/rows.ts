import { type Event, severityRank } from '#domain/event/event.ts';
import { canonicalHost } from '#domain/event/identity/system.ts';
import type { EventPart } from '#domain/pipeline/processor.ts';
import type { Database } from '#infra/embedded/journal/database.ts';
import { FacetValues } from './values.ts';

/** Bits of `event_facet.flags`. */
export const GROUPED = 1;
export const BOUND = 2;
export const USUAL = 4;

const INSERT = `INSERT INTO event_facet (seq, timestamp, status, severity, flags, source, host, service, environment, ci, assignee)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`;
const STATE = `UPDATE event_facet SET status = ?, severity = ?, flags = (flags & ${GROUPED}) | ?, ci = ? WHERE seq = ?`;
// What is in an index is named only when it changes.
const ASSIGN = 'UPDATE event_facet SET assignee = ? WHERE seq = ?';
const GROUP = `UPDATE event_facet SET flags = (flags & ~${GROUPED}) | ? WHERE seq = ?`;
const SAY = 'UPDATE event_facet SET timestamp = ?, host = ?, service = ?, environment = ? WHERE seq = ?';
const TAG = 'INSERT OR IGNORE INTO event_tag VALUES (?, ?)';
const UNTAG = 'DELETE FROM event_tag WHERE tag = ? AND seq = ?';
const REMOVE = 'DELETE FROM event_facet WHERE seq = ?';

const hostOf = ({ hostname }: Event): string | undefined => hostname && canonicalHost(hostname);
const groupedFlag = ({ correlationId }: Event): number => (correlationId === null ? 0 : GROUPED);
const stateFlags = ({ ci, usual }: Event): number => (ci === null ? 0 : BOUND) + (usual ? USUAL : 0);

/** Keeps, for each event, what lists are narrowed by. */
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
      ...[seq, event.timestamp, status, severityRank(event.severity), groupedFlag(event) + stateFlags(event)],
      ...[this.#values.numberOf(tenant, 'source', event.source), ...this.#said(event)],
      ...[this.#values.numberOf(tenant, 'ci', event.ci?.id), this.#assignee(event)],
    );
    for (const tag of new Set(event.tags)) this.#tag(TAG, seq, tenant, tag);
  }

  /** Writes what has changed of the parts. */
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

  #retag(seq: number, { tags: old }: Event, { tenant, tags }: Event): void {
    for (const tag of tags) if (!old.includes(tag)) this.#tag(TAG, seq, tenant, tag);
    for (const tag of old) if (!tags.includes(tag)) this.#tag(UNTAG, seq, tenant, tag);
  }

  #tag(text: string, seq: number, tenant: string, tag: string): void {
    const n = this.#values.numberOf(tenant, 'tag', tag);
    if (n !== null) this.#database.write(text, n, seq);
  }
}
