/** Fills memory from the file at the start. */
import { entryOf, itemAt } from '#domain/assert.ts';
import { liveEdge } from '#domain/topology/graph/edges.ts';
import { maintenanceOf } from '#domain/topology/maintenance.ts';
import type { CiStatus } from '#domain/topology/topology.ts';
import type { AroundCaches } from './cache.ts';
import { emptyTenant, rememberCi, rememberEdge, type TenantTopology } from './memory.ts';
import { type Statements, unpackLookup } from './rows.ts';

type Tenants = Map<string, TenantTopology>;

/** Removed CIs that keep a node, so that events from before their removal still find their surroundings. */
const REMOVED_IN_MEMORY = 200_000;

/** Rows as arrays: a third faster than objects for hundreds of thousands of rows. */
function* rowsOf<R extends readonly unknown[]>(
  db: Statements,
  sql: string,
  ...values: (string | number)[]
): Generator<R> {
  const statement = db.statement<R>(sql);
  statement.setReturnArrays(true);
  for (const row of statement.iterate(...values)) yield row;
}

/** Rows read at once. */
const CHUNK = 5_000;

/**
 * Reads the same in chunks, in half the time. `sql` selects rows after a key, `first` the beginning, and a maximum of
 * rows.
 */
function* manyRowsOf<R extends readonly unknown[]>(
  db: Statements,
  sql: string,
  tenant: string,
  first: readonly string[],
  keyOf: (row: R) => readonly string[],
): Generator<R> {
  const statement = db.statement<R>(sql);
  statement.setReturnArrays(true);
  for (let after = first; ; ) {
    const rows = statement.all(tenant, ...after, CHUNK);
    yield* rows;
    if (rows.length < CHUNK) return;
    after = keyOf(itemAt(rows, CHUNK - 1));
  }
}

const countsOf = (db: Statements, table: string): Map<string, number> =>
  new Map(rowsOf<readonly [string, number]>(db, `SELECT tenant, count(*) FROM ${table} GROUP BY tenant`));

interface Removed {
  readonly id: string;
  readonly at: number;
}

function removedOf(db: Statements, tenant: string): Removed[] {
  const rows = rowsOf<readonly [string, number]>(
    db,
    'SELECT id, valid_to FROM ci_past WHERE tenant = ? AND removed = 1 ORDER BY valid_to DESC LIMIT ?',
    tenant,
    REMOVED_IN_MEMORY,
  );
  const latest = new Map<string, number>();
  for (const [id, at] of rows) if (!latest.has(id)) latest.set(id, at);
  return [...latest].map(([id, at]) => ({ id, at })).sort((a, b) => (a.id < b.id ? -1 : 1));
}

function addRemoved(topology: TenantTopology, { id, at }: Removed): void {
  const lookup = { externalKey: null, name: '', hostname: null, fqdn: null, addresses: [] };
  const { graph } = topology;
  const node = graph.ids.length;
  if (graph.nodes.has(id)) return;
  rememberCi(topology, { id, name: '', type: '', lookup, maintenance: null }, null);
  topology.directory.whole.delete('');
  graph.ended.set(node, at);
  topology.count -= 1;
}

type CiFactsRow = readonly [
  id: string,
  name: string,
  type: string,
  externalKey: string | null,
  lookup: string,
  formerly: string | null,
];

/** Loads in the order of ids, removed ones between the others, so that node numbers ascend with ids. */
function loadCis(db: Statements, tenant: string, topology: TenantTopology): void {
  const removed = removedOf(db, tenant);
  let next = 0;
  const sql = `SELECT id, name, type, external_key, lookup, formerly FROM ci INDEXED BY ci_id
    WHERE tenant = ? AND id > ? ORDER BY id LIMIT ?`;
  const rows = manyRowsOf<CiFactsRow>(db, sql, tenant, [''], ([id]) => [id]);
  for (const [id, name, type, external_key, lookup, formerly] of rows) {
    for (; next < removed.length && itemAt(removed, next).id <= id; next++)
      if (itemAt(removed, next).id !== id) addRemoved(topology, itemAt(removed, next));
    const known = unpackLookup({ name, external_key, lookup, formerly });
    rememberCi(topology, { id, name, type, lookup: known, maintenance: null }, null);
  }
  for (; next < removed.length; next++) addRemoved(topology, itemAt(removed, next));
}

