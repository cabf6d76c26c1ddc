import { beforeEach, describe, expect, test } from '@jest/globals';
import { CATALOGUE } from '#features/analyzer/rules/catalogue/software.ts';
import { appOfTests, tenantOfTests } from '#test/setup/of-tests.ts';
import { type Reply, START } from '#test/setup/test-app.ts';

const BASE = '/api/business-service-analyzer';
const UNKNOWN = '01M7YWBDXTWDA6R21CQ905J7YR';
const HOUR = 3_600_000;

const app = appOfTests();
beforeEach(() => app.clock.set(START));
const own = tenantOfTests(app, 'each', 'discovering');

const send = (path: string, body: unknown, headers = {}): Promise<Reply> =>
  app.send('POST', path, body, { token: own.token, headers });

const scan = async (hosts: readonly object[], at = START): Promise<void> => {
  const said = { scan_type: 'agent', scanner_id: 'agent-1', timestamp: at, data: { discovered_hosts: hosts } };
  const { status, body } = await send('/v1/discovery/scan-data', said);
  if (status > 299) throw new Error(JSON.stringify(body));
  await app.app.idle();
};
const listens = (name: string, port: number) => ({ name, port, protocol: 'tcp' });
const to = (process: string, target_ip: string, port: number, more: object = {}) => ({
  process,
  target_ip,
  port,
  count: 6,
  ...more,
});
const ids = async (): Promise<Record<string, string>> => {
  const { body } = await own.send('GET', '/v1/cmdb/ci?limit=100');
  return Object.fromEntries(body.data.map(({ id, name }: { id: string; name: string }) => [name, id]));
};
const discover = async (asked: object): Promise<Reply['body']> => {
  const { status, body } = await send(`${BASE}/discover`, asked);
  if (status !== 200) throw new Error(JSON.stringify(body));
  return body;
};
// biome-ignore lint/suspicious/noExplicitAny: replies of many shapes.
const found = (body: any) => body.servers.map(({ hostname, score }: any) => [hostname, score]);

/** A shop of a web server, an application and a database, and machines that have nothing to do with it. */
const shop = () =>
  scan([
    {
      hostname: 'shop-web-1',
      ip_address: '10.0.0.1',
      os: 'Debian 12',
      listening_processes: [listens('nginx', 443)],
      connections: [to('nginx', '10.0.0.2', 8080), to('nginx', '192.0.2.9', 443)],
    },
    {
      hostname: 'shop-app-1',
      ip_address: '10.0.0.2',
      listening_processes: [listens('shopd', 8080)],
      connections: [to('shopd', '10.0.0.3', 5432), to('shopd', '10.0.0.9', 53)],
    },
    {
      hostname: 'data-7',
      ip_address: '10.0.0.3',
      attributes: { software: [{ name: 'PostgreSQL', version: '14.2' }] },
      listening_processes: [listens('postgres', 5432)],
    },
    { hostname: 'ns-1', ip_address: '10.0.0.9', listening_processes: [listens('named', 53)] },
    { hostname: 'mail-1', ip_address: '10.0.0.8', listening_processes: [listens('postfix', 25)] },
  ]);

