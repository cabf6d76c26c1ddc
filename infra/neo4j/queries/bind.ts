/** Finds the CIs of events: the store returns the candidates, the rule of the domain decides among them. */
import { itemAt } from '#domain/assert.ts';
import {
  addToDirectory,
  type Binding,
  type BindingQuery,
  bindOne,
  type Directory,
  emptyDirectory,
} from '#domain/topology/binding.ts';
import type { Lookup } from '#domain/topology/lookup.ts';
import type { CiMaintenance } from '#domain/topology/maintenance.ts';
import { keysIn } from '#infra/neo4j/client/ci-rows.ts';
import type { Run } from '#infra/neo4j/client/client.ts';

/** An empty index that records its requests. */
class Listening extends Map<string, never> {
  override get(key: string): undefined {
    super.set(key, undefined as never);
  }

  override has(): boolean {
    return false;
  }
}

const listening = (): Directory => ({
  external: new Listening(),
  whole: new Listening(),
  short: new Listening(),
  addresses: new Listening(),
  domains: new Map(),
  shared: new Map(),
});

interface BindingKeys {
  readonly ids: readonly string[];
  readonly keys: readonly string[];
}

/** All that binding may look up for these queries: it looks everywhere when it finds nothing. */
export function askedOf(queries: readonly BindingQuery[]): BindingKeys {
  const ids = new Set<string>();
  const directory = listening();
  const unknown = (id: string): undefined => {
    ids.add(id);
  };
  for (const query of queries) bindOne(directory, unknown, query);
  return { ids: [...ids], keys: keysIn(directory) };
}

/** Two of one key are enough to know that it is ambiguous; of machines with one short name some more, as their domains decide. */
const CANDIDATES = `CALL () {
    UNWIND $keys AS key CALL (key) {
      MATCH (k:Known) WHERE k.tenant = $tenant AND k.key = key AND k.ci IS NOT NULL RETURN k.ci AS id LIMIT 20
    } RETURN id
    UNION
    UNWIND $ids AS id RETURN id
  }
  MATCH (c:Ci {tenant: $tenant, id: id}) WHERE c.ended IS NULL
  RETURN id, c.name AS name, c.type AS type, c.lookup AS lookup, c.maintained AS maintained`;

interface BindingCandidate {
  readonly id: string;
  readonly name: string;
  readonly type: string;
  readonly lookup: string;
  readonly maintained: string | null;
}

const UNBOUND: Binding = { ci: null, method: null, ambiguous: false };
const AMBIGUOUS: Binding = { ci: null, method: null, ambiguous: true };

/** Holds all CIs of the tenant that the queries can find, which is enough to answer them. */
function binder(candidates: readonly BindingCandidate[]): (query: BindingQuery) => Binding {
  const directory = emptyDirectory();
  candidates.forEach(({ lookup }, node) => {
    addToDirectory(directory, node, JSON.parse(lookup) as Lookup);
  });
  const nodes = new Map(candidates.map(({ id }, node) => [id, node]));
  return (query) => {
    const match = bindOne(directory, (id) => nodes.get(id), query);
    if (match === null) return UNBOUND;
    if (match === 'ambiguous') return AMBIGUOUS;
    const { id, name, type, maintained } = itemAt(candidates, match.node);
    const maintenance = maintained === null ? null : { maintenance: JSON.parse(maintained) as CiMaintenance };
    return { ci: { id, name, type }, method: match.method, ambiguous: false, ...maintenance };
  };
}

/** One round trip for all queries together. */
export async function bindAll(read: Run, tenant: string, queries: readonly BindingQuery[]): Promise<Binding[]> {
  const { ids, keys } = askedOf(queries);
  if (ids.length + keys.length === 0) return queries.map(() => UNBOUND);
  return queries.map(binder(await read<BindingCandidate>(CANDIDATES, { tenant, ids, keys })));
}
