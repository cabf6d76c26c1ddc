import type { Decision, Enriched, Group } from '#domain/correlation/records.ts';
import { Lru } from '#domain/lru.ts';
import type { Database } from '#infra/embedded/redo-log/database.ts';
import { WriteBehindCache } from '#infra/embedded/redo-log/write-behind.ts';
import type { ValidityOf } from '#infra/embedded/topology/cache.ts';
import { RecentLinks } from '#infra/event-links.ts';
import type { CiDictionary } from './ci-dictionary.ts';
import {
  DECISION_COLUMNS,
  type DecisionRow,
  eventNumber,
  type PackedDecision,
  SPLITS,
  toDecision,
} from './decision-row.ts';
import { EnrichedTable } from './enriched-table.ts';

export interface CorrelationTable {
  /** Create-only by position: false when the position has a record. */
  writeEnriched(enriched: Enriched): boolean;
  /** Create-only by position: false when the position has a decision. */
  writeDecision(decision: PackedDecision): boolean;
  /** Fenced: false when the stored position is higher. */
  writeGroup(group: Group): boolean;
  /** The newest enriched record of an event, as committed. */
  enriched(tenant: string, eventId: string): Enriched | undefined;
  /** The newest up to a position, as it will be when all submitted batches are committed. */
  latestEnriched(tenant: string, eventId: string, through?: number): Enriched | undefined;
  /** Returns the current group of this id. */
  group(tenant: string, idOrAlias: string): Group | undefined;
  /** Decisions in which one of the events is the arrival or a partner, each once, by position. */
  decisionsOf(tenant: string, eventIds: readonly string[], limit: number): Decision[];
  /** Links of the decisions written by this table. */
  readonly recent: RecentLinks;
  /** Deletes all rows of an event; decisions of its partners stay until those are deleted. */
  forget(tenant: string, eventId: string): void;
}

/** Characters of packed decisions cached unpacked. */
const DECISION_CHARACTERS = 4 * 1024 * 1024;

/** The same in SQL, of the event with id ?3. */
const NAMES_EVENT = '(d.event = ?3 OR instr(d.links, ?3) > 0 OR instr(d.outcome, ?3) > 0)';

const isAbout = ({ eventId, accepted, refused, apart }: Decision, ids: ReadonlySet<string>): boolean =>
  ids.has(eventId) ||
  (apart !== undefined && [...apart.left, ...apart.stayed].some((id) => ids.has(id))) ||
  accepted.some(({ other }) => ids.has(other)) ||
  refused.some(({ other }) => ids.has(other));

const INSERT_DECISION = `INSERT INTO decision (seq, position, tenant, event, grp, outcome, links) VALUES (?, ?, ?, ?, ?, ?, ?)
  ON CONFLICT DO NOTHING`;
const INSERT_LINK = 'INSERT INTO decision_link (event, decision) VALUES (?, ?) ON CONFLICT DO NOTHING';
const PUT_GROUP = `INSERT INTO grp (tenant, id, status, merged_into, first, last, size, position, body)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
  ON CONFLICT (tenant, id) DO UPDATE SET status = excluded.status, merged_into = excluded.merged_into,
    first = excluded.first, last = excluded.last, size = excluded.size, position = excluded.position,
    body = excluded.body
  WHERE excluded.position >= grp.position`;
const PUT_ALIAS =
  'INSERT INTO grp_alias VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET grp = excluded.grp WHERE grp <> excluded.grp';
/** Names that a group lost when it was merged; none while it is unmerged, as nearly all written ones are. */
const TAKE_BACK = `DELETE FROM grp_alias WHERE tenant = ?1 AND alias IN (SELECT value FROM json_each(?3))
  AND EXISTS (SELECT 1 FROM grp_alias WHERE tenant = ?1 AND alias = ?2)`;

/** Groups merged one into the next; a longer chain would be a circle. */
const MAX_MERGES = 10_000;

