import { setImmediate } from 'node:timers/promises';
import type { Group, Outcome } from '#domain/correlation/records.ts';
import { MAX_AHEAD_MS } from '#domain/event/life/change.ts';
import type { OpenEvent, Restorable } from '#domain/pipeline/processor.ts';
import type { Clock } from '#domain/ports/clock.ts';
import { slices } from '#domain/slices.ts';
import type { CiDictionary } from '#infra/embedded/correlation/ci-dictionary.ts';
import { OUTCOME_COLUMNS, type OutcomeRow, toOutcome } from '#infra/embedded/correlation/decision-row.ts';
import type { Database } from '#infra/embedded/journal/database.ts';
import { openRecoveryTable } from '#infra/embedded/records/recovery-table.ts';
import { FACTS_COLUMNS, type FactsRow, StoredArrivals } from './arrivals.ts';
import { openEvents } from './open-events.ts';
import { openReadAhead, type ReadAhead } from './read-ahead.ts';
import {
  decisionNumbers,
  newestArrival,
  newestEvent,
  newestSeen,
  recentNumbers,
  seenNumbers,
} from './snapshot-numbers.ts';
import { byNumber, inOrder, THESE, tenantsOf } from './snapshot-rows.ts';

/** The newest rows of each kind that are brought back; what is older is left to the store. */
const MAX_OPEN_EVENTS = 500_000;
const MAX_SEEN = 300_000;
const MAX_ARRIVALS = 300_000;
const MAX_DECISIONS = 200_000;
/** Arrivals in a piece. */
const ARRIVALS = 1_000;

/** Members of closed groups in a piece. */
const MEMBERS = 2_000;
/** Changes among them end by themselves soon. */
const LASTING = `SELECT e.seq, e.tenant, e.id, g.id FROM event e INDEXED BY event_standing
  CROSS JOIN grp g ON g.tenant = e.tenant AND g.status = 'closed'
    AND g.id = coalesce((SELECT a.grp FROM grp_alias a WHERE a.tenant = e.tenant AND a.alias = e.correlation_id), e.correlation_id)
  WHERE e.status <> 2 AND e.status < 2 AND e.correlation_id IS NOT NULL AND e.seq > ? ORDER BY e.seq LIMIT ?`;

/** To be closed when memory is full. */
export interface Snapshot extends Restorable {
  close(): Promise<void>;
}

class SqliteSnapshot implements Snapshot {
  readonly until: number;
  readonly #database: Database;
  readonly #ahead: ReadAhead;
  readonly #openEvents: AsyncIterable<readonly OpenEvent[]>;
  readonly #facts: StoredArrivals;
  /** Numbers of arrivals by how far they reach back: five windows ask for the same ones. */
  readonly #recent = new Map<number, readonly number[]>();

  constructor(database: Database, names: CiDictionary, until: number) {
    this.until = until;
    this.#database = database;
    this.#facts = new StoredArrivals(database, names);
    this.#ahead = openReadAhead(database);
    this.#openEvents = openEvents(database, this.#ahead, MAX_OPEN_EVENTS);
  }

  close() {
    return this.#ahead.close();
  }

  openEvents() {
    return this.#openEvents;
  }

