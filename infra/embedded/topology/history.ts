/**
 * The topology of the past, read from the file: around one CI layer by layer, and dependents of CIs. For times that
 * memory has forgotten, and for `asOf`.
 */

import { entryOf } from '#domain/assert.ts';
import { Fault } from '#domain/fault.ts';
import { addEdge } from '#domain/topology/graph/edges.ts';
import { addNode, emptyGraph, type Graph } from '#domain/topology/graph/graph.ts';
import type { Dependency } from '#domain/topology/graph/impact-by-rounds.ts';
import type { Direction, Relationship } from '#domain/topology/topology.ts';
import { RELATIONSHIP_COLUMNS, type RelationshipRow, redundancyIn, relationshipOf, type Statements } from './rows.ts';

/** Relationships read for one answer. */
const PAST_LIMIT = 50_000;

/** Limits of the read. */
export interface Layers {
  readonly direction: Direction;
  readonly hops: number;
}

/**
 * `literal`: a relationship did not exist before it was created. Else its first version is valid from the beginning
 * (decision 3). `strict`: refuse instead of omitting rows beyond `PAST_LIMIT`.
 */
export interface PastQuery {
  readonly tenant: string;
  readonly asOf: number;
  readonly literal: boolean;
  readonly strict: boolean;
}

interface Edge {
  readonly source: string;
  readonly target: string;
  readonly type: string;
  readonly critical: number;
}

const begun = (literal: boolean): string => (literal ? 'valid_from <= ?3' : '(reach_from IS NULL OR reach_from <= ?3)');

/** Indexes of living relationships, by end. */
const INDEX = { source: 'sqlite_autoindex_relationship_1', target: 'relationship_target' } as const;

function edgesAt(db: Statements, query: PastQuery, end: 'source' | 'target', ids: readonly string[]): Edge[] {
  const where = `tenant = ?1 AND ${end} IN (SELECT value FROM json_each(?2)) AND ai = 0 AND ${begun(query.literal)}`;
  return db
    .statement<Edge>(
      `SELECT source, target, type, critical FROM relationship INDEXED BY ${INDEX[end]} WHERE ${where}
       UNION ALL
       SELECT source, target, type, critical FROM relationship_past INDEXED BY relationship_past_${end}
       WHERE ${where} AND valid_to > ?3 LIMIT ?4`,
    )
    .all(query.tenant, JSON.stringify(ids), query.asOf, PAST_LIMIT + 1);
}

const keyOf = ({ source, target, type }: Edge): string => `${source} ${target} ${type}`;

/** Grows with every layer; ends are the CIs seen so far. */
interface Area {
  readonly edges: Map<string, Edge>;
  readonly seen: Set<string>;
}

/** Adds one layer and returns the CIs that it found. */
function layer(
  db: Statements,
  query: PastQuery,
  direction: Direction,
  frontier: readonly string[],
  area: Area,
): string[] {
  const found: Edge[] = [];
  if (direction !== 'down') found.push(...edgesAt(db, query, 'source', frontier));
  if (direction !== 'up') found.push(...edgesAt(db, query, 'target', frontier));
  const next: string[] = [];
  for (const edge of found) {
    const key = keyOf(edge);
    if (!area.edges.has(key) || edge.critical === 1) area.edges.set(key, edge);
    for (const end of [edge.source, edge.target]) {
      if (!area.seen.has(end)) next.push(end);
      area.seen.add(end);
    }
  }
  return next;
}

function graphOf({ edges, seen }: Area): Graph {
  const graph = emptyGraph(seen.size, edges.size);
  for (const id of [...seen].sort()) addNode(graph, id);
  for (const { source, target, type, critical } of edges.values())
    addEdge(graph, entryOf(graph.nodes, source), entryOf(graph.nodes, target), {
      type,
      critical: critical === 1,
      since: -Infinity,
      until: Infinity,
    });
  return graph;
}

