import { SPLITS } from '#infra/embedded/correlation/decision-row.ts';
import { bucketOf, lastFrom } from '#infra/embedded/events/row.ts';
import type { Database } from '#infra/embedded/redo-log/database.ts';
import { onlyRow } from '#infra/embedded/sqlite/rows.ts';
import { type Numbers, numbers, tenantsOf } from './snapshot-rows.ts';

/**
 * Returns the last occurrence of the tenant's events, not later than `until`; null when there is none. The rows of two
 * slots are read.
 */
export function newestSeen(database: Database, tenant: string, until: number): number | null {
  const slots = database.arrays<[number]>(
    'SELECT DISTINCT slot FROM tally INDEXED BY tally_slot WHERE tenant = ? AND slot <= ? ORDER BY slot DESC LIMIT 2',
  );
  const newestIn = database.arrays<[number | null]>(
    'SELECT max(last) FROM tally INDEXED BY tally_slot WHERE tenant = ? AND slot = ? AND last <= ?',
  );
  for (const [slot] of slots.all(tenant, bucketOf(until))) {
    const [last] = onlyRow(newestIn.get(tenant, slot, until));
    if (last !== null) return last;
  }
  return null;
}

/**
 * Returns the latest first occurrence of an event, as of its arrival, not later than `until`; null when there is none.
 */
export function newestEvent(database: Database, tenant: string, until: number): number | null {
  const [newest] = onlyRow(
    database
      .arrays<[number | null]>(
        'SELECT max(timestamp) FROM event INDEXED BY event_timestamp WHERE tenant = ? AND timestamp <= ?',
      )
      .get(tenant, until),
  );
  return newest;
}

/** Times at most `reachMs` before the tenant's newest, which is not later than `until`. */
export interface Reach {
  readonly reachMs: number;
  readonly until: number;
}

/** The newest arrival of the tenant, not later than `until`; null when it has none. */
export function newestArrival(database: Database, tenant: string, until: number): number | null {
  const [time] = onlyRow(
    database
      .arrays<[number | null]>('SELECT max(time) FROM enriched WHERE tenant = ? AND time <= ?')
      .get(tenant, until),
  );
  return time;
}

/** Events last seen within reach, the newest `most` of them. */
export function seenNumbers(database: Database, tenant: string, { reachMs, until }: Reach, most: number): Numbers[] {
  const { text, values } = lastFrom((newestSeen(database, tenant, until) ?? 0) - reachMs);
  return numbers(
    database,
    `SELECT seq, position FROM tally t INDEXED BY tally_slot
     WHERE tenant = ? AND ${text} ORDER BY slot DESC, last DESC LIMIT ?`,
    tenant,
    ...values,
    most,
  );
}

/** Returns enriched records within reach, with a maximum per tenant; from the index alone. */
export const recentNumbers = (database: Database, { reachMs, until }: Reach, most: number): Numbers[] =>
  tenantsOf(database, 'enriched').flatMap((tenant) =>
    numbers(
      database,
      `SELECT seq, position FROM enriched INDEXED BY enriched_time
       WHERE tenant = ? AND time >= ? ORDER BY time DESC LIMIT ?`,
      tenant,
      (newestArrival(database, tenant, until) ?? 0) - reachMs,
      most,
    ),
  );

/**
 * Returns decisions about arrivals since a time, with a maximum per tenant, those of open groups, and of splits, each
 * once.
 */
export function decisionNumbers(database: Database, since: number, most: number): Numbers[] {
  const found = new Map<number, number>();
  for (const tenant of tenantsOf(database, 'enriched')) {
    const recent = numbers(
      database,
      `SELECT d.seq, d.position FROM enriched n INDEXED BY enriched_time
       CROSS JOIN decision d INDEXED BY decision_position ON d.position = n.position AND d.tenant = n.tenant
       WHERE n.tenant = ? AND n.time >= ? ORDER BY n.time DESC LIMIT ?`,
      tenant,
      since,
      most,
    );
    for (const [seq, position] of recent) found.set(seq, position);
  }
  for (const [seq, position] of [...ofOpenGroups(database), ...ofSplits(database)]) found.set(seq, position);
  return [...found];
}

const ofSplits = (database: Database): Numbers[] =>
  numbers(
    database,
    `SELECT d.seq, d.position FROM decision_link l CROSS JOIN decision d ON d.seq = l.decision WHERE l.event = ${SPLITS}`,
  );

function ofOpenGroups(database: Database): Numbers[] {
  const own = `SELECT d.seq, d.position FROM grp g INDEXED BY grp_open
    CROSS JOIN decision d INDEXED BY decision_grp ON d.tenant = g.tenant AND d.grp = g.id WHERE g.status = 'open'`;
  const aliased = `SELECT d.seq, d.position FROM grp g INDEXED BY grp_open
    CROSS JOIN json_each(g.body, '$.aliases') a
    CROSS JOIN decision d INDEXED BY decision_grp ON d.tenant = g.tenant AND d.grp = a.value WHERE g.status = 'open'`;
  return [...numbers(database, own), ...numbers(database, aliased)];
}
