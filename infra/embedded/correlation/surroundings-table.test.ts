import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { Enriched } from '#domain/correlation/records.ts';
import { walkAround } from '#domain/topology/graph/arrival-topology.ts';
import { addEdge } from '#domain/topology/graph/edges.ts';
import { addNode, emptyGraph } from '#domain/topology/graph/graph.ts';
import type { ArrivalTopology, NearCi } from '#domain/topology/near.ts';
import type { Database } from '#infra/embedded/redo-log/database.ts';
import { openAroundCaches, type ValidityOf } from '#infra/embedded/topology/cache.ts';
import { sampleEnriched } from '#test/contract/samples.ts';
import { memoryDatabase } from '#test/setup/empty-database.ts';
import { CiDictionary } from './ci-dictionary.ts';
import { SurroundingsTable } from './enriched-table.ts';
import { AroundPacker, unpackAround, unpackLists } from './packed-surroundings.ts';

let database: Database;
let names: CiDictionary;
beforeEach(() => {
  database = memoryDatabase();
  names = new CiDictionary(database);
});
/** Remembers no surroundings of others. */
const open = (...given: [validityOf?: ValidityOf]) => new SurroundingsTable(database, names, ...given);
afterEach(() => database.close());

const ci = fc.constantFrom('a', 'b', 'ü', '01J0000000000000000000000A', '');
const near = fc.record({ ci, hops: fc.nat(6), via: fc.option(ci) });
const enriched = fc
  .record({
    truncated: fc.boolean(),
    degree: fc.nat(),
    reach2: fc.nat(),
    reach3: fc.nat(),
    all: fc.nat(),
    upstream: fc.array(near),
    wholes: fc.array(fc.record({ ci, parts: fc.nat(5_000) }), { minLength: 1, maxLength: 8 }),
    chain: fc.array(near),
    near: fc.array(fc.record({ ci, hops: fc.nat(3), via: fc.option(ci), criticalHops: fc.nat(3) })),
  })
  .map(({ chain, ...surroundings }): Enriched => ({ ...sampleEnriched(1, { chain }), ...surroundings }));
const aroundOf = ({ arrival, near, truncated, degree, reach2, reach3, all, upstream, wholes }: Enriched) => ({
  chain: arrival.chain,
  surroundings: { near, truncated, degree, reach2, reach3, all, upstream, ...(wholes && { wholes }) },
});
const rowsOf = (table: string): number =>
  (database.arrays(`SELECT count(*) FROM ${table}`).get() as unknown as [number])[0];

describe('surroundings', () => {
  test('come back as they were, also to another reader and without what is near', () => {
    fc.assert(
      fc.property(enriched, (record) => {
        const id = open().put(record);
        expect(open().get(id)).toEqual(aroundOf(record));
        names.forget();
        const [body] = database.arrays('SELECT body FROM surroundings WHERE id = ?').get(id) as unknown as [Uint8Array];
        const make = (n: number, hops: number, via: number): NearCi => ({
          ci: names.idOf(n),
          hops,
          via: via === -1 ? null : names.idOf(via),
        });
        const { arrival, upstream, wholes } = record;
        expect(unpackLists(body, make, (n) => names.idOf(n))).toEqual({ chain: arrival.chain, upstream, wholes });
      }),
    );
  });

  test('of a row of another version are not read', () => {
    const body = new AroundPacker(names).pack(aroundOf(sampleEnriched(1)));
    body[0]! += 1;
    expect(() => unpackAround(body, names)).toThrow("surroundings of version 4 can't be read");
  });

  test('of before wholes were stored have none', () => {
    const record = sampleEnriched(1, { chain: [] });
    const body = [...new AroundPacker(names).pack(aroundOf({ ...record, upstream: [], near: [] }))];
    // Version, five counts, no name, then the lists: upstream, chain, wholes, near.
    expect(body.slice(-5)).toEqual([0, 0, 0, 0, 0]);
    const older = Uint8Array.from([2, ...body.slice(1, -1)]);
    expect(unpackAround(older, names)).toEqual(aroundOf({ ...record, upstream: [], near: [] }));
    const make = (): NearCi => ({ ci: '', hops: 0, via: null });
    expect(unpackLists(older, make, () => '').wholes).toEqual([]);
  });

  test('are written the same by nodes and by ids', () => {
    const graph = emptyGraph();
    const ids = Array.from({ length: 30 }, (_, n) => `ci-${n}`);
    for (const id of ids) addNode(graph, id);
    for (let n = 0; n < 80; n++)
      addEdge(graph, (n * 7) % 30, (n * 11 + 3) % 30, {
        type: ['runs_on', 'depends_on', 'peers_with'][n % 3]!,
        critical: n % 4 === 0,
        since: -Infinity,
        until: Infinity,
      });
    const packer = new AroundPacker(names);
    for (const node of ids.keys()) {
      const { topology, nodes } = walkAround(graph, node, 0, 30, { from: -Infinity, to: Infinity });
      const asked = { chain: topology.chain, surroundings: topology };
      const byNodes = packer.pack(asked, { ...nodes, ids: graph.ids });
      expect(byNodes).toEqual(packer.pack(asked));
      // Nodes of another answer are not used.
      expect(packer.pack(asked, { ...nodes, near: [], ids: graph.ids })).toEqual(byNodes);
    }
  });

  test('are stored once per content and tenant, also after a start', () => {
    const one = sampleEnriched(1);
    const table = open();
    const id = table.put(one);
    const others = [structuredClone(one), sampleEnriched(2)].map((record) => table.put(record));
    expect([...others, open().put(structuredClone(one))]).toEqual([id, id, id]);
    expect(table.put({ ...one, degree: 99 })).not.toBe(id);
    expect(table.put(sampleEnriched(1, { tenant: 'other' }))).not.toBe(id);
    expect([rowsOf('surroundings'), rowsOf('ci_name')]).toEqual([3, 4]);
  });

  test('that a rollback took away are stored again', () => {
    const table = open();
    database.onRollback(() => table.forget());
    const fail = () =>
      database.transaction(() => {
        table.put(sampleEnriched(1));
        throw new Error('no');
      });
    expect(fail).toThrow('no');
    const id = table.put(sampleEnriched(1));
    expect(open().get(id)).toEqual(aroundOf(sampleEnriched(1)));
    expect([rowsOf('surroundings'), rowsOf('ci_name')]).toEqual([1, 4]);
  });

  test('of a CI whose topology has not changed are recognised, and stored again after a rollback or a change', () => {
    const caches = openAroundCaches();
    const cache = caches.open();
    const table = open(caches.validityOf);
    const asked = (degree: number) => {
      const record = { ...sampleEnriched(1), near: structuredClone(sampleEnriched(1).near), degree };
      cache.put(7, { from: -Infinity, to: Infinity }, { ...record, chain: [] } as unknown as ArrivalTopology);
      return record;
    };
    const id = table.put(asked(1));
    // Not even read: the same validity is the same content.
    expect(table.put(asked(2))).toBe(id);
    table.forget();
    const other = table.put(asked(2));
    expect(other).not.toBe(id);
    cache.clear();
    expect(table.put(asked(1))).toBe(id);
  });
});
