/** Which CIs lay around one within some time. Plain functions of a connection and plain arguments: any thread can run them. */
import type { Area, AreaQuery } from '#domain/ports/topology/topology-history.ts';
import { GrowingArea } from '#domain/topology/graph/growing-area.ts';
import type { Statements } from '#infra/embedded/topology/rows.ts';

export interface FindArea {
  readonly tenant: string;
  readonly query: AreaQuery;
}

const AT = { source: 'sqlite_autoindex_relationship_1', target: 'relationship_target' } as const;

const beside = (end: 'source' | 'target'): string => {
  const other = end === 'source' ? 'target' : 'source';
  const where = `tenant = ?1 AND ${end} IN (SELECT value FROM json_each(?2)) AND ai = 0 AND valid_from <= ?4`;
  return `SELECT ${other} AS id FROM relationship INDEXED BY ${AT[end]} WHERE ${where}
    UNION SELECT ${other} FROM relationship_past INDEXED BY relationship_past_${end} WHERE ${where} AND valid_to >= ?3`;
};
const NEIGHBOURS = `${beside('source')} UNION ${beside('target')} ORDER BY id LIMIT ?5`;

export function findArea(db: Statements, { tenant, query: { ci, hops, from, to, limit } }: FindArea): Area {
  const area = new GrowingArea(ci, limit);
  const read = db.statement<{ id: string }>(NEIGHBOURS);
  for (let hop = 0; hop < hops && area.frontier.length > 0; hop++) {
    const rows = read.all(tenant, JSON.stringify(area.frontier), from, to, area.most);
    area.take(rows.map(({ id }) => id));
  }
  return { ids: area.ids, truncated: area.truncated };
}
