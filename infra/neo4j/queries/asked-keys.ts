import { type BindingQuery, bindOne, type Directory } from '#domain/topology/binding.ts';
import { keysIn } from '#infra/neo4j/client/ci-rows.ts';

/** An index that holds nothing and remembers what it was asked for. */
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

interface Asked {
  readonly ids: readonly string[];
  readonly keys: readonly string[];
}

/** All that binding may look up for these queries: it looks everywhere when it finds nothing. */
export function askedOf(queries: readonly BindingQuery[]): Asked {
  const ids = new Set<string>();
  const directory = listening();
  const unknown = (id: string): undefined => {
    ids.add(id);
  };
  for (const query of queries) bindOne(directory, unknown, query);
  return { ids: [...ids], keys: keysIn(directory) };
}
