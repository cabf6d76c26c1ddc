/** Deletes what was valid too long ago; what is valid now stays, however old it is. */
import { setImmediate } from 'node:timers/promises';
import type { Database } from '#infra/embedded/journal/database.ts';

/** Versions per transaction, so that it holds up nobody. */
const CHUNK = 500;
/** Transactions per call and table: a stop waits for the call, and the next one goes on. */
const TURNS = 400;
const TABLES = ['ci_past', 'relationship_past'] as const;

/** Versions are numbered as they end, but for clocks that were set back: the lowest numbers are the oldest. */
const forgetSome = (database: Database, table: (typeof TABLES)[number], before: number): number =>
  database.write(
    `DELETE FROM ${table} WHERE n IN (SELECT n FROM ${table} ORDER BY n LIMIT ${CHUNK}) AND valid_to < ?`,
    before,
  );

/** Deletes versions that ended before this time (ms), the oldest 200,000 of each table; returns how many. */
export async function forgetVersions(database: Database, before: number): Promise<number> {
  let forgotten = 0;
  for (const table of TABLES)
    for (let turn = 0; turn < TURNS; turn++) {
      const some = await database.turn(() => database.transaction(() => forgetSome(database, table, before)));
      if (some === 0) break;
      forgotten += some;
      await setImmediate();
    }
  return forgotten;
}
