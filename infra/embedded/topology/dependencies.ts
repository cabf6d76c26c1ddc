/** What depends on CIs, as it was. */
import type { Dependency } from '#domain/topology/spreading.ts';
import { CAUSE_TYPES } from '#domain/topology/topology.ts';
import { INDEX } from './history.ts';
import { type RelationshipRow, redundancyIn, type Statements } from './rows.ts';

type DependencyRow = Pick<RelationshipRow, 'source' | 'target' | 'type' | 'redundancy_group' | 'redundancy_required'>;

/** Of these types at one end, as they were, taken literally. */
function causesAt(
  db: Statements,
  tenant: string,
  asOf: number,
  end: 'source' | 'target',
  ids: readonly string[],
): Dependency[] {
  const columns = 'source, target, type, redundancy_group, redundancy_required';
  const where = `tenant = ?1 AND ${end} IN (SELECT value FROM json_each(?2)) AND valid_from <= ?3
    AND type IN (SELECT value FROM json_each(?4))`;
  const rows = db
    .statement(
      `SELECT ${columns} FROM relationship INDEXED BY ${INDEX[end]} WHERE ${where} UNION ALL
       SELECT ${columns} FROM relationship_past INDEXED BY relationship_past_${end} WHERE ${where} AND valid_to > ?3`,
    )
    .all(tenant, JSON.stringify(ids), asOf, JSON.stringify(CAUSE_TYPES)) as unknown as DependencyRow[];
  return rows.map((row) => ({
    source: row.source,
    target: row.target,
    type: row.type,
    redundancy: redundancyIn(row),
  }));
}

/** The dependencies on these CIs, and all paths of the sources among them that have redundancy. */
export function dependenciesAt(db: Statements, tenant: string, asOf: number, ids: readonly string[]): Dependency[] {
  const onThem = causesAt(db, tenant, asOf, 'target', ids);
  const saved = onThem.filter(({ redundancy }) => redundancy !== null).map(({ source }) => source);
  return saved.length === 0 ? onThem : [...onThem, ...causesAt(db, tenant, asOf, 'source', [...new Set(saved)])];
}
