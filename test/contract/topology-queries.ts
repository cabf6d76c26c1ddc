import { beforeEach, describe, expect, test } from '@jest/globals';
import type { TopologyPorts } from '#domain/ports/topology/topology-ports.ts';
import type { CiFilter, TopologyQueries } from '#domain/ports/topology/topology-queries.ts';
import { aCi, TENANT, topologyUnderTest } from './topology-samples.ts';

const FIRST_PAGE = { sort: 'name', order: 'asc', limit: 10 } as const;

export function queriesContract(open: () => Promise<TopologyPorts>): void {
  let ports: TopologyPorts;
  beforeEach(async () => {
    ports = await open();
  });
  const { cis } = topologyUnderTest(() => ports);

  describe('lists CIs', () => {
    const ids = async (...args: Parameters<TopologyQueries['findCis']> extends [string, ...infer R] ? R : never) =>
      (await ports.topology.findCis(TENANT, ...args)).items.map(({ id }) => id);
    beforeEach(() =>
      cis(
        aCi('1', {
          name: 'web-02',
          type: 'server',
          createdAt: 30,
          updatedAt: 30,
          attributes: { os: 'linux', ports: [22, 443], managed: true, load: 0.1 + 0.2, 'zone=a': 'b=c' },
        }),
        aCi('2', {
          name: 'Web-01',
          type: 'server',
          status: 'maintenance',
          createdAt: 20,
          updatedAt: 90,
          attributes: { os: 'linux' },
        }),
        aCi('3', {
          name: 'core',
          type: 'switch',
          description: 'in front of WEB 100%',
          createdAt: 10,
          updatedAt: 10,
          customFields: { os: 'linux' },
        }),
        aCi('4', {
          name: 'core',
          type: 'router',
          createdAt: 10,
          updatedAt: 10,
          externalKey: 'K-rack-1',
          attributes: { ip_address: '10.0.0.7', fqdn: 'rtr.example.net' },
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
      [{ search: '%' }, ['3']],
      [{ search: '\\' }, []],
      [{ types: ['server', 'router'] }, ['4', '2', '1']],
      [{ types: ['server'], statuses: ['maintenance' as const] }, ['2']],
      [{ search: 'core', types: ['switch'] }, ['3']],
      [{ ip: '::ffff:10.0.0.7' }, ['4']],
      [{ ip: '10.0.0.8' }, []],
      [{ search: '0.0.7' }, ['4']],
      [{ search: 'K-RACK' }, ['4']],
      [{ search: 'rtr.example' }, ['4']],
      [{ externalKey: 'k-RACK-1' }, ['4']],
      [{ externalKey: 'k' }, []],
      [{ fields: [{ bag: 'attributes', name: 'os', value: 'linux' }] }, ['2', '1']],
      [{ fields: [{ bag: 'attributes', name: 'os', value: 'Linux' }] }, []],
      [{ fields: [{ bag: 'customFields', name: 'os', value: 'linux' }] }, ['3']],
      [{ fields: [{ bag: 'attributes', name: 'ports', value: '443' }] }, ['1']],
      [{ fields: [{ bag: 'attributes', name: 'managed', value: 'true' }] }, ['1']],
      [{ fields: [{ bag: 'attributes', name: 'load', value: '0.30000000000000004' }] }, ['1']],
      [
        {
          types: ['server'],
          search: 'web',
          fields: [
            { bag: 'attributes', name: 'os', value: 'linux' },
            { bag: 'attributes', name: 'zone=a', value: 'b=c' },
          ],
        },
        ['1'],
      ],
      [{ fields: [{ bag: 'attributes', name: 'zone', value: 'a=b=c' }] }, []],
      [{ ip: '10.0.0.7', externalKey: 'K-rack-1' }, ['4']],
      [{ ip: '10.0.0.8', externalKey: 'K-rack-1' }, []],
    ] as readonly (readonly [CiFilter, string[]])[])('filtered by %j', async (filter, expected) => {
      expect(await ids(filter, FIRST_PAGE)).toEqual(expected);
      expect((await ports.topology.findCis(TENANT, filter, { ...FIRST_PAGE, limit: 1 })).total).toBe(expected.length);
    });

    test.each(['asc', 'desc'] as const)('cursors and offsets walk through every page, %s', async (order) => {
      const all = await ids({}, { sort: 'name', order, limit: 10 });
      const walked: string[] = [];
      for (let cursor: string | null | undefined; cursor !== null; ) {
        const page = await ports.topology.findCis(
          TENANT,
          {},
          { sort: 'name', order, limit: 1, ...(cursor ? { cursor } : {}) },
        );
        walked.push(...page.items.map(({ id }) => id));
        cursor = page.nextCursor;
      }
      expect(walked).toEqual(all);
      expect(await ids({}, { sort: 'name', order, limit: 2, offset: 1 })).toEqual(all.slice(1, 3));
      expect(await ids({}, { sort: 'name', order, limit: 2, offset: 9 })).toEqual([]);
    });

    test('totals follow changes and removals', async () => {
      const total = async (filter: object) => (await ports.topology.findCis(TENANT, filter, FIRST_PAGE)).total;
      await cis(aCi('1', { type: 'vm', revision: 2 }), aCi('5', { type: 'vm' }));
      await cis(aCi('5', { type: 'vm', status: 'inactive', revision: 2 }));
      await ports.cis.remove(TENANT, '2', 200);
      await expect(cis(aCi('6', { type: 'vm' }), aCi('5', { revision: 2 }))).rejects.toMatchObject({
        kind: 'precondition',
      });
      expect(await total({})).toBe(4);
      expect(await total({ types: ['server'] })).toBe(0);
      expect(await total({ types: ['vm'] })).toBe(2);
      expect(await total({ types: ['vm', 'switch'], statuses: ['active'] })).toBe(2);
    });

    const os = (value: string): CiFilter => ({ fields: [{ bag: 'attributes', name: 'os', value }] });

    test('a list by fields follows changes and removals', async () => {
      await cis(aCi('1', { attributes: { os: 'bsd' }, revision: 2 }));
      expect(await ids(os('linux'), FIRST_PAGE)).toEqual(['2']);
      expect(await ids(os('bsd'), FIRST_PAGE)).toEqual(['1']);
      await ports.cis.remove(TENANT, '1', 200);
      expect(await ids(os('bsd'), FIRST_PAGE)).toEqual([]);
      await cis(aCi('7', { attributes: { os: 'bsd', a: { os: 'x' }, long: 'x'.repeat(256) } }));
      expect(await ids(os('bsd'), FIRST_PAGE)).toEqual(['7']);
      const long = { bag: 'attributes', name: 'long', value: 'x'.repeat(256) } as const;
      expect(await ids({ fields: [long] }, FIRST_PAGE)).toEqual([]);
    });

    test('pages of a list by fields are whole', async () => {
      const page = { sort: 'name', order: 'asc', limit: 1 } as const;
      const first = await ports.topology.findCis(TENANT, os('linux'), page);
      expect([first.total, first.items.map(({ id }) => id)]).toEqual([2, ['2']]);
      expect(await ids(os('linux'), { ...page, cursor: first.nextCursor! })).toEqual(['1']);
    });

    test('when they were seen last is the latest sighting, and no version', async () => {
      await ports.cis.seen(TENANT, [
        { ci: '1', at: 500 },
        { ci: '2', at: 900 },
        { ci: 'unknown', at: 900 },
      ]);
      await ports.cis.seen(TENANT, [{ ci: '1', at: 400 }]);
      await ports.cis.seen('other', [{ ci: '3', at: 400 }]);
      await ports.cis.seen(TENANT, []);
      const seen = async () => [...(await ports.topology.lastSeen(TENANT, ['1', '2', '3', 'unknown']))].sort();
      expect(await seen()).toEqual([
        ['1', 500],
        ['2', 900],
      ]);
      expect(await ids({ seenBefore: 900 }, FIRST_PAGE)).toEqual(['1']);
      expect(await ids({ seenFrom: 500, seenBefore: 901 }, FIRST_PAGE)).toEqual(['2', '1']);
      expect(await ids({ neverSeen: true }, FIRST_PAGE)).toEqual(['3', '4']);
      expect((await ports.topology.findCis(TENANT, { seenFrom: 1 }, { ...FIRST_PAGE, limit: 1 })).total).toBe(2);
      await cis(aCi('1', { name: 'renamed', revision: 2 }));
      expect((await ports.history.changes(TENANT, '1', { limit: 9 })).total).toBe(2);
      await ports.cis.remove(TENANT, '2', 950);
      expect(await seen()).toEqual([['1', 500]]);
      await cis(aCi('5', {}));
      expect(await ids({ seenFrom: 1 }, FIRST_PAGE)).toEqual(['1']);
    });

    test('a CI is found by the ids and keys of those that were merged into it', async () => {
      await cis(aCi('8', { name: 'survivor', formerly: ['01OLD', 'K-Old'] }));
      expect((await ports.topology.getCis(TENANT, ['8']))[0]?.formerly).toEqual(['01OLD', 'K-Old']);
      for (const ciId of ['01OLD', 'k-old'])
        expect((await ports.matcher.bind(TENANT, [{ ciId }]))[0]?.ci?.id).toBe('8');
      expect(await ids({ externalKey: 'k-OLD' }, FIRST_PAGE)).toEqual(['8']);
      expect(await ids({ search: 'k-ol' }, FIRST_PAGE)).toEqual(['8']);
      const { formerly: _gone, ...plain } = aCi('8', { name: 'survivor', revision: 2, updatedAt: 200 });
      await cis(plain);
      expect((await ports.matcher.bind(TENANT, [{ ciId: '01OLD' }]))[0]?.ci).toBeNull();
      expect((await ports.topology.getCis(TENANT, ['8'], 150))[0]?.formerly).toEqual(['01OLD', 'K-Old']);
    });

    test('a cursor of another list is refused', async () => {
      const { nextCursor } = await ports.topology.findCis(TENANT, {}, { ...FIRST_PAGE, limit: 1 });
      for (const [sort, cursor] of [
        ['type', nextCursor!],
        ['name', 'nonsense'],
      ] as const)
        await expect(
          ports.topology.findCis(TENANT, {}, { sort, order: 'asc', limit: 1, cursor }),
        ).rejects.toMatchObject({ kind: 'invalid' });
    });
  });
}
