/** Finds the CIs that events are about: the store gives the candidates, the rule of the domain decides among them. */
import { itemAt } from '#domain/known.ts';
import { addToDirectory, type Binding, type BindingQuery, bindOne, emptyDirectory } from '#domain/topology/binding.ts';
import type { Lookup } from '#domain/topology/lookup.ts';
import type { CiMaintenance } from '#domain/topology/maintenance.ts';
import type { Run } from '#infra/neo4j/client/client.ts';
import { askedOf } from './asked-keys.ts';

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

interface Candidate {
  readonly id: string;
  readonly name: string;
  readonly type: string;
  readonly lookup: string;
  readonly maintained: string | null;
}

const UNBOUND: Binding = { ci: null, method: null, ambiguous: false };
const AMBIGUOUS: Binding = { ci: null, method: null, ambiguous: true };

/** Holds whatever the queries can find of the tenant's CIs, which is enough to answer them. */
function binder(candidates: readonly Candidate[]): (query: BindingQuery) => Binding {
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
  return queries.map(binder(await read<Candidate>(CANDIDATES, { tenant, ids, keys })));
}