type MaintainedRow = readonly [id: string, status: string, customFields: string];

/** Runs after the CIs; an index names the few that there are. */
function loadMaintenance(db: Statements, tenant: string, { graph, maintenance }: TenantTopology): void {
  const sql = `SELECT id, status, custom_fields FROM ci INDEXED BY ci_maintained
    WHERE tenant = ? AND (status = 'maintenance' OR instr(custom_fields, '"maintenance_window"') > 0)`;
  for (const [id, status, fields] of rowsOf<MaintainedRow>(db, sql, tenant)) {
    const known = maintenanceOf({ status: status as CiStatus, customFields: JSON.parse(fields) });
    if (known !== null) maintenance.set(entryOf(graph.nodes, id), known);
  }
}

/** Sorts after every text in the order of the file. */
const AFTER_ALL = '\u{10FFFF}';
type EdgeRow = readonly [source: string, target: string, type: string, critical: number, reach: number | null];
type PastEdgeRow = readonly [...EdgeRow, until: number];

/** Backwards, because each edge is put before the others of its ends: lists then ascend, and hubs need no sorting. */
function loadEdges(db: Statements, tenant: string, topology: TenantTopology): void {
  const sql = `SELECT source, target, type, critical, reach_from FROM relationship
    WHERE tenant = ? AND ai = 0 AND (source, target, type) < (?, ?, ?) ORDER BY source DESC, target DESC, type DESC LIMIT ?`;
  const rows = manyRowsOf<EdgeRow>(db, sql, tenant, [AFTER_ALL, '', ''], ([s, t, type]) => [s, t, type]);
  for (const [source, target, type, critical, reach] of rows) {
    rememberEdge(
      topology,
      { source, target, type, critical: critical === 1 },
      { since: reach ?? -Infinity, until: Infinity },
    );
  }
}

/** The newest history; versions beyond the bound, or between CIs unknown by now, are forgotten. */
function loadPast(db: Statements, tenant: string, topology: TenantTopology, limit: number): void {
  const sql = `SELECT source, target, type, critical, reach_from, valid_to FROM relationship_past WHERE tenant = ? AND ai = 0
    ORDER BY valid_to DESC, n DESC LIMIT ?`;
  const rows = [...rowsOf<PastEdgeRow>(db, sql, tenant, limit + 1)];
  const beyond = rows.length > limit ? rows.pop() : undefined;
  if (beyond !== undefined) topology.forgotten = beyond[5];
  for (const [source, target, type, critical, reach, until] of rows.reverse()) {
    const edge = { source, target, type, critical: critical === 1 };
    if (!rememberEdge(topology, edge, { since: reach ?? -Infinity, until }))
      topology.forgotten = Math.max(topology.forgotten, until);
  }
}

type RedundancyRow = readonly [source: string, target: string, type: string, group: string, required: number];

/** Runs after the edges, which they are part of; an index names the few that there are. */
function loadRedundancy(db: Statements, tenant: string, { graph, redundancy }: TenantTopology): void {
  const sql = `SELECT source, target, type, redundancy_group, redundancy_required
    FROM relationship INDEXED BY relationship_redundant WHERE tenant = ? AND redundancy_group IS NOT NULL AND ai = 0`;
  for (const [source, target, type, group, required] of rowsOf<RedundancyRow>(db, sql, tenant)) {
    const edge = liveEdge(graph, entryOf(graph.nodes, source), entryOf(graph.nodes, target), type);
    redundancy.set(edge, { group, required });
  }
}

/** Every tenant's topology; time and memory grow with CIs and relationships together. */
export function loadTopology(db: Statements, historyInMemory: number, caches: AroundCaches): Tenants {
  const relationships = countsOf(db, 'relationship');
  const tenants: Tenants = new Map();
  for (const [tenant, cis] of countsOf(db, 'ci'))
    tenants.set(tenant, emptyTenant(caches.open(), cis, relationships.get(tenant)));
  for (const [tenant] of countsOf(db, 'ci_past'))
    if (!tenants.has(tenant)) tenants.set(tenant, emptyTenant(caches.open()));
  for (const [tenant, topology] of tenants) {
    loadCis(db, tenant, topology);
    loadMaintenance(db, tenant, topology);
    loadEdges(db, tenant, topology);
    loadRedundancy(db, tenant, topology);
    loadPast(db, tenant, topology, historyInMemory);
  }
  return tenants;
}
