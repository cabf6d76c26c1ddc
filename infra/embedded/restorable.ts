import type { Group, Outcome } from '#domain/correlation/records.ts';
import type { Restorable } from '#domain/ports/processor.ts';
import type { Database } from './database.ts';
import { OUTCOME_COLUMNS, type OutcomeRow, toOutcome } from './decision-row.ts';
import { type EventRow, SELECT_EVENT, toEvent } from './event-row.ts';
import { openRecoveryTable } from './recovery-table.ts';
import { byNumber, inOrder, type Numbers, numbers, THESE, tenantsOf } from './restorable-rows.ts';
import { FACTS_COLUMNS, type FactsRow, RestoredFacts } from './restored-facts.ts';

/** The newest rows of each kind that are brought back; what is older is left to the store. */
export const MAX_OPEN_EVENTS = 500_000;
export const MAX_SEEN = 300_000;
export const MAX_ARRIVALS = 300_000;
export const MAX_DECISIONS = 200_000;

class SqliteRestorable implements Restorable {
  readonly #database: Database;
  readonly #facts: RestoredFacts;

  constructor(database: Database) {
    this.#database = database;
    this.#facts = new RestoredFacts(database);
  }

  async *openEvents() {
    const open = numbers(
      this.#database,
      `SELECT t.seq, t.position FROM event e INDEXED BY event_standing CROSS JOIN tally t ON t.seq = e.seq
       WHERE e.status <> 2 ORDER BY e.seq DESC LIMIT ?`,
      MAX_OPEN_EVENTS,
    );
    const rows = byNumber<EventRow>(
      this.#database,
      `${SELECT_EVENT} WHERE e.seq ${THESE} ORDER BY t.position`,
      inOrder(open, MAX_OPEN_EVENTS),
    );
    for await (const chunk of rows) yield* chunk.map(toEvent);
  }

  async *seen(reachMs: number) {
    const recent = tenantsOf(this.#database, 'tally').flatMap((tenant) =>
      numbers(
        this.#database,
        `SELECT seq, position FROM tally INDEXED BY tally_last
         WHERE tenant = ?1 AND last >= (SELECT max(last) FROM tally WHERE tenant = ?1) - ?2 ORDER BY last DESC LIMIT ?3`,
        ...[tenant, reachMs, MAX_SEEN],
      ),
    );
    const rows = byNumber<readonly [string, string, number, number]>(
      this.#database,
      `SELECT t.tenant, e.identity, t.seen_bin, t.seen_bits FROM tally t CROSS JOIN event e ON e.seq = t.seq
       WHERE t.seq ${THESE} ORDER BY t.position`,
      inOrder(recent, MAX_SEEN),
    );
    for await (const chunk of rows)
      for (const [tenant, identity, bin, bits] of chunk) yield { tenant, identity, seen: { bin, bits } };
  }

  async *recoveries(receivedSince: number) {
    yield* openRecoveryTable(this.#database).since(receivedSince);
  }

  async *arrivals(reachMs: number) {
    const recent = this.#recent(reachMs, MAX_ARRIVALS);
    const rows = byNumber<FactsRow>(
      this.#database,
      `SELECT ${FACTS_COLUMNS} FROM enriched n WHERE n.seq ${THESE} ORDER BY n.position`,
      inOrder(recent, MAX_ARRIVALS),
    );
    for await (const chunk of rows)
      for (const row of chunk) yield { arrival: this.#facts.arrival(row), late: row[4] === 1 };
  }

  async *openGroups() {
    const rows = this.#database
      .arrays("SELECT body FROM grp INDEXED BY grp_open WHERE status = 'open' ORDER BY position")
      .all() as unknown as [string][];
    for (const [body] of rows) yield JSON.parse(body) as Group;
  }

  async *decisions(since: number) {
    const rows = byNumber<OutcomeRow>(
      this.#database,
      `SELECT ${OUTCOME_COLUMNS} FROM decision d WHERE d.seq ${THESE} ORDER BY d.position`,
      inOrder(this.#decisionNumbers(since), MAX_DECISIONS),
    );
    for await (const chunk of rows)
      for (const row of chunk) {
        const decision = toOutcome(row);
        const facts = this.#factsOf(decision);
        if (facts !== undefined) yield { decision, facts, partners: this.#partnersOf(decision) };
      }
  }

  async *watermarks() {
    for (const tenant of tenantsOf(this.#database, 'enriched')) {
      const [time, last] = this.#database
        .arrays(
          'SELECT (SELECT max(time) FROM enriched WHERE tenant = ?1), (SELECT max(last) FROM tally WHERE tenant = ?1)',
        )
        .get(tenant) as unknown as [number, number | null];
      yield { tenant, time, last: last ?? time };
    }
  }

  /** Enriched records by event time, from the index alone. */
  #recent(reachMs: number, most: number): Numbers[] {
    return tenantsOf(this.#database, 'enriched').flatMap((tenant) =>
      numbers(
        this.#database,
        `SELECT seq, position FROM enriched INDEXED BY enriched_time
         WHERE tenant = ?1 AND time >= (SELECT max(time) FROM enriched WHERE tenant = ?1) - ?2
         ORDER BY time DESC LIMIT ?3`,
        ...[tenant, reachMs, most],
      ),
    );
  }

  #decisionNumbers(since: number): Numbers[] {
    const found = new Map<number, number>();
    for (const tenant of tenantsOf(this.#database, 'enriched')) {
      const recent = numbers(
        this.#database,
        `SELECT d.seq, d.position FROM enriched n INDEXED BY enriched_time
         CROSS JOIN decision d INDEXED BY decision_position ON d.position = n.position AND d.tenant = n.tenant
         WHERE n.tenant = ? AND n.time >= ? ORDER BY n.time DESC LIMIT ?`,
        ...[tenant, since, MAX_DECISIONS],
      );
      for (const [seq, position] of recent) found.set(seq, position);
    }
    for (const [seq, position] of this.#ofOpenGroups()) found.set(seq, position);
    return [...found];
  }

  #ofOpenGroups(): Numbers[] {
    const own = `SELECT d.seq, d.position FROM grp g INDEXED BY grp_open
      CROSS JOIN decision d INDEXED BY decision_grp ON d.tenant = g.tenant AND d.grp = g.id WHERE g.status = 'open'`;
    const aliased = `SELECT d.seq, d.position FROM grp g INDEXED BY grp_open
      CROSS JOIN json_each(g.body, '$.aliases') a
      CROSS JOIN decision d INDEXED BY decision_grp ON d.tenant = g.tenant AND d.grp = a.value WHERE g.status = 'open'`;
    return [...numbers(this.#database, own), ...numbers(this.#database, aliased)];
  }

  #partnersOf({ tenant, eventId, joined }: Outcome) {
    const others = joined.filter((id) => id !== eventId);
    return others.map((id) => this.#facts.newest(tenant, id)).filter((facts) => facts !== undefined);
  }

  /** The record of the decision's own arrival; links set by hand come without one, so the event's newest counts. */
  #factsOf({ tenant, position, eventId }: Outcome) {
    const row = this.#database
      .arrays(`SELECT ${FACTS_COLUMNS} FROM enriched n WHERE n.position = ? AND n.tenant = ?`)
      .get(position, tenant) as unknown as FactsRow | undefined;
    return row === undefined ? this.#facts.newest(tenant, eventId) : this.#facts.facts(row);
  }
}

/** What memory is refilled from: only ranges of indexes are read, and never more rows than the bounds above. */
export const openRestorable = (database: Database): Restorable => new SqliteRestorable(database);
