import { zstdCompressSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { Ports } from '#domain/ports/ports.ts';
import type { InfrastructureCiRow } from '#domain/topology/infrastructure-rows.ts';
import {
  type InfrastructureIntake,
  type InfrastructureList,
  infrastructureIntake,
} from '#features/analyzer/rules/communities/infrastructure-intake.ts';
import {
  infrastructureSearch,
  type StepAnswer,
  type StepInput,
  type StepName,
} from '#features/analyzer/rules/communities/infrastructure-steps.ts';
import type { ServiceSearch, ServiceSearches } from '#features/analyzer/rules/service-searches.ts';
import { aCi, aRelationship, TENANT } from '#test/contract/topology-samples.ts';
import { DEGREES, makeInfrastructure } from '../../../bench/infrastructures.ts';

interface Search {
  readonly again: InfrastructureIntake['again'];
  readonly run: <N extends StepName>(name: N, input: StepInput<N>) => Promise<StepAnswer<N>>;
}

/** Steps in this thread. */
function here(): Search {
  const { add, steps } = infrastructureSearch();
  const run: Search['run'] = async (name, input) =>
    (steps[name] as (given: typeof input) => StepAnswer<typeof name>)(input);
  return { again: infrastructureIntake(add).again, run };
}

const { estate } = makeInfrastructure(30, DEGREES[1]!, 7);
const NETWORKS = 'seen-networks';
const SEARCHED = { tenant: TENANT, networks: NETWORKS };

/** Stored parts of the environment, in several texts. */
const KEPT: readonly (readonly [InfrastructureList, string])[] = (() => {
  const cis = estate.cis.map(({ id, name, type }): InfrastructureCiRow => [id, name, type, []]);
  const links = estate.links.map(({ source, target, type, port }) => [source, target, type, port]);
  const half = Math.floor(links.length / 2);
  return [
    ['cis', JSON.stringify(cis)],
    ['links', JSON.stringify(links.slice(0, half))],
    ['links', JSON.stringify(links.slice(half))],
    ['networks', JSON.stringify([[0, [{ name: 'postgres', port: 5_432 }]]])],
  ];
})();
const handOver = ({ again }: Pick<Search, 'again'>): void => {
  for (const [list, text] of KEPT) again(list, text);
};

/** Runs all steps of a search on its environment. */
async function searched({ run }: Pick<Search, 'run'>, atOnce: number) {
  const hubs = await run('hubs', null);
  const split = await run('split', hubs);
  await run('bind', split.serviceOf);
  const slices = Array.from({ length: Math.ceil(split.services / atOnce) }, (_, n) => ({
    from: n * atOnce,
    to: Math.min(split.services, (n + 1) * atOnce),
  }));
  for (const slice of slices) await run('classify', slice);
  const names = [];
  for (const slice of slices) names.push(...(await run('name', slice)));
  const scores = [];
  for (const slice of slices) scores.push(...(await run('score', slice)));
  const services = [];
  for (const slice of slices) services.push(...(await run('list', slice)));
  return { hubs, split, names, scores, services };
}

const LISTS = ['cis', 'links', 'networks'] as const;

/** Reads a list to its end. */
async function readAll(search: ServiceSearch, list: InfrastructureList) {
  const texts: string[] = [];
  let [count, seen] = [0, 0];
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const rows = await search.read(list, cursor);
    texts.push(rows.text);
    count += rows.count;
    seen = list === 'networks' ? Math.max(seen, rows.reached) : seen + rows.rows;
    cursor = rows.nextCursor;
  }
  return { texts, count, seen };
}

/** A store with nothing in it, and searches that read it. */
export interface SearchedStore {
  readonly ports: Pick<Ports, 'cis' | 'relationships' | 'records'>;
  readonly searches: ServiceSearches;
  /** Resolves when what was put is where searches read it. */
  settled(): Promise<void>;
  close(): Promise<void>;
}