describe('Servers are found', () => {
  test('by processes, software, ports and names, each with its score and what speaks for it', async () => {
    await shop();
    const known = await ids();
    const body = await discover({
      processes: ['postgres'],
      software: [{ name: 'postgresql', version: '14' }],
      ports: [{ port: 8080, protocol: 'tcp' }],
      searchPatterns: { hostnames: ['shop-*'] },
    });
    expect(body.servers).toEqual([
      {
        ciId: known['data-7'],
        hostname: 'data-7',
        ipAddress: '10.0.0.3',
        operatingSystem: null,
        type: 'server',
        installedSoftware: [{ name: 'PostgreSQL', version: '14.2' }],
        runningProcesses: [{ name: 'postgres', port: 5432, lastSeen: new Date(START).toISOString() }],
        score: 0.979,
        matched: ['runs postgres on port 5432', 'has PostgreSQL installed', 'is connected to shop-app-1'],
      },
      expect.objectContaining({
        ciId: known['shop-app-1'],
        score: 0.829,
        matched: expect.arrayContaining(['listens on port 8080', 'its name matches shop-*']),
        runningProcesses: [expect.objectContaining({ name: 'shopd', port: 8080 })],
      }),
      expect.objectContaining({ hostname: 'shop-web-1', operatingSystem: 'Debian 12', score: 0.65 }),
    ]);
    expect(body.connections).toEqual([
      {
        source: known['shop-app-1'],
        target: known['data-7'],
        sourceHostname: 'shop-app-1',
        targetHostname: 'data-7',
        process: 'shopd',
        port: 5432,
        protocol: 'tcp',
        frequency: 6,
        firstSeen: new Date(START).toISOString(),
        lastSeen: new Date(START).toISOString(),
      },
      expect.objectContaining({ source: known['shop-web-1'], target: known['shop-app-1'], port: 8080 }),
    ]);
    expect(body).toMatchObject({
      statistics: { totalServers: 3, totalConnections: 2, uniqueProcesses: 3 },
      truncated: false,
      generatedBy: 'rules',
      model: null,
      abstained: false,
      degraded: null,
    });
    expect(body.claims[0].text).toBe('Found 3 servers and 2 connections.');
    for (const { href } of body.citations) expect([href, (await own.send('GET', href)).status]).toEqual([href, 200]);
  });

  test('by what they are connected to, when that is several of them, and name servers bind nothing', async () => {
    await scan([
      { hostname: 'a-1', ip_address: '10.0.0.1', connections: [to('x', '10.0.0.3', 9000), to('x', '10.0.0.9', 53)] },
      { hostname: 'a-2', ip_address: '10.0.0.2', connections: [to('x', '10.0.0.3', 9000), to('x', '10.0.0.9', 53)] },
      { hostname: 'hub', ip_address: '10.0.0.3' },
      { hostname: 'ns', ip_address: '10.0.0.9' },
    ]);
    const body = await discover({ searchPatterns: { hostnames: ['a-?'] } });
    expect(found(body)).toEqual([
      ['hub', 0.51],
      ['a-1', 0.5],
      ['a-2', 0.5],
    ]);
    expect(body.servers[0].matched).toEqual(['is connected to a-1', 'is connected to a-2']);
  });

  test('from seeds, which count for sure', async () => {
    await shop();
    const known = await ids();
    const body = await discover({ existingServerIds: [known['shop-web-1'], known['data-7']] });
    expect(found(body)).toEqual([
      ['shop-web-1', 1],
      ['data-7', 1],
      ['shop-app-1', 0.51],
    ]);
    expect(body.servers[0].matched).toEqual(['provided in the request']);
    expect(body.servers[2].matched.sort()).toEqual(['is connected to data-7', 'is connected to shop-web-1']);
  });

  test('by what was seen last within the time that is asked for', async () => {
    await shop();
    const at = (ms: number) => new Date(ms).toISOString();
    const names = async (timeRange: object) => found(await discover({ processes: ['postgres'], timeRange }));
    expect(await names({ start: at(START - HOUR), end: at(START + HOUR) })).toEqual([['data-7', 0.9]]);
    expect(await names({ start: at(START) })).toEqual([['data-7', 0.9]]);
    expect(await names({ start: at(START + HOUR) })).toEqual([]);
    expect(await names({ end: at(START - HOUR) })).toEqual([]);
    const late = { timeRange: { start: at(START + HOUR) }, searchPatterns: { hostnames: ['shop-*'] } };
    const body = await discover(late);
    expect([found(body), body.connections]).toEqual([
      [
        ['shop-web-1', 0.5],
        ['shop-app-1', 0.5],
      ],
      [],
    ]);
  });

  test('or not, and then the reply says so', async () => {
    await shop();
    const body = await discover({ processes: ['nothing-like-it'], software: ['Nor this'] });
    expect(body).toMatchObject({ servers: [], connections: [], abstained: true, citations: [], truncated: false });
    expect(body.statistics).toEqual({ totalServers: 0, totalConnections: 0, uniqueProcesses: 0 });
  });
});

test('all connections lead to what was not found, too, by name or address', async () => {
  await shop();
  const known = await ids();
  const { connections } = await discover({ searchPatterns: { hostnames: ['shop-*'] }, includeAllConnections: true });
  expect(
    connections.map(({ source, target, targetHostname, port }: Record<string, unknown>) => [
      source,
      target,
      targetHostname,
      port,
    ]),
  ).toEqual(
    expect.arrayContaining([
      [known['shop-web-1'], known['shop-app-1'], 'shop-app-1', 8080],
      [known['shop-web-1'], null, '192.0.2.9', 443],
      [known['shop-app-1'], known['data-7'], 'data-7', 5432],
      [known['shop-app-1'], known['ns-1'], 'ns-1', 53],
    ]),
  );
  expect(connections).toHaveLength(4);
});