  async *seen(reachMs: number) {
    const recent = tenantsOf(this.#database, 'tally').flatMap((tenant) =>
      seenNumbers(this.#database, tenant, { reachMs, until: this.until }, MAX_SEEN),
    );
    const rows = byNumber<readonly [string, string, number, number]>(
      this.#ahead,
      `SELECT t.tenant, e.identity, t.seen_bin, t.seen_bits FROM tally t CROSS JOIN event e ON e.seq = t.seq
       WHERE t.seq ${THESE} ORDER BY t.position`,
      inOrder(recent, MAX_SEEN),
    );
    for await (const chunk of rows)
      yield chunk.map(([tenant, identity, bin, bits]) => ({ tenant, identity, seen: { bin, bits } }));
  }

  async *recoveries(receivedSince: number) {
    yield* openRecoveryTable(this.#database).since(receivedSince);
  }

  async *arrivals(reachMs: number) {
    const recent = this.#recentNumbers(reachMs);
    const rows = byNumber<FactsRow>(
      this.#ahead,
      `SELECT ${FACTS_COLUMNS} FROM enriched n WHERE n.seq ${THESE} ORDER BY n.position`,
      recent.filter((seq) => this.#facts.known(seq) === undefined),
    );
    for await (const chunk of rows) this.#facts.arrivals(chunk);
    for (const some of slices(recent, ARRIVALS)) {
      const piece = some.map((seq) => this.#facts.known(seq));
      yield piece.filter((known) => known !== undefined);
      await setImmediate();
    }
  }

  async *openGroups() {
    const rows = this.#database
      .arrays<[string]>("SELECT body FROM grp INDEXED BY grp_open WHERE status = 'open' ORDER BY position")
      .all();
    for (const [body] of rows) yield JSON.parse(body) as Group;
  }

  async *lasting() {
    const statement = this.#database.arrays<[seq: number, tenant: string, event: string, group: string]>(LASTING);
    for (let after = 0; ; ) {
      const rows = statement.all(after, MEMBERS);
      yield rows.map(([, tenant, eventId, groupId]) => ({ tenant, eventId, groupId }));
      const last = rows.at(-1);
      if (last === undefined || rows.length < MEMBERS) return;
      after = last[0];
      await setImmediate();
    }
  }

  async *decisions(since: number) {
    const rows = byNumber<readonly [...OutcomeRow, record: number | null]>(
      this.#ahead,
      `SELECT ${OUTCOME_COLUMNS}, n.seq FROM decision d
       LEFT JOIN enriched n INDEXED BY enriched_position ON n.position = d.position AND n.tenant = d.tenant
       WHERE d.seq ${THESE} ORDER BY d.position`,
      inOrder(decisionNumbers(this.#database, since, MAX_DECISIONS), MAX_DECISIONS),
    );
    for await (const chunk of rows)
      for (const row of chunk) {
        const decision = toOutcome(row);
        const facts = this.#factsOf(decision, row[5]);
        if (facts !== undefined) yield { decision, facts, partners: this.#partnersOf(decision) };
      }
  }

  async *watermarks() {
    const tenants = [...tenantsOf(this.#database, 'tally'), ...tenantsOf(this.#database, 'enriched')];
    for (const tenant of new Set(tenants)) {
      const time = newestArrival(this.#database, tenant, this.until);
      const last = newestSeen(this.#database, tenant, this.until) ?? time ?? 0;
      yield { tenant, time, last, newest: newestEvent(this.#database, tenant, this.until) ?? time ?? 0 };
    }
  }

  #recentNumbers(reachMs: number): readonly number[] {
    const known = this.#recent.get(reachMs);
    if (known !== undefined) return known;
    const recent = inOrder(recentNumbers(this.#database, { reachMs, until: this.until }, MAX_ARRIVALS), MAX_ARRIVALS);
    this.#recent.set(reachMs, recent);
    return recent;
  }

  #partnersOf({ tenant, position, eventId, joined }: Outcome) {
    const others = joined.filter((id) => id !== eventId);
    return others.map((id) => this.#facts.newest(tenant, id, position)).filter((facts) => facts !== undefined);
  }

  /** The record of the decision's own arrival; links set by hand come without one, so the newest before them counts. */
  #factsOf({ tenant, eventId, position }: Outcome, record: number | null) {
    return record === null ? this.#facts.newest(tenant, eventId, position) : this.#facts.numbered(record);
  }
}

/**
 * The rows that refill memory, once, at the time `now` (ms): only ranges of indexes are read, and never more rows than the bounds above.
 * The first kind is read from now on.
 */
export const openSnapshot = (database: Database, names: CiDictionary, now: number): Snapshot =>
  new SqliteSnapshot(database, names, now + MAX_AHEAD_MS);

/** Refills, one for each time that memory is read; the first begins at once. */
export const openSnapshots = (database: Database, names: CiDictionary, clock: Pick<Clock, 'now'>): (() => Snapshot) => {
  let first: Snapshot | null = openSnapshot(database, names, clock.now());
  return () => {
    const refill = first ?? openSnapshot(database, names, clock.now());
    first = null;
    return refill;
  };
};