class SqliteCorrelationTable implements CorrelationTable {
  readonly recent = new RecentLinks();
  readonly #database: Database;
  readonly #enriched: EnrichedTable;
  readonly #pending: WriteBehindCache<string, Enriched>;
  readonly #decisions = new Lru<number, { readonly decision: Decision; readonly size: number }>(
    DECISION_CHARACTERS,
    ({ size }) => size,
  );

  constructor(database: Database, names: CiDictionary, validityOf: ValidityOf) {
    this.#database = database;
    this.#enriched = new EnrichedTable(database, names, validityOf);
    this.#pending = database.addListener((isRecording) => new WriteBehindCache(isRecording));
    database.onRollback(() => {
      this.#enriched.forget();
      this.#decisions.clear();
      this.recent.clear();
    });
  }

  writeEnriched(enriched: Enriched): boolean {
    this.#pending.set(enriched.arrival.eventId, enriched);
    return this.#enriched.write(enriched);
  }

  latestEnriched(tenant: string, eventId: string, through = Number.MAX_SAFE_INTEGER): Enriched | undefined {
    const pending = this.#pending.get(eventId);
    if (pending?.arrival.tenant !== tenant) return this.#enriched.newest(tenant, eventId, through);
    if (pending.arrival.position <= through) return pending;
    // Earlier ones may be pending, too.
    this.#database.waitApplied();
    return this.#enriched.newest(tenant, eventId, through);
  }

  enriched(tenant: string, eventId: string): Enriched | undefined {
    return this.#enriched.newest(tenant, eventId);
  }

  writeDecision(decision: PackedDecision): boolean {
    const { tenant, position, eventId, groupId, outcome, links, events } = decision;
    const seq = this.#database.next('decision', 'seq');
    const changes = this.#database.write(INSERT_DECISION, seq, position, tenant, eventId, groupId, outcome, links);
    if (changes === 0) return false;
    for (const event of events) this.#database.write(INSERT_LINK, event, seq);
    this.recent.note(decision);
    return true;
  }

  decisionsOf(tenant: string, eventIds: readonly string[], limit: number): Decision[] {
    const linked = this.#database.arrays<[seq: number, position: number]>(
      `SELECT d.seq, d.position FROM decision_link l CROSS JOIN decision d ON d.seq = l.decision
       WHERE l.event = ? AND d.tenant = ?`,
    );
    const positions = new Map<number, number>();
    for (const id of eventIds)
      for (const [seq, position] of linked.iterate(eventNumber(id), tenant)) positions.set(seq, position);
    const ids = new Set(eventIds);
    const found: Decision[] = [];
    for (const [seq] of [...positions].sort(([, a], [, b]) => a - b)) {
      const decision = this.#decision(seq);
      // The number of an event may be shared.
      if (decision === undefined || !isAbout(decision, ids)) continue;
      found.push(decision);
      if (found.length === limit) break;
    }
    return found;
  }

  /** Decisions never change, and the events of one page are in the same ones. */
  #decision(seq: number): Decision | undefined {
    const known = this.#decisions.get(seq);
    if (known !== undefined) return known.decision;
    const row = this.#database.arrays(`SELECT ${DECISION_COLUMNS} FROM decision d WHERE d.seq = ?`).get(seq) as
      | DecisionRow
      | undefined;
    if (row === undefined) return undefined;
    const decision = toDecision(row);
    this.#decisions.set(seq, { decision, size: row[5].length });
    return decision;
  }

  forget(tenant: string, eventId: string): void {
    const key = eventNumber(eventId);
    const { write } = this.#database;
    this.#decisions.clear();
    this.recent.forget(eventId);
    write('DELETE FROM enriched WHERE tenant = ? AND event = ?', tenant, eventId);
    write(
      `DELETE FROM decision WHERE seq IN (SELECT decision FROM decision_link WHERE event = ?) AND tenant = ? AND event = ?`,
      key,
      tenant,
      eventId,
    );
    write(
      `DELETE FROM decision_link WHERE event = ${SPLITS} AND NOT EXISTS (SELECT 1 FROM decision d WHERE d.seq = decision)`,
    );
    write(
      `DELETE FROM decision_link WHERE event = ?1 AND NOT EXISTS
         (SELECT 1 FROM decision d WHERE d.seq = decision AND NOT (d.tenant = ?2 AND ${NAMES_EVENT}))`,
      key,
      tenant,
      eventId,
    );
  }

  writeGroup(group: Group): boolean {
    const { tenant, id } = group;
    const changes = this.#database.write(
      PUT_GROUP,
      tenant,
      id,
      group.status,
      group.mergedInto,
      group.first,
      group.last,
      group.size,
      group.position,
      JSON.stringify(group),
    );
    if (changes === 0) return false;
    // Names of a merged group refer to its target, which may have been written before it.
    if (group.mergedInto !== null) return true;
    // Its merge is undone: its names are its own again.
    this.#database.write(TAKE_BACK, tenant, id, JSON.stringify([...group.aliases, id]));
    for (const name of group.aliases) this.#database.write(PUT_ALIAS, tenant, name, id);
    return true;
  }

  group(tenant: string, idOrAlias: string): Group | undefined {
    const byId = this.#database.statement('SELECT body FROM grp WHERE tenant = ? AND id = ?');
    const byAlias = this.#database.statement('SELECT grp FROM grp_alias WHERE tenant = ? AND alias = ?');
    let id: string | null = idOrAlias;
    for (let i = 0; i < MAX_MERGES && id !== null; i++) {
      const row = byId.get(tenant, id) as { body: string } | undefined;
      const group = row && (JSON.parse(row.body) as Group);
      if (group && group.status !== 'merged') return group;
      id = group?.mergedInto ?? (byAlias.get(tenant, id) as { grp: string } | undefined)?.grp ?? null;
    }
    return undefined;
  }
}

/**
 * One per database: it caches its writes. `names` and `validityOf` are shared with other readers and caches of
 * surroundings.
 */
export const openCorrelationTable = (
  database: Database,
  names: CiDictionary,
  validityOf: ValidityOf,
): CorrelationTable => new SqliteCorrelationTable(database, names, validityOf);
