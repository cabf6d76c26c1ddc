import { beforeEach, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { TopologyStore } from '#domain/ports/topology-store.ts';
import type { Ci, Relationship } from '#domain/topology/topology.ts';
import { type Estate, estates, naiveAround, nearestOf } from './topology-naive.ts';
import { aCi, aRelationship } from './topology-samples.ts';

const TENANT = 'acme';
const FIRST_PAGE = { sort: 'name', order: 'asc', limit: 10 } as const;
const OLDEST = { sort: 'created_at', order: 'asc', limit: 10 } as const;

/** What every store of CIs and relationships must do. `open` gives an empty one. */
export function topologyStoreContract(name: string, open: () => Promise<TopologyStore>): void {
  let store: TopologyStore;
  beforeEach(async () => {
    store = await open();
  });
  const cis = (...made: readonly Ci[]) => store.putCis(TENANT, made);
  const named = (...ids: readonly string[]) => cis(...ids.map((id) => aCi(id)));
  const join = (...made: readonly Relationship[]) => store.putRelationships(TENANT, made);
  const around = async (ci: string, asOf = 9_000) => (await store.around(TENANT, ci, asOf))!;

  describe(`${name} keeps CIs`, () => {
    test('what was put comes back whole, in the order asked for', async () => {
      const full = aCi('a', {
        externalKey: 'K-1',
        description: 'Main database',
        attributes: { os: 'linux', nested: { cpu_cores: 8 } },
        customFields: { owner: 'dba' },
      });
      await cis(full, aCi('b'));
      expect(await store.getCis(TENANT, ['b', 'missing', 'a'])).toEqual([aCi('b'), full]);
      expect(await store.count(TENANT)).toBe(2);
    });

    test('a version is shown from its time on, and nothing before creation or after removal', async () => {
      await cis(aCi('a', { name: 'old', createdAt: 100, updatedAt: 100 }));
      await cis(aCi('a', { name: 'new', createdAt: 100, updatedAt: 200, revision: 2 }));
      expect(await store.removeCi(TENANT, 'a', 300)).toBe(true);
      const at = async (time: number) => (await store.getCis(TENANT, ['a'], time)).map((ci) => ci.name);
      expect(await Promise.all([99, 100, 199, 200, 299, 300].map(at))).toEqual([
        [],
        ['old'],
        ['old'],
        ['new'],
        ['new'],
        [],
      ]);
      expect(await store.getCis(TENANT, ['a'])).toEqual([]);
      expect(await store.count(TENANT)).toBe(0);
      expect(await store.removeCi(TENANT, 'a', 400)).toBe(false);
    });

    test('a used external key is a conflict, and nothing of that put is kept', async () => {
      await cis(aCi('a', { externalKey: 'K' }));
      await expect(cis(aCi('b'), aCi('c', { externalKey: 'K' }))).rejects.toMatchObject({ kind: 'conflict' });
      expect(await store.getCis(TENANT, ['b', 'c'])).toEqual([]);
      expect(await store.count(TENANT)).toBe(1);
      await store.putCis('other', [aCi('d', { tenant: 'other', externalKey: 'K' })]);
    });

    test.each([1, 2])('revision %i over stored revision 2 is refused', async (revision) => {
      await cis(aCi('a'));
      await cis(aCi('a', { revision: 2, name: 'kept' }));
      await expect(cis(aCi('a', { revision, name: 'lost' }))).rejects.toMatchObject({ kind: 'precondition' });
      expect((await store.getCis(TENANT, ['a']))[0]?.name).toBe('kept');
    });

    test('a CI with relationships is not removed', async () => {
      await named('a', 'b');
      await join(aRelationship('r', 'a', 'b'));
      await expect(store.removeCi(TENANT, 'b', 200)).rejects.toMatchObject({ kind: 'conflict' });
      await store.removeRelationship(TENANT, 'r', 200);
      expect(await store.removeCi(TENANT, 'b', 200)).toBe(true);
    });
  });

  describe(`${name} lists CIs`, () => {
    const ids = async (...args: Parameters<TopologyStore['findCis']> extends [string, ...infer R] ? R : never) =>
      (await store.findCis(TENANT, ...args)).items.map(({ id }) => id);
    beforeEach(() =>
      cis(
        aCi('1', { name: 'web-02', type: 'server', createdAt: 30, updatedAt: 30 }),
        aCi('2', { name: 'Web-01', type: 'server', status: 'maintenance', createdAt: 20, updatedAt: 90 }),
        aCi('3', { name: 'core', type: 'switch', description: 'in front of WEB 100%', createdAt: 10, updatedAt: 10 }),
        aCi('4', {
          name: 'core',
          type: 'router',
          createdAt: 10,
          updatedAt: 10,
          attributes: { ip_address: '10.0.0.7' },
        }),
      ),
    );

    test.each([
      ['name', ['3', '4', '2', '1']],
      ['created_at', ['3', '4', '2', '1']],
      ['updated_at', ['3', '4', '1', '2']],
      ['type', ['4', '1', '2', '3']],
      ['status', ['1', '3', '4', '2']],
    ] as const)('by %s, ties by id, and backwards', async (sort, expected) => {
      expect(await ids({}, { sort, order: 'asc', limit: 10 })).toEqual(expected);
      expect(await ids({}, { sort, order: 'desc', limit: 10 })).toEqual([...expected].reverse());
    });

    test.each([
      [{ search: 'wEb' }, ['3', '2', '1']],
      [{ search: '100%' }, ['3']],
      [{ search: '_' }, []],
      [{ types: ['server', 'router'] }, ['4', '2', '1']],
      [{ types: ['server'], statuses: ['maintenance' as const] }, ['2']],
      [{ search: 'core', types: ['switch'] }, ['3']],
      [{ ip: '::ffff:10.0.0.7' }, ['4']],
      [{ ip: '10.0.0.8' }, []],
    ])('filtered by %j', async (filter, expected) => {
      expect(await ids(filter, FIRST_PAGE)).toEqual(expected);
      expect((await store.findCis(TENANT, filter, { ...FIRST_PAGE, limit: 1 })).total).toBe(expected.length);
    });

    test.each(['asc', 'desc'] as const)('cursors and offsets walk through every page, %s', async (order) => {
      const all = await ids({}, { sort: 'name', order, limit: 10 });
      const walked: string[] = [];
      for (let cursor: string | null | undefined; cursor !== null; ) {
        const page = await store.findCis(TENANT, {}, { sort: 'name', order, limit: 1, ...(cursor ? { cursor } : {}) });
        walked.push(...page.items.map(({ id }) => id));
        cursor = page.nextCursor;
      }
      expect(walked).toEqual(all);
      expect(await ids({}, { sort: 'name', order, limit: 2, offset: 1 })).toEqual(all.slice(1, 3));
      expect(await ids({}, { sort: 'name', order, limit: 2, offset: 9 })).toEqual([]);
    });

    test('totals follow changes and removals', async () => {
      const total = async (filter: object) => (await store.findCis(TENANT, filter, FIRST_PAGE)).total;
      await cis(aCi('1', { type: 'vm', revision: 2 }), aCi('5', { type: 'vm' }));
      await cis(aCi('5', { type: 'vm', status: 'inactive', revision: 2 }));
      await store.removeCi(TENANT, '2', 200);
      await expect(cis(aCi('6', { type: 'vm' }), aCi('5', { revision: 2 }))).rejects.toMatchObject({
        kind: 'precondition',
      });
      expect(await total({})).toBe(4);
      expect(await total({ types: ['server'] })).toBe(0);
      expect(await total({ types: ['vm'] })).toBe(2);
      expect(await total({ types: ['vm', 'switch'], statuses: ['active'] })).toBe(2);
    });

    test('a cursor of another list is refused', async () => {
      const { nextCursor } = await store.findCis(TENANT, {}, { ...FIRST_PAGE, limit: 1 });
      for (const [sort, cursor] of [
        ['type', nextCursor!],
        ['name', 'nonsense'],
      ] as const)
        await expect(store.findCis(TENANT, {}, { sort, order: 'asc', limit: 1, cursor })).rejects.toMatchObject({
          kind: 'invalid',
        });
    });
  });

  describe(`${name} keeps relationships`, () => {
    beforeEach(() => named('a', 'b', 'c'));
    const ids = async (filter: object, page = {}) =>
      (await store.findRelationships(TENANT, { includeAi: true, ...filter }, { ...OLDEST, ...page })).items.map(
        ({ id }) => id,
      );

    test('types are stored with underscores', async () => {
      await join(aRelationship('r', 'a', 'b', { type: 'Depends-On', attributes: { port: 5432 } }));
      expect(await store.getRelationship(TENANT, 'r')).toEqual(
        aRelationship('r', 'a', 'b', { type: 'depends_on', attributes: { port: 5432 } }),
      );
    });

    test('lists by end, type and origin', async () => {
      await join(
        aRelationship('r1', 'a', 'b', { createdAt: 300 }),
        aRelationship('r2', 'b', 'c', { createdAt: 100 }),
        aRelationship('r3', 'c', 'a', { createdAt: 100, type: 'uses', discoveredBy: 'ai' }),
      );
      expect(await ids({})).toEqual(['r2', 'r3', 'r1']);
      expect(await ids({}, { order: 'desc', limit: 2 })).toEqual(['r1', 'r3']);
      expect(await ids({ includeAi: false })).toEqual(['r2', 'r1']);
      expect(await ids({ ci: 'b' })).toEqual(['r2', 'r1']);
      expect(await ids({ ci: 'c', type: 'uses' })).toEqual(['r3']);
      expect(await ids({ source: 'a' })).toEqual(['r1']);
      expect(await ids({ target: 'a' })).toEqual(['r3']);
      expect(await ids({ ci: 'a', source: 'c' })).toEqual(['r3']);
      expect([...(await store.countRelationships(TENANT, ['a', 'missing']))]).toEqual([
        ['a', 2],
        ['missing', 0],
      ]);
      const { total, nextCursor } = await store.findRelationships(
        TENANT,
        { ci: 'b', includeAi: true },
        { ...OLDEST, limit: 1 },
      );
      expect(total).toBe(2);
      expect(await ids({ ci: 'b' }, { cursor: nextCursor })).toEqual(['r1']);
    });

    test('the same ends and type are a conflict, whatever the spelling; another type is not', async () => {
      await join(
        aRelationship('r1', 'a', 'b'),
        aRelationship('r2', 'a', 'b', { type: 'uses' }),
        aRelationship('r3', 'b', 'a'),
      );
      await expect(join(aRelationship('r4', 'a', 'b', { type: 'depends-on' }))).rejects.toMatchObject({
        kind: 'conflict',
      });
      await store.removeRelationship(TENANT, 'r1', 200);
      await join(aRelationship('r4', 'a', 'b'));
    });

    test('an end that does not exist, or is the other end, is invalid, and nothing of that put is kept', async () => {
      await expect(join(aRelationship('r1', 'a', 'b'), aRelationship('r2', 'a', 'x'))).rejects.toMatchObject({
        kind: 'invalid',
        problems: [{ field: 'target' }],
      });
      await expect(join(aRelationship('r2', 'x', 'a'))).rejects.toMatchObject({ problems: [{ field: 'source' }] });
      await expect(join(aRelationship('r2', 'a', 'a'))).rejects.toMatchObject({ kind: 'invalid' });
      expect(await ids({})).toEqual([]);
      expect((await around('a')).degree).toBe(0);
    });

    test('totals follow changes and removals', async () => {
      const total = async (filter: object) =>
        (await store.findRelationships(TENANT, { includeAi: false, ...filter }, OLDEST)).total;
      await join(aRelationship('r1', 'a', 'b'), aRelationship('r2', 'b', 'c'), aRelationship('r3', 'a', 'c'));
      await join(aRelationship('r1', 'a', 'b', { type: 'uses', revision: 2 }));
      await join(aRelationship('r2', 'b', 'c', { discoveredBy: 'ai', revision: 2 }));
      await store.removeRelationship(TENANT, 'r3', 200);
      expect(await total({})).toBe(1);
      expect(await total({ includeAi: true })).toBe(2);
      expect(await total({ type: 'uses' })).toBe(1);
      expect(await total({ type: 'depends_on' })).toBe(0);
    });

    test('a revision that is not newer is refused', async () => {
      await join(aRelationship('r', 'a', 'b'));
      await join(aRelationship('r', 'a', 'b', { revision: 2 }));
      await expect(join(aRelationship('r', 'a', 'b', { revision: 2 }))).rejects.toMatchObject({ kind: 'precondition' });
      expect(await store.removeRelationship(TENANT, 'missing', 200)).toBe(false);
    });
  });

  describe(`${name} binds events`, () => {
    const bind = async (query: Parameters<TopologyStore['bind']>[1][number]) => {
      const [bound] = await store.bind(TENANT, [query]);
      return bound?.ambiguous ? 'ambiguous' : bound?.ci === null ? 'unbound' : `${bound?.ci.id} by ${bound?.method}`;
    };
    beforeEach(() =>
      cis(
        aCi('1', { name: 'Web-01', externalKey: '/subscriptions/S/VM/web-01', attributes: { ip_address: '10.0.0.1' } }),
        aCi('2', { name: 'Database', attributes: { hostname: 'db-01', fqdn: 'db-01.example.com' } }),
        aCi('3', { name: 'x1.one.example', customFields: { all_ip_addresses: ['10.0.0.3', '2001:DB8::0:1'] } }),
        aCi('4', {
          name: 'x1.two.example',
          attributes: { interfaces: [{ ip: '10.0.0.4/24', gateway_ip: '10.0.0.254' }] },
        }),
        aCi('5', { name: 'twin', attributes: { ip_address: '10.0.0.9' } }),
        aCi('6', { name: 'Twin', attributes: { private_ip: '10.0.0.9', lo: { address: '127.0.0.1' } } }),
      ),
    );

    test.each([
      ['id', { ciId: '2', hostname: 'web-01' }, '2 by id'],
      ['external key, any case', { ciId: '/SUBSCRIPTIONS/s/vm/WEB-01' }, '1 by external_key'],
      [
        'hints in their order',
        { ciId: 'no', hints: ['no', 'db-01.example.com', 'web-01'], hostname: 'web-01' },
        '2 by fqdn',
      ],
      ['name', { hostname: 'WEB-01' }, '1 by name'],
      ['host name attribute', { hostname: 'db-01' }, '2 by hostname'],
      ['FQDN', { hostname: 'DB-01.example.com.' }, '2 by fqdn'],
      ['first label of what the event says', { hostname: 'web-01.corp.example' }, '1 by short_name'],
      ['host before address', { hostname: 'web-01', ipAddress: '10.0.0.3' }, '1 by name'],
      ['unknown id, known host', { ciId: 'no', hostname: 'web-01' }, '1 by name'],
      ['unknown host, known address', { hostname: 'no', ipAddress: '10.0.0.3' }, '3 by ip'],
      ['IPv4 within IPv6', { ipAddress: '::ffff:10.0.0.1' }, '1 by ip'],
      ['another spelling of an IPv6 address', { ipAddress: '2001:db8:0:0:0:0:0:1' }, '3 by ip'],
      ['an address in a structure, with its prefix', { ipAddress: '10.0.0.4' }, '4 by ip'],
      ['an address as host name', { hostname: '10.0.0.4:9100' }, '4 by ip'],
      ['a gateway is somebody else', { ipAddress: '10.0.0.254' }, 'unbound'],
      ['everybody has a loopback', { ipAddress: '127.0.0.1' }, 'unbound'],
      ['two of one name', { hostname: 'twin', ipAddress: '10.0.0.1' }, 'ambiguous'],
      ['two of one address', { ipAddress: '10.0.0.9' }, 'ambiguous'],
      ['two of one first label', { hostname: 'x1' }, 'ambiguous'],
      ['two of one first label, told apart by address', { hostname: 'x1', ipAddress: '10.0.0.4' }, '4 by ip'],
      ['nothing', {}, 'unbound'],
    ])('%s', async (_case, query, expected) => {
      expect(await bind(query)).toBe(expected);
    });

    test('names and addresses follow changes and removals', async () => {
      await cis(aCi('1', { name: 'app-01', revision: 2 }));
      await store.removeCi(TENANT, '5', 200);
      expect(await bind({ hostname: 'web-01' })).toBe('unbound');
      expect(await bind({ ipAddress: '10.0.0.1' })).toBe('unbound');
      expect(await bind({ hostname: 'app-01' })).toBe('1 by name');
      expect(await bind({ hostname: 'twin' })).toBe('6 by name');
      expect(await bind({ ciId: '5' })).toBe('unbound');
    });
  });

  describe(`${name} knows what lies around a CI`, () => {
    test('source depends_on target: the target is upstream', async () => {
      await named('app', 'db', 'host');
      await join(aRelationship('1', 'app', 'db'), aRelationship('2', 'db', 'host', { type: 'runs_on' }));
      expect(await around('app')).toMatchObject({
        above3: 2,
        below3: 0,
        all: 3,
        degree: 1,
        reach2: 2,
        reach3: 2,
        hasRelationships: true,
      });
      expect((await around('app')).chain).toEqual([
        { ci: 'db', hops: 1, via: 'app' },
        { ci: 'host', hops: 2, via: 'db' },
      ]);
      expect(await around('host')).toMatchObject({ above3: 0, below3: 2, chain: [], upstream: [] });
    });

    test('a dependency chain does not zigzag', async () => {
      await named('app1', 'app2', 'db', 'store');
      await join(
        aRelationship('1', 'app1', 'db'),
        aRelationship('2', 'app2', 'db'),
        aRelationship('3', 'app2', 'store'),
      );
      expect((await around('app1')).chain.map(({ ci }) => ci)).toEqual(['db']);
      expect((await around('app1')).near.map(({ ci, hops }) => [ci, hops])).toEqual([
        ['db', 1],
        ['app2', 2],
        ['store', 3],
      ]);
    });

    test('power and place are causes but no dependencies; unknown types are near alone', async () => {
      await named('a', 'pdu', 'rack', 'peer');
      await join(
        aRelationship('1', 'a', 'pdu', { type: 'powered_by' }),
        aRelationship('2', 'pdu', 'rack', { type: 'located_in' }),
        aRelationship('3', 'a', 'peer', { type: 'peers_with' }),
      );
      const found = await around('a');
      expect(found.upstream.map(({ ci, hops }) => [ci, hops])).toEqual([
        ['pdu', 1],
        ['rack', 2],
      ]);
      expect(found).toMatchObject({ above3: 0, chain: [], degree: 2 });
      expect(found.near.map(({ ci }) => ci)).toEqual(['pdu', 'peer', 'rack']);
    });

    test('critical hops are counted over critical edges alone', async () => {
      await named('a', 'b', 'c', 'd', 'e');
      const critical = { attributes: { criticality: 'high' } };
      await join(
        aRelationship('1', 'a', 'b', critical),
        aRelationship('2', 'c', 'b', { attributes: { criticality: 'critical' } }),
        aRelationship('3', 'c', 'd', critical),
        aRelationship('4', 'a', 'd', { attributes: { criticality: 'low' } }),
        aRelationship('5', 'd', 'e', critical),
      );
      expect((await around('a')).near.map((near) => [near.ci, near.hops, near.criticalHops])).toEqual([
        ['b', 1, 1],
        ['d', 1, 3],
        ['c', 2, 2],
        ['e', 2, 0],
      ]);
    });

    test('upstream reaches 6 hops, chains and neighbours 3', async () => {
      const ids = ['0', '1', '2', '3', '4', '5', '6', '7'];
      await named(...ids);
      await join(...ids.slice(1).map((id, i) => aRelationship(`r${i}`, ids[i]!, id)));
      const found = await around('0');
      expect(found.upstream.map(({ hops }) => hops)).toEqual([1, 2, 3, 4, 5, 6]);
      expect([found.chain.length, found.near.length]).toEqual([3, 3]);
    });

    test('the nearest 256 neighbours, ties by id, and the true counts', async () => {
      const hosts = Array.from({ length: 300 }, (_, i) => `h${String(i).padStart(3, '0')}`);
      await named('hub', ...hosts);
      await join(...[...hosts].reverse().map((id) => aRelationship(`r-${id}`, id, 'hub')));
      const found = await around('hub');
      expect(found.near.map(({ ci }) => ci)).toEqual(hosts.slice(0, 256));
      expect(found).toMatchObject({ truncated: true, degree: 300, reach3: 300, below3: 300 });
      expect((await around('h299')).near.map(({ ci }) => ci)).toEqual(['hub', ...hosts.slice(0, 255)]);
      expect((await store.neighbourhood(TENANT, 'hub', { hops: 1, direction: 'both', limit: 300 })).truncated).toBe(
        false,
      );
      expect((await store.neighbourhood(TENANT, 'hub', { hops: 1, direction: 'both', limit: 299 })).truncated).toBe(
        true,
      );
    });

    test('a first version reaches back; a removal and a change do not', async () => {
      await named('a', 'b', 'c');
      await join(aRelationship('1', 'a', 'b', { createdAt: 500 }), aRelationship('2', 'a', 'c', { createdAt: 500 }));
      await join(
        aRelationship('2', 'a', 'c', {
          attributes: { criticality: 'high' },
          createdAt: 500,
          updatedAt: 600,
          revision: 2,
        }),
      );
      await store.removeRelationship(TENANT, '1', 700);
      const seen = async (at: number) => (await around('a', at)).near.map((near) => [near.ci, near.criticalHops]);
      expect(await seen(100)).toEqual([
        ['b', 0],
        ['c', 0],
      ]);
      expect(await seen(599)).toEqual([
        ['b', 0],
        ['c', 0],
      ]);
      expect(await seen(600)).toEqual([
        ['b', 0],
        ['c', 1],
      ]);
      expect(await seen(700)).toEqual([['c', 1]]);
      expect(await seen(650)).toEqual([
        ['b', 0],
        ['c', 1],
      ]);
    });

    test('a removed CI has surroundings before its removal only, an unknown one never', async () => {
      await named('a', 'b');
      await join(aRelationship('1', 'a', 'b'));
      await store.removeRelationship(TENANT, '1', 200);
      await store.removeCi(TENANT, 'a', 300);
      expect(await store.around(TENANT, 'a', 150)).toMatchObject({ degree: 1 });
      expect(await store.around(TENANT, 'a', 250)).toMatchObject({ degree: 0 });
      expect(await store.around(TENANT, 'a', 300)).toBeNull();
      expect(await store.around(TENANT, 'x', 100)).toBeNull();
    });

    test('it is what a naive search finds, now and in the past', async () => {
      await fc.assert(
        fc.asyncProperty(estates(), async (estate) => {
          const fresh = await open();
          await load(fresh, estate);
          for (const ci of estate.cis)
            for (const at of [50, 150, 250, 350]) {
              expect(await fresh.around(TENANT, ci, at)).toEqual(naiveAround(estate, ci, at));
              for (const direction of ['up', 'down', 'both'] as const) {
                const hood = await fresh.neighbourhood(TENANT, ci, { hops: 2, direction, limit: 100, asOf: at });
                expect(hood.nodes.map((node) => [node.ci, node.hops, node.via])).toEqual(
                  nearestOf(estate, ci, { at, hops: 2, direction, literal: true }),
                );
              }
            }
        }),
        { numRuns: 40 },
      );
    });
  });

  /** Relationships come at 100; at 200 some become critical, at 300 some go. */
  async function load(into: TopologyStore, { cis: ids, edges }: Estate): Promise<void> {
    await into.putCis(
      TENANT,
      ids.map((id) => aCi(id, { createdAt: 10, updatedAt: 10 })),
    );
    const made = edges.map((edge, i) => ({
      edge,
      put: aRelationship(`r${i}`, edge.source, edge.target, { type: edge.type }),
    }));
    await into.putRelationships(
      TENANT,
      made.map(({ put }) => put),
    );
    const risen = made.filter(({ edge }) => edge.criticalLater);
    const attributes = { criticality: 'critical' };
    await into.putRelationships(
      TENANT,
      risen.map(({ put }) => ({ ...put, attributes, updatedAt: 200, revision: 2 })),
    );
    for (const { edge, put } of made) if (edge.removedLater) await into.removeRelationship(TENANT, put.id, 300);
  }

  describe(`${name} answers people`, () => {
    beforeEach(async () => {
      await cis(aCi('a'), aCi('b', { name: 'Bee', type: 'switch' }), aCi('c'), aCi('d'));
      await join(
        aRelationship('1', 'a', 'b', { createdAt: 100 }),
        aRelationship('2', 'b', 'c', { createdAt: 200, type: 'uses' }),
        aRelationship('3', 'a', 'c', { createdAt: 300, type: 'peers_with' }),
      );
    });
    const hood = (ci: string, options: Partial<Parameters<TopologyStore['neighbourhood']>[2]> = {}) =>
      store.neighbourhood(TENANT, ci, { hops: 1, direction: 'both', limit: 100, ...options });
    const way = (from: string, to: string, options: Partial<Parameters<TopologyStore['path']>[3]> = {}) =>
      store.path(TENANT, from, to, { maxHops: 6, direction: 'both', ...options });

    test('neighbours with name and type, and every edge between those shown', async () => {
      const found = await hood('a');
      expect(found.nodes).toEqual([
        { ci: 'b', hops: 1, via: 'a', name: 'Bee', type: 'switch' },
        { ci: 'c', hops: 1, via: 'a', name: 'c', type: 'server' },
      ]);
      expect(found.edges.map(({ id }) => id).sort()).toEqual(['1', '2', '3']);
      expect(found.truncated).toBe(false);
    });

    test('direction, types, limit and time narrow it', async () => {
      const ids = async (...args: Parameters<typeof hood>) => (await hood(...args)).nodes.map(({ ci }) => ci);
      expect(await ids('b', { direction: 'up' })).toEqual(['c']);
      expect(await ids('b', { direction: 'down' })).toEqual(['a']);
      expect(await ids('a', { hops: 2, types: ['depends_on', 'uses'] })).toEqual(['b', 'c']);
      expect(await ids('a', { hops: 2, types: ['no_such_type'] })).toEqual([]);
      expect(await hood('a', { limit: 1 })).toMatchObject({
        nodes: [{ ci: 'b' }],
        edges: [{ id: '1' }],
        truncated: true,
      });
      expect(await ids('a', { hops: 2, asOf: 150 })).toEqual(['b']);
      expect((await hood('a', { hops: 2, asOf: 250 })).edges.map(({ id }) => id).sort()).toEqual(['1', '2']);
    });

    test('an unknown CI, or one that was not there yet, is not found', async () => {
      await expect(hood('x')).rejects.toMatchObject({ kind: 'not-found' });
      await expect(hood('a', { asOf: 50 })).rejects.toMatchObject({ kind: 'not-found' });
    });

    test('a shortest way', async () => {
      expect(await way('a', 'c')).toEqual(['a', 'c']);
      expect(await way('a', 'c', { types: ['depends_on', 'uses'] })).toEqual(['a', 'b', 'c']);
      expect(await way('a', 'c', { types: ['depends_on', 'uses'], maxHops: 1 })).toBeNull();
      expect(await way('c', 'a', { direction: 'up' })).toBeNull();
      expect(await way('c', 'a', { direction: 'down', types: ['uses', 'depends_on'] })).toEqual(['c', 'b', 'a']);
      expect(await way('a', 'c', { asOf: 250 })).toEqual(['a', 'b', 'c']);
      expect(await way('a', 'd')).toBeNull();
      expect(await way('a', 'x')).toBeNull();
      expect(await way('a', 'a')).toEqual(['a']);
    });
  });

  test(`${name} keeps tenants apart`, async () => {
    await named('a', 'b');
    await join(aRelationship('r', 'a', 'b'));
    const other = 'other';
    expect(await store.getCis(other, ['a'])).toEqual([]);
    expect(await store.getCis(other, ['a'], 9_000)).toEqual([]);
    expect(await store.getRelationship(other, 'r')).toBeNull();
    expect(await store.findCis(other, {}, FIRST_PAGE)).toEqual({ items: [], total: 0, nextCursor: null });
    expect((await store.findRelationships(other, { includeAi: true }, OLDEST)).total).toBe(0);
    expect((await store.findRelationships(other, { includeAi: true, ci: 'a' }, OLDEST)).total).toBe(0);
    expect((await store.bind(other, [{ ciId: 'a', hostname: 'a' }]))[0]).toEqual({
      ci: null,
      method: null,
      ambiguous: false,
    });
    expect(await store.around(other, 'a', 9_000)).toBeNull();
    expect(await store.path(other, 'a', 'b', { maxHops: 3, direction: 'both' })).toBeNull();
    await expect(store.neighbourhood(other, 'a', { hops: 1, direction: 'both', limit: 9 })).rejects.toMatchObject({
      kind: 'not-found',
    });
    expect(await store.count(other)).toBe(0);
    expect(await store.removeRelationship(other, 'r', 200)).toBe(false);
    expect(await store.removeCi(other, 'a', 200)).toBe(false);
    await store.putCis(other, [aCi('a', { tenant: other }), aCi('z', { tenant: other })]);
    await expect(
      store.putRelationships(other, [aRelationship('r', 'a', 'b', { tenant: other })]),
    ).rejects.toMatchObject({ kind: 'invalid' });
    expect((await around('a')).all).toBe(2);
  });
}