export function serviceSearchesContract(name: string, open: () => SearchedStore) {
  describe(`${name} keeps the ServiceSearches contract`, () => {
    let store: SearchedStore;
    let search: ServiceSearch;
    const run: Search['run'] = (step, input) => search.run(step, input);
    const again: Search['again'] = (list, text) => search.again(list, zstdCompressSync(text).toString('base64'));
    beforeEach(() => {
      store = open();
      search = store.searches.open(SEARCHED);
    });
    afterEach(async () => {
      await search.close();
      await store.close();
    });

    test('a search finds what its steps find, in slices of any size', async () => {
      const own = here();
      handOver(own);
      const expected = await searched(own, 1_000);
      expect(expected.services.length).toBeGreaterThan(20);
      handOver({ again });
      expect(await searched({ run }, 7)).toEqual(expected);
    });

    test('a search that has read an estate finds what one finds that gets what was kept of it', async () => {
      const at = 1_000;
      const idOf = (n: number): string => estate.cis[n]!.id;
      await store.ports.cis.put(
        TENANT,
        estate.cis.map(({ id, name: called, type }, n) =>
          aCi(id, { name: called, type, createdAt: at + n, attributes: { ip_address: `10.0.${n >> 8}.${n & 255}` } }),
        ),
      );
      const ends = new Set<string>();
      const links = estate.links.flatMap(({ source, target, type, port }, n) => {
        const key = `${source} ${target} ${type}`;
        if (source === target || ends.has(key)) return [];
        ends.add(key);
        const parts = { type, createdAt: at + n, attributes: port === null ? {} : { port } };
        return [aRelationship(`link-${String(n).padStart(6, '0')}`, idOf(source), idOf(target), parts)];
      });
      await store.ports.relationships.put(TENANT, links);
      for (const n of [0, 5, 9]) {
        const connections = [{ process: 'java', targetIp: `10.0.0.${n + 1}`, count: 1, ports: [8_080, 8_081] }];
        const listeners = [{ name: 'postgres', port: 5_432 }];
        await store.ports.records.put(TENANT, NETWORKS, idOf(n), { connections, listeners });
      }
      await store.ports.records.put(TENANT, NETWORKS, 'gone', { connections: [], listeners: [] });
      await store.settled();

      const [cis, joined, seen] = [
        await readAll(search, 'cis'),
        await readAll(search, 'links'),
        await readAll(search, 'networks'),
      ];
      expect([cis.count, cis.seen]).toEqual([estate.cis.length, estate.cis.length]);
      expect([joined.count, joined.seen]).toEqual([links.length, links.length]);
      expect([seen.count, seen.seen]).toEqual([6, 10]);
      const kept = [cis, joined, seen].map(({ texts }) => texts);

      const later = store.searches.open(SEARCHED);
      for (const [n, list] of LISTS.entries()) for (const text of kept[n]!) later.again(list, text);
      const expected = await searched({ run: (step, input) => later.run(step, input) }, 1_000);
      await later.close();
      expect(expected.services.length).toBeGreaterThan(20);
      expect(await searched({ run }, 9)).toEqual(expected);

      // A search resumed after the CIs has their addresses, too.
      const resumed = store.searches.open(SEARCHED);
      for (const text of cis.texts) resumed.again('cis', text);
      expect((await readAll(resumed, 'networks')).count).toBe(6);
      await resumed.close();
      const rows = estate.cis.map(
        ({ id, name: called, type }): InfrastructureCiRow => [id, called, type, ['10.0.0.1']],
      );
      expect(cis.texts.join('').length).toBeLessThan(JSON.stringify(rows).length / 2);
    });

    test('two searches know nothing of one another', async () => {
      const other = store.searches.open({ ...SEARCHED, tenant: 'other' });
      handOver({ again });
      expect(await other.run('hubs', null)).toEqual([]);
      expect(await other.read('cis')).toEqual({
        text: expect.any(String),
        count: 0,
        rows: 0,
        reached: 0,
        nextCursor: null,
      });
      await other.close();
      expect((await run('hubs', null)).length).toBeGreaterThan(0);
    });

    test('a step that fails says so', async () => {
      handOver({ again });
      await run('bind', new Int32Array(estate.cis.length));
      await expect(run('name', { from: 0, to: 1 })).rejects.toThrow('The search for services has failed');
    });

    test('what is being done ends when it is closed, and nothing begins after it', async () => {
      handOver({ again });
      const lost = expect(run('split', [])).rejects.toThrow('The search was closed');
      await search.close();
      await lost;
      await expect(run('hubs', null)).rejects.toThrow('The search was closed');
    });

    test('one thing at a time', async () => {
      const first = run('hubs', null);
      await expect(run('hubs', null)).rejects.toThrow('still running another step');
      expect(await first).toEqual([]);
    });
  });
}
