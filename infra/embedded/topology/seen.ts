/** Last sightings of CIs: a row beside the CI, so that a sighting is no version of it. */
import type { Sighting } from '#domain/ports/topology/ci-store.ts';
import { liveNode, type TenantTopology } from './memory.ts';
import type { Statements } from './rows.ts';

const SEE = `INSERT INTO ci_seen (tenant, id, at) VALUES (?, ?, ?)
  ON CONFLICT DO UPDATE SET at = excluded.at WHERE excluded.at > at`;
const SEEN = 'SELECT id, at FROM ci_seen WHERE tenant = ? AND id IN (SELECT value FROM json_each(?))';
const DROP = 'DELETE FROM ci_seen WHERE tenant = ? AND id = ?';

/** Runs within a transaction. */
export function writeSightings(
  db: Statements,
  topology: TenantTopology,
  tenant: string,
  sightings: readonly Sighting[],
): void {
  for (const { ci, at } of sightings)
    if (liveNode(topology, ci) !== undefined) db.statement(SEE).run(tenant, ci, Math.trunc(at));
}

export const readSightings = (db: Statements, tenant: string, ids: readonly string[]): ReadonlyMap<string, number> =>
  new Map(
    db
      .statement(SEEN)
      .all(tenant, JSON.stringify(ids))
      .map(({ id, at }) => [String(id), Number(at)]),
  );

export const dropSighting = (db: Statements, tenant: string, id: string): void => {
  db.statement(DROP).run(tenant, id);
};
