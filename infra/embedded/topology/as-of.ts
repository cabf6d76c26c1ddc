/** Queries about the past, from the file. Plain functions of a connection and plain arguments: any thread can run them. */

import { entryOf } from '#domain/assert.ts';
import { notFound } from '#domain/fault.ts';
import type { ImpactOptions, NeighbourhoodOptions, PathOptions } from '#domain/ports/topology/graph-queries.ts';
import { PRESENT } from '#domain/topology/graph/edges.ts';
import { impactByRounds } from '#domain/topology/graph/impact-by-rounds.ts';
import { edgesAmong, neighbourhoodOf } from '#domain/topology/graph/neighbourhood.ts';
import { wayBetween } from '#domain/topology/graph/way-between.ts';
import { type Ci, causeTypesOf, type Impact, type Neighbourhood } from '#domain/topology/topology.ts';
import { readCisAsOf } from './get.ts';
import { dependenciesAt, pastAround, readEdgesAsOf } from './history.ts';
import type { Statements } from './rows.ts';

/** Maximum of relationships shown in one neighborhood. */
export const SHOWN_EDGES = 5_000;

type At<O> = Omit<O, 'asOf'> & { readonly asOf: number };

const nameless = { name: '', type: '' };

/** Puts the names of that time beside them. */
function named<T extends { readonly ci: string }>(
  db: Statements,
  tenant: string,
  list: readonly T[],
  asOf: number,
): (T & Pick<Ci, 'name' | 'type'>)[] {
  const ids = list.map(({ ci }) => ci);
  const cis = new Map(readCisAsOf(db, tenant, ids, asOf).map(({ id, name, type }) => [id, { name, type }]));
  return list.map((one) => ({ ...one, ...(cis.get(one.ci) ?? nameless) }));
}

/** A fault when one of them was not there. */
function requireCisAsOf(db: Statements, tenant: string, ids: readonly string[], asOf: number): void {
  const known = new Set(readCisAsOf(db, tenant, ids, asOf).map(({ id }) => id));
  const missing = ids.find((id) => !known.has(id));
  if (missing !== undefined) throw notFound('CI', missing);
}

export interface PastNeighbourhood {
  readonly tenant: string;
  readonly ciId: string;
  readonly options: At<NeighbourhoodOptions>;
}

export function pastNeighbourhood(db: Statements, { tenant, ciId, options }: PastNeighbourhood): Neighbourhood {
  const { asOf, hops, direction } = options;
  requireCisAsOf(db, tenant, [ciId], asOf);
  // The last one finds the relationships among the outermost.
  const layers = [
    { direction, hops },
    { direction: direction === 'both' ? 'up' : direction, hops: 1 },
  ] as const;
  const graph = pastAround(db, { tenant, asOf, literal: true, strict: true }, ciId, layers);
  const start = entryOf(graph.nodes, ciId);
  const { near, truncated } = neighbourhoodOf(graph, start, options, PRESENT);
  const nodes = [start, ...near.map(({ ci }) => entryOf(graph.nodes, ci))];
  const ends = edgesAmong(graph, nodes, { ...options, limit: SHOWN_EDGES }, PRESENT);
  return {
    nodes: named(db, tenant, near, asOf),
    edges: readEdgesAsOf(db, tenant, ends.slice(0, SHOWN_EDGES), asOf),
    truncated: truncated || ends.length > SHOWN_EDGES,
  };
}

export interface PastPath {
  readonly tenant: string;
  readonly from: string;
  readonly to: string;
  readonly options: At<PathOptions>;
}

export function pastPath(db: Statements, { tenant, from, to, options }: PastPath): readonly string[] | null {
  const { asOf, direction, maxHops: hops } = options;
  if (readCisAsOf(db, tenant, [...new Set([from, to])], asOf).length < (from === to ? 1 : 2)) return null;
  const graph = pastAround(db, { tenant, asOf, literal: true, strict: true }, from, [{ direction, hops }]);
  const target = graph.nodes.get(to);
  return target === undefined
    ? null
    : wayBetween(graph, entryOf(graph.nodes, from), target, { ...options, hops }, PRESENT);
}

export interface PastImpact {
  readonly tenant: string;
  readonly ciIds: readonly string[];
  readonly options: At<ImpactOptions>;
}

export function pastImpact(
  db: Statements,
  { tenant, ciIds, options: { asOf, types, ...options } }: PastImpact,
): Impact {
  requireCisAsOf(db, tenant, ciIds, asOf);
  const rounds = impactByRounds(ciIds, options);
  for (
    let next = rounds.next();
    ;
    next = rounds.next(dependenciesAt(db, tenant, { asOf, types: causeTypesOf(types) }, next.value))
  )
    if (next.done) {
      const { impacted, protected: saved, truncated } = next.value;
      return { impacted: named(db, tenant, impacted, asOf), protected: named(db, tenant, saved, asOf), truncated };
    }
}
