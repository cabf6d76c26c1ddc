import { describe, expect, test } from '@jest/globals';
import { isThere } from '#test/setup/is-there.ts';
import { appOfTests } from '#test/setup/of-tests.ts';
import { STYLES } from '../cmdb-styles.ts';
import { type Scanning, scanning } from '../discovery-styles.ts';

const app = appOfTests();

interface List {
  /** The id of an endpoint of its feature. */
  readonly needs?: string;
  /** Default and highest number of rows per page. */
  readonly limits: readonly [byDefault: number, max: number];
  /** Creates three of the listed records; returns the path of the list. */
  readonly furnish: (tenant: Scanning, prefix: string) => Promise<string>;
}
const three = async (make: (n: number) => Promise<unknown>): Promise<void> => {
  for (const n of [1, 2, 3]) await make(n);
};
/** Two CIs with one address: its owner is ambiguous. */
const twins = ({ ci }: Scanning, ip_address: string) =>
  Promise.all(['one', 'two'].map((name) => ci(`${name} of ${ip_address}`, { attributes: { ip_address } })));

const ALL: readonly (readonly [name: string, list: List])[] = [
  [
    'configuration items',
    {
      limits: [20, 100],
      async furnish({ ci }) {
        await three((n) => ci(`ci-${n}`));
        return '/cmdb/ci';
      },
    },
  ],
  [
    'the history of one',
    {
      limits: [20, 100],
      async furnish({ ci, send }) {
        const id = await ci('ci-1');
        for (const name of ['ci-2', 'ci-3']) await send('PUT', `/cmdb/ci/${id}`, { name });
        return `/cmdb/ci/${id}/history`;
      },
    },
  ],
  [
    'relationships',
    {
      limits: [20, 100],
      async furnish({ ci, join }) {
        const target = await ci('target');
        await three(async (n) => join(await ci(`ci-${n}`), target));
        return '/cmdb/relationships';
      },
    },
  ],
  [
    'scans',
    {
      needs: 'discovery.list-scans',
      limits: [20, 100],
      async furnish({ scan }) {
        await three((n) => scan([{ hostname: `h-${n}` }]));
        return '/discovery/scans';
      },
    },
  ],
  [
    'scan data',
    {
      needs: 'discovery.list-scan-data',
      limits: [10, 20],
      async furnish({ scan }) {
        await three((n) => scan([{ hostname: `h-${n}` }]));
        return '/discovery/scan-data';
      },
    },
  ],
  [
    'discovery tokens',
    {
      needs: 'discovery.tokens.create',
      limits: [20, 100],
      async furnish({ send }) {
        await three((n) => send('POST', '/discovery/tokens', { name: `nmap-${n}` }));
        return '/discovery/tokens';
      },
    },
  ],
  [
    'reviews',
    {
      needs: 'discovery.resolve-review',
      limits: [20, 100],
      async furnish(tenant) {
        await three(async (n) => {
          await twins(tenant, `10.0.0.${n}`);
          await tenant.scan([{ ip_address: `10.0.0.${n}`, hostname: `new-${n}` }]);
        });
        return '/discovery/reviews';
      },
    },
  ],
  [
    'business services',
    {
      needs: 'services.create',
      limits: [20, 100],
      async furnish({ send }) {
        await three((n) => send('POST', '/services', { name: `service-${n}` }));
        return '/services';
      },
    },
  ],
  [
    'teams',
    {
      limits: [20, 100],
      async furnish({ send }, prefix) {
        const path = prefix === '/api' ? '/admin/teams' : '/teams';
        await three((n) => send('POST', path, { name: `team-${n}` }));
        return path;
      },
    },
  ],
];

const LISTS = ALL.filter(([, { needs }]) => needs === undefined || isThere(needs));

const PAGING = ['x-total-count', 'x-page', 'x-per-page', 'x-total-pages'];
const relsOf = (link: string | null) =>
  new Map([...(link ?? '').matchAll(/<([^>]+)>; rel="(\w+)"/g)].map(([, address, rel]) => [rel, address] as const));

