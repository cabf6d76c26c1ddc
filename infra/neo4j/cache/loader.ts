/** Requests that lack CIs at the same time share a read: the events of a burst concern neighbouring CIs. */

import { setImmediate as turn } from 'node:timers/promises';
import { slices } from '#domain/slices.ts';
import type { Run } from '#infra/neo4j/client/client.ts';
import { type GraphCache, putCis } from './graph-cache.ts';
import { loadCis } from './load-cis.ts';

/** Loads CIs with all their relationships into a cache; resolves to the existing ones among all CIs of the shared read. */
export type Loader = (tenant: string, cache: GraphCache, ids: readonly string[]) => Promise<ReadonlySet<string>>;

/** CIs of one query. */
const QUERY_CIS = 1_000;

interface Reading {
  readonly ids: Set<string>;
  readonly found: Promise<ReadonlySet<string>>;
}

const readAll = async (read: Run, tenant: string, cache: GraphCache, ids: readonly string[]): Promise<Set<string>> => {
  const found = new Set<string>();
  for (const some of slices(ids, QUERY_CIS)) {
    const loaded = await loadCis(read, tenant, some, cache.floor);
    putCis(cache, loaded);
    for (const { id } of loaded) found.add(id);
  }
  return found;
};

/** One read per cache at a time; requests made meanwhile share the next one. */
export const openLoader = (read: Run): Loader => {
  const next = new WeakMap<GraphCache, Reading>();
  const last = new WeakMap<GraphCache, Promise<unknown>>();

  const begin = async (tenant: string, cache: GraphCache, ids: ReadonlySet<string>): Promise<ReadonlySet<string>> => {
    await last.get(cache);
    // Requests of the same turn share the read.
    await turn();
    next.delete(cache);
    const reading = readAll(read, tenant, cache, [...ids]);
    last.set(
      cache,
      reading.catch(() => undefined),
    );
    return reading;
  };

  return (tenant, cache, ids) => {
    let reading = next.get(cache);
    if (reading === undefined) {
      const wanted = new Set<string>();
      reading = { ids: wanted, found: begin(tenant, cache, wanted) };
      next.set(cache, reading);
    }
    for (const id of ids) reading.ids.add(id);
    return reading.found;
  };
};
