import { setImmediate } from 'node:timers/promises';
import { partnersIn } from '#domain/correlation/grouping/apply.ts';
import type { Group, Outcome } from '#domain/correlation/records.ts';
import { HABITS, type SavedHabits } from '#domain/correlation/window/habits.ts';
import { MAX_AHEAD_MS } from '#domain/event/lifecycle/change.ts';
import type { OpenEvent, Restorable } from '#domain/pipeline/processor.ts';
import type { Clock } from '#domain/ports/clock.ts';
import { slices } from '#domain/slices.ts';
import type { CiDictionary } from '#infra/embedded/correlation/ci-dictionary.ts';
import { OUTCOME_COLUMNS, type OutcomeRow, toOutcome } from '#infra/embedded/correlation/decision-row.ts';
import { readAccumulated, withLatest } from '#infra/embedded/events/row.ts';
import { openRecoveryTable } from '#infra/embedded/records/recovery-table.ts';
import type { RowReader } from '#infra/embedded/redo-log/connections.ts';
import type { Database } from '#infra/embedded/redo-log/database.ts';
import { FACTS_COLUMNS, type FactsRow, StoredArrivals } from './arrivals.ts';
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

/** Rows of an answer. */
const CHUNK = 2_000;

/** Only the relevant ones of `gathered` and `latest`: most events have neither conditions nor a second sourceId. */
const SOURCE_IDS = `'"sourceIds":['`;
const HAS_IDS = `instr(e.gathered, ${SOURCE_IDS}) OR ifnull(instr(t.latest, ${SOURCE_IDS}), 0)`;
/** Columns in the order in which `openEvents` reads them. */
const COLUMNS = `t.position, e.tenant, e.id, e.identity, e.source, e.created_position, e.body ->> '$.sourceId',
  CASE WHEN ${HAS_IDS} OR substr(e.gathered, -4) <> ',[]]' THEN e.gathered END, CASE WHEN ${HAS_IDS} THEN t.latest END`;
type OpenRow = readonly [
  ...[position: number, tenant: string, id: string, identity: string, source: string],
  ...[createdPosition: number, sourceId: string, gathered: string | null, latest: string | null],
];

const NO_CONDITIONS: OpenEvent['conditions'] = [];
const NO_DETAILS: OpenEvent['details'] = {};

const restOf = (gathered: string | null, latest: string | null): Pick<OpenEvent, 'conditions' | 'details'> => {
  if (gathered === null) return { conditions: NO_CONDITIONS, details: NO_DETAILS };
  const { details, conditions } = withLatest(readAccumulated(gathered), latest);
  return { conditions, details: 'sourceIds' in details ? { sourceIds: details.sourceIds } : NO_DETAILS };
};

/** The number before the newest `most` open events. */
const before = (reading: RowReader, most: number): number => {
  const row = reading
    .arrays<[number]>(
      'SELECT seq FROM event INDEXED BY event_standing WHERE status <> 2 ORDER BY seq DESC LIMIT 1 OFFSET ?',
    )
    .get(most);
  return row?.[0] ?? 0;
};

/** Numbers between which there are `CHUNK` open events each, from the index alone. */
function spans(reading: RowReader, most: number): [after: number, through: number][] {
  const statement = reading.arrays<[number]>(
    'SELECT seq FROM event INDEXED BY event_standing WHERE status <> 2 AND seq > ? ORDER BY seq LIMIT 1 OFFSET ?',
  );
  const found: [number, number][] = [];
  for (let after = before(reading, most); ; ) {
    const end = statement.get(after, CHUNK - 1);
    found.push([after, end?.[0] ?? Number.MAX_SAFE_INTEGER]);
    if (end === undefined) return found;
    after = end[0];
  }
}

const openEventOf = (row: OpenRow): OpenEvent => {
  const [position, tenant, id, identity, source, createdPosition, sourceId, gathered, latest] = row;
  const { conditions, details } = restOf(gathered, latest);
  return { tenant, id, identity, source, sourceId, conditions, details, createdPosition, position };
};

async function* eventsOf(chunks: AsyncIterable<readonly OpenRow[]>): AsyncGenerator<OpenEvent[]> {
  for await (const chunk of chunks) yield chunk.map(openEventOf);
}

/**
 * Returns the newest open events for deduplication, in the order in which they are stored: any other order is twice as
 * slow. Begins to read at once.
 */
export const openEvents = (reading: RowReader, ahead: ReadAhead, most: number): AsyncGenerator<OpenEvent[]> =>
  eventsOf(
    ahead.rows<OpenRow>(
      `SELECT ${COLUMNS} FROM event e INDEXED BY event_standing CROSS JOIN tally t ON t.seq = e.seq
       WHERE e.status <> 2 AND e.seq > ? AND e.seq <= ? ORDER BY e.seq`,
      spans(reading, most),
    ),
  );

/** Maximum of the newest rows of each kind that are restored; older ones are left to the store. */
const MAX_OPEN_EVENTS = 500_000;
const MAX_SEEN = 300_000;
const MAX_ARRIVALS = 300_000;
const MAX_DECISIONS = 200_000;
/** Maximum of one tenant. */
const MAX_HABIT_RECORDS = 400;
/** Arrivals in a piece. */
const ARRIVALS = 1_000;

/** Members of closed groups in a piece. */
const MEMBERS = 2_000;
/** Changes among them end by themselves soon. */
const LASTING = `SELECT e.seq, e.tenant, e.id, g.id FROM event e INDEXED BY event_standing
  CROSS JOIN grp g ON g.tenant = e.tenant AND g.status = 'closed'
    AND g.id = coalesce((SELECT a.grp FROM grp_alias a WHERE a.tenant = e.tenant AND a.alias = e.correlation_id), e.correlation_id)
  WHERE e.status <> 2 AND e.status < 2 AND e.correlation_id IS NOT NULL AND e.seq > ? ORDER BY e.seq LIMIT ?`;

/** Must be closed when memory is full. */
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

  async *habits() {
    const statement = this.#database.arrays<[string]>(
      'SELECT body FROM record WHERE tenant = ? AND kind = ? ORDER BY id DESC LIMIT ?',
    );
    for (const tenant of tenantsOf(this.#database, 'enriched')) {
      for (const [body] of statement.all(tenant, HABITS, MAX_HABIT_RECORDS).reverse())
        yield { tenant, saved: JSON.parse(body) as SavedHabits };
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

  #partnersOf(outcome: Outcome) {
    const { tenant, position } = outcome;
    return partnersIn(outcome)
      .map((id) => this.#facts.newest(tenant, id, position))
      .filter((facts) => facts !== undefined);
  }

  /** Returns the record of the decision's own arrival; manual links have none, so the newest before them counts. */
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
