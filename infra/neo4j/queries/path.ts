import type { PathOptions } from '#domain/ports/topology/graph-queries.ts';
import type { Run } from '#infra/neo4j/client/client.ts';
import { readCis } from '#infra/neo4j/client/read.ts';
import { arrow, bound, edgeCondition, edgeTypes, stepValues } from './hops.ts';

/** Returns a shortest path with both ends, or null when there is none within the hops, or an end does not exist. */
export async function path(
  read: Run,
  tenant: string,
  from: string,
  to: string,
  options: PathOptions,
): Promise<readonly string[] | null> {
  const ends = await readCis(read, tenant, [...new Set([from, to])], options.asOf);
  if (from === to) return ends.length === 1 ? [from] : null;
  if (ends.length < 2) return null;
  const where = `WHERE all(r IN relationships(p) WHERE ${edgeCondition(options)})`;
  const edge = `:${edgeTypes(options)}*..${bound(options.maxHops)}`;
  const [row] = await read<{ ids: string[] }>(
    `MATCH (a:Ci {tenant: $tenant, id: $from}), (b:Ci {tenant: $tenant, id: $to})
     MATCH p = shortestPath((a)${arrow(options.direction, edge)}(b)) ${where} RETURN [n IN nodes(p) | n.id] AS ids`,
    { tenant, from, to, ...stepValues(options) },
  );
  return row?.ids ?? null;
}