describe.each(STYLES)('Lists under %s', (prefix, style) => {
  test.each(LISTS)('%s are paged by number and by cursor', async (_, { limits, furnish }) => {
    const tenant = await scanning(app, style);
    const path = await furnish(tenant, prefix);
    const list = async (query: string) => {
      const { status, body, headers } = await tenant.send('GET', query.startsWith('/') ? query : `${path}${query}`);
      return { status, headers, rows: body.data as object[], pagination: body.pagination, success: body.success };
    };
    const all = await list('');
    expect(all.pagination).toMatchObject({ page: 1, limit: limits[0], total: 3, pages: 1 });
    expect([all.rows.length, all.success]).toEqual([3, prefix === '/api' ? true : undefined]);

    const [first, second] = [await list('?limit=2'), await list('?page=2&limit=2')];
    expect([...first.rows, ...second.rows]).toEqual(all.rows);
    expect(first.pagination).toEqual({ page: 1, limit: 2, total: 3, pages: 2, nextCursor: expect.any(String) });
    expect(second.pagination).toMatchObject({ page: 2, limit: 2, total: 3, pages: 2 });
    expect((await list(`?limit=2&cursor=${first.pagination.nextCursor}`)).rows).toEqual(second.rows);
    expect(await list('?page=9')).toMatchObject({ status: 200, rows: [], pagination: { total: 3, page: 9 } });

    const ofPage = (reply: typeof first) => PAGING.map((name) => reply.headers.get(name));
    const links = [relsOf(first.headers.get('link')), relsOf(second.headers.get('link'))] as const;
    if (prefix === '/api') {
      expect([ofPage(first), links[0].size]).toEqual([[null, null, null, null], 0]);
    } else {
      expect([ofPage(first), ofPage(second)]).toEqual([
        ['3', '1', '2', '2'],
        ['3', '2', '2', '2'],
      ]);
      expect(links.map((rels) => [...rels.keys()].sort())).toEqual([
        ['first', 'last', 'next'],
        ['first', 'last', 'prev'],
      ]);
      for (const [rel, rows] of [
        ['next', second.rows],
        ['last', second.rows],
        ['first', first.rows],
      ] as const)
        expect((await list(links[0].get(rel) as string)).rows).toEqual(rows);
      const behind = await list(`?limit=1&cursor=${(await list('?limit=1')).pagination.nextCursor}`);
      const rels = relsOf(behind.headers.get('link'));
      expect([...rels.keys()].sort()).toEqual(['first', 'last', 'next']);
      const end = await list(rels.get('next') as string);
      expect([...behind.rows, ...end.rows]).toEqual(all.rows.slice(1));
      expect([...relsOf(end.headers.get('link')).keys()].sort()).toEqual(['first', 'last']);
    }
  });

  test.each(LISTS)('%s have bounds', async (_, { limits, furnish }) => {
    const tenant = await scanning(app, style);
    const path = await furnish(tenant, prefix);
    const statusOf = async (query: string) => (await tenant.send('GET', `${path}?${query}`)).status;
    expect(await statusOf(`limit=${limits[1]}`)).toBe(200);
    const beyond = [`limit=${limits[1] + 1}`, 'limit=0', 'limit=x', 'page=0', 'page=-1', 'page=1.5', 'page=1&page=2'];
    for (const wrong of [...beyond, 'colour=red', 'cursor=%00', 'cursor=zzz', `page=10000&limit=${limits[0]}`])
      expect([wrong, await statusOf(wrong)]).toEqual([wrong, 400]);
    const far = await tenant.send('GET', `${path}?page=10000&limit=${limits[0]}`);
    expect(JSON.stringify(far.body)).toContain('use cursor');
  });
});

test('lists of the administration refuse what is no cursor of theirs', async () => {
  for (const list of ['users', 'tokens', 'roles', 'topics', 'audit', 'rejected', 'dead-letters'])
    expect([list, (await app.send('GET', `/api/admin/${list}?cursor=zzz`)).status]).toEqual([list, 400]);
  expect((await app.send('GET', '/api/admin/tenants?cursor=Z_')).status).toBe(400);
});