/** The part of the past around `start` that the layers reach, in their order. */
export function pastAround(db: Statements, query: PastQuery, start: string, layers: readonly Layers[]): Graph {
  const area: Area = { edges: new Map(), seen: new Set([start]) };
  let frontier = [start];
  for (const { direction, hops } of layers)
    for (let hop = 0; hop < hops && frontier.length > 0 && area.edges.size <= PAST_LIMIT; hop++)
      frontier = layer(db, query, direction, frontier, area);
  if (query.strict && area.edges.size > PAST_LIMIT)
    throw new Fault(
      'unprocessable',
      `More than ${PAST_LIMIT} relationships found around this CI. Use fewer hops or a single direction`,
    );
  return graphOf(area);
}

/** Relationships by ends and type, as they are. */
export function readEdges(
  db: Statements,
  tenant: string,
  ends: readonly (readonly [string, string, string])[],
): Relationship[] {
  const columns = RELATIONSHIP_COLUMNS.split(', ')
    .map((column) => `r.${column}`)
    .join(', ');
  const rows = db
    .statement<RelationshipRow>(
      `SELECT ${columns} FROM json_each(?2) e CROSS JOIN relationship r ON r.tenant = ?1
       AND r.source = e.value ->> 0 AND r.target = e.value ->> 1 AND r.type = e.value ->> 2`,
    )
    .all(tenant, JSON.stringify(ends));
  return rows.map(relationshipOf);
}

/** Returns relationships by ends and type at `asOf`, literally. */
export function readEdgesAsOf(
  db: Statements,
  tenant: string,
  ends: readonly (readonly [string, string, string])[],
  asOf: number,
): Relationship[] {
  const columns = RELATIONSHIP_COLUMNS.split(', ')
    .map((column) => `r.${column}`)
    .join(', ');
  const same = 'r.tenant = ?1 AND r.source = e.value ->> 0 AND r.target = e.value ->> 1 AND r.type = e.value ->> 2';
  const rows = db
    .statement<RelationshipRow>(
      `SELECT ${columns} FROM json_each(?2) e CROSS JOIN relationship r ON ${same} AND r.valid_from <= ?3
       UNION ALL
       SELECT ${columns} FROM json_each(?2) e CROSS JOIN relationship_past r ON ${same} AND r.valid_from <= ?3 AND r.valid_to > ?3`,
    )
    .all(tenant, JSON.stringify(ends), asOf);
  return rows.map(relationshipOf);
}

type DependencyRow = Pick<RelationshipRow, 'source' | 'target' | 'type' | 'redundancy_group' | 'redundancy_required'>;

/** Relationships that faults travel over: as of when, and of which types. */
interface Followed {
  readonly asOf: number;
  readonly types: readonly string[];
}

/** Returns past relationships of these types at one end, literally. */
function causesAt(
  db: Statements,
  tenant: string,
  { asOf, types }: Followed,
  end: 'source' | 'target',
  ids: readonly string[],
): Dependency[] {
  const columns = 'source, target, type, redundancy_group, redundancy_required';
  const where = `tenant = ?1 AND ${end} IN (SELECT value FROM json_each(?2)) AND ai = 0 AND valid_from <= ?3
    AND type IN (SELECT value FROM json_each(?4))`;
  const rows = db
    .statement<DependencyRow>(
      `SELECT ${columns} FROM relationship INDEXED BY ${INDEX[end]} WHERE ${where} UNION ALL
       SELECT ${columns} FROM relationship_past INDEXED BY relationship_past_${end} WHERE ${where} AND valid_to > ?3`,
    )
    .all(tenant, JSON.stringify(ids), asOf, JSON.stringify(types));
  return rows.map((row) => ({ source: row.source, target: row.target, type: row.type, redundancy: redundancyIn(row) }));
}

/** The dependencies on these CIs, and all paths of the sources among them that have redundancy. */
export function dependenciesAt(
  db: Statements,
  tenant: string,
  followed: Followed,
  ids: readonly string[],
): Dependency[] {
  const onThem = causesAt(db, tenant, followed, 'target', ids);
  const saved = onThem.filter(({ redundancy }) => redundancy !== null).map(({ source }) => source);
  return saved.length === 0 ? onThem : [...onThem, ...causesAt(db, tenant, followed, 'source', [...new Set(saved)])];
}