test('from a description to a service: each step takes what the one before returns', async () => {
  await shop();
  const description = 'The shop runs on NGINX and PostgreSQL, on shop-web-1 and shop-app-1';
  const { enrichedData } = (await send(`${BASE}/enrich`, { description })).body;
  const { processes, software, ports, searchPatterns } = enrichedData;
  const { servers, connections } = await discover({ processes, software, ports, searchPatterns });
  expect(servers.map(({ hostname }: { hostname: string }) => hostname).sort()).toEqual([
    'data-7',
    'shop-app-1',
    'shop-web-1',
  ]);
  const classified = await send(`${BASE}/classify`, { servers, connections, serviceDescription: description });
  expect(classified.status).toBe(200);
  expect(classified.body.classifiedServers).toMatchObject(servers.map(({ ciId }: { ciId: string }) => ({ ciId })));
  const { serviceTiers } = classified.body;
  const known = await ids();
  expect([serviceTiers.frontend.servers, serviceTiers.data.servers]).toEqual([
    [known['shop-web-1']],
    [known['data-7']],
  ]);
  const { success: _, ...serviceMap } = classified.body;
  expect((await send(`${BASE}/insights`, { serviceMap, connections })).status).toBe(200);
});

test('as much as may be asked for at once is answered', async () => {
  await shop();
  const software = CATALOGUE.slice(-100).map(({ name }) => ({ name }));
  const processes = CATALOGUE.flatMap((one) => one.processes).slice(0, 100);
  const ports = Array.from({ length: 100 }, (_, i) => 5400 + i);
  const hostnames = Array.from({ length: 20 }, (_, i) => (i === 19 ? 'shop-*' : `none-${i}-*`));
  const body = await discover({ processes, software, ports, searchPatterns: { hostnames } });
  expect(body.servers.length).toBeGreaterThanOrEqual(3);
});

test('what one step replies the next one takes as it is', async () => {
  await shop();
  const enriched = (await send(`${BASE}/enrich`, { description: 'nginx in front of PostgreSQL' })).body;
  const discovered = await discover(enriched);
  const { processes, software, ports, searchPatterns } = enriched.enrichedData;
  const { servers, statistics } = await discover({ processes, software, ports, searchPatterns });
  expect(discovered).toMatchObject({ servers, statistics });
  expect(servers.length).toBeGreaterThan(0);
  const { status, body } = await send(`${BASE}/classify`, discovered);
  expect([status, body.classifiedServers?.length]).toEqual([200, servers.length]);
  const map = { serviceMap: body, connections: discovered.connections };
  expect((await send(`${BASE}/insights`, map)).status).toBe(200);
});

test.each<[string, object, string]>([
  ['nothing', {}, 'processes'],
  ['empty lists', { processes: [], searchPatterns: { hostnames: [] } }, 'processes'],
  ['a port that there is not', { ports: [70_000] }, 'ports[0]'],
  ['a process without a name', { processes: [{}] }, 'processes[0]'],
  ['too many processes', { processes: Array.from({ length: 101 }, (_, i) => `p${i}`) }, 'processes'],
  ['a pattern that matches everything', { searchPatterns: { hostnames: ['*'] } }, 'searchPatterns.hostnames'],
  ['a range that ends before it starts', { ports: [80], timeRange: { start: START, end: START - 1 } }, 'timeRange.end'],
  ['a time that is none', { ports: [80], timeRange: { start: 'soon' } }, 'timeRange.start'],
  ['a server that is not there', { existingServerIds: [UNKNOWN] }, 'existingServerIds[0]'],
  ['a field that there is not', { ports: [80], proceses: ['x'] }, 'proceses'],
])('%s is refused by naming the field', async (_, asked, field) => {
  const { status, body } = await send(`${BASE}/discover`, asked);
  expect([status, body.error.code]).toEqual([400, 'INVALID_REQUEST']);
  expect(JSON.stringify(body.error)).toContain(field);
});

test('it needs both permissions', async () => {
  for (const scopes of [['ai.use'], ['cmdb.read']]) {
    const made = await send('/api/admin/tokens', { name: scopes[0], scopes });
    const asked = { processes: ['postgres'] };
    const reply = await app.send('POST', `${BASE}/discover`, asked, { token: made.body.data.token });
    expect(reply.status).toBe(403);
  }
});
