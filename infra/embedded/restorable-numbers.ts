import type { Database } from './database.ts';
import { type Numbers, numbers, tenantsOf } from './restorable-rows.ts';

/** Enriched records of the last `reachMs` before each tenant's newest, at most so many per tenant; from the index alone. */
export const recentNumbers = (database: Database, reachMs: number, most: number): Numbers[] =>
  tenantsOf(database, 'enriched').flatMap((tenant) =>
    numbers(
      database,
      `SELECT seq, position FROM enriched INDEXED BY enriched_time
       WHERE tenant = ?1 AND time >= (SELECT max(time) FROM enriched WHERE tenant = ?1) - ?2
       ORDER BY time DESC LIMIT ?3`,
      ...[tenant, reachMs, most],
    ),
  );

/** Decisions about arrivals since a time, at most so many per tenant, and those of open groups, each once. */
export function decisionNumbers(database: Database, since: number, most: number): Numbers[] {
  const found = new Map<number, number>();
  for (const tenant of tenantsOf(database, 'enriched')) {
    const recent = numbers(
      database,
      `SELECT d.seq, d.position FROM enriched n INDEXED BY enriched_time
       CROSS JOIN decision d INDEXED BY decision_position ON d.position = n.position AND d.tenant = n.tenant
       WHERE n.tenant = ? AND n.time >= ? ORDER BY n.time DESC LIMIT ?`,
      ...[tenant, since, most],
    );
    for (const [seq, position] of recent) found.set(seq, position);
  }
  for (const [seq, position] of ofOpenGroups(database)) found.set(seq, position);
  return [...found];
}

function ofOpenGroups(database: Database): Numbers[] {
  const own = `SELECT d.seq, d.position FROM grp g INDEXED BY grp_open
    CROSS JOIN decision d INDEXED BY decision_grp ON d.tenant = g.tenant AND d.grp = g.id WHERE g.status = 'open'`;
  const aliased = `SELECT d.seq, d.position FROM grp g INDEXED BY grp_open
    CROSS JOIN json_each(g.body, '$.aliases') a
    CROSS JOIN decision d INDEXED BY decision_grp ON d.tenant = g.tenant AND d.grp = a.value WHERE g.status = 'open'`;
  return [...numbers(database, own), ...numbers(database, aliased)];
}
