import type { Family } from './names.ts';
import type { Store } from './store.ts';

/** Deletes the indices of whole families; a cluster may forbid to name them by a wildcard. */
export async function dropAll({ connection, names, indices }: Store, families: readonly Family[]): Promise<void> {
  for (const family of families) {
    const found = await connection.ask((client) => client.indices.getAlias({ index: names.every(family) }));
    for (const [index, { aliases }] of Object.entries(found)) {
      await connection.ask((client) => client.indices.delete({ index }));
      for (const alias of Object.keys(aliases)) indices.forget(alias);
    }
  }
}
