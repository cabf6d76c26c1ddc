import { beforeEach, describe, expect, test } from '@jest/globals';
import { appOfTests, tenantOfTests } from '#test/setup/of-tests.ts';
import { LINEAR, processorTimeUntil } from '#test/setup/processor-time.ts';
import { START } from '#test/setup/test-app.ts';

const PATH = '/api/business-service-analyzer/classify';
const UNKNOWN = '01M7YWBDXTWDA6R21CQ905J7YR';
const app = appOfTests();
beforeEach(() => app.clock.set(START));
const own = tenantOfTests(app, 'each', 'classified');

const send = (path: string, body: unknown, headers = {}) => app.send('POST', path, body, { token: own.token, headers });
const ci = async (name: string, type = 'server') => (await send('/v1/cmdb/ci', { name, type })).body.id as string;
const classify = async (body: unknown) => (await send(PATH, body)).body;

describe('Servers', () => {
  test('of a service have roles, tiers, and places in it, each with its reason', async () => {
    const [lb, web, app1, db, ns] = [
      await ci('lb-1'),
      await ci('web-1'),
      await ci('app-1'),
      await ci('db-1'),
      await ci('ns-1'),
    ];
    const servers = [
      { ciId: lb, hostname: 'lb-1', runningProcesses: [{ name: 'haproxy', port: 443 }] },
      { ciId: web, hostname: 'web-1', ipAddress: '10.0.0.2', runningProcesses: [{ name: 'nginx', port: 80 }] },
      { ciId: app1, hostname: 'app-1', runningProcesses: [{ name: 'java', port: 8080 }], score: 0.9, matched: [] },
      { ciId: db, hostname: 'db-1', installedSoftware: ['PostgreSQL'], runningProcesses: ['postgres'] },
      { ciId: ns, runningProcesses: [{ name: 'named', port: 53 }] },
    ];
    const connections = [
      { source: null, target: lb, port: 443 },
      { source: lb, target: '10.0.0.2', port: 80, protocol: 'tcp', frequency: 9 },
      { source: 'web-1', target: 'APP-1', port: 8080 },
      { source: app1, target: db, port: 5432 },
      { source: app1, target: ns, port: 53 },
    ];
    const body = await classify({ servers, connections, serviceDescription: 'The shop' });
    const shown = body.classifiedServers.map(({ ciId, role, tier }: never) => [ciId, role, tier]);
    expect(shown).toEqual([
      [lb, 'load-balancer', 'frontend'],
      [web, 'web-server', 'frontend'],
      [app1, 'application-server', 'application'],
      [db, 'database', 'data'],
      [ns, 'dns', 'infrastructure'],
    ]);
    expect(body.classifiedServers[3]).toEqual({
      ciId: db,
      hostname: 'db-1',
      role: 'database',
      tier: 'data',
      source: 'rules',
      confidence: expect.any(Number),
      reasoning:
        'db-1 is a database (data tier): runs postgres (PostgreSQL); its name contains “db”; one host connects to it on port 5432.',
    });
    for (const { confidence } of body.classifiedServers) expect(confidence).toBeGreaterThan(0.85);
    expect(body.serviceTiers).toEqual({
      frontend: { servers: [lb, web], description: '1 × load balancer, 1 × web server: lb-1, web-1' },
      application: { servers: [app1], description: '1 × application server: app-1' },
      data: { servers: [db], description: '1 × database: db-1' },
      infrastructure: { servers: [ns], description: '1 × dns: ns-1' },
    });
    expect(body.serviceTopology).toEqual({
      entryPoints: [lb, web],
      coreSystems: [app1, web],
      dependencies: [db],
      supportSystems: [ns],
    });
    expect(body).toMatchObject({ success: true, unclassified: [], generatedBy: 'rules', degraded: 'no_model' });
    expect(body.abstained).toBe(false);
    expect(body.citations.map(({ id }: { id: string }) => id).sort()).toEqual([lb, web, app1, db, ns].sort());
  });

  test('that nothing is known of are not classified, and no guess is made', async () => {
    const id = await ci('srv-0815');
    const body = await classify({ servers: [{ ciId: id }] });
    expect(body.classifiedServers).toMatchObject([
      {
        ciId: id,
        hostname: 'srv-0815',
        role: 'unclassified',
        tier: 'unclassified',
        confidence: 0,
        reasoning: 'No evidence for the role of srv-0815.',
      },
    ]);
    expect([body.unclassified, body.abstained]).toEqual([[id], true]);
  });

  test('that the CMDB does not have are classified by what is said of them', async () => {
    const body = await classify({ servers: [{ ciId: UNKNOWN, hostname: 'x-1', runningProcesses: ['mysqld'] }] });
    expect(body.classifiedServers).toMatchObject([{ ciId: UNKNOWN, role: 'database', tier: 'data' }]);
    expect(body.citations).toMatchObject([{ kind: 'record', label: 'x-1', href: '/docs' }]);
  });

  test('have the type of their CI', async () => {
    const body = await classify({ servers: [{ ciId: await ci('x-1', 'load_balancer') }] });
    expect(body.classifiedServers).toMatchObject([{ role: 'load-balancer', tier: 'frontend' }]);
  });
});

test.each([
  ['no servers', {}, 'servers'],
  ['an empty list', { servers: [] }, 'servers'],
  ['servers that are no list', { servers: {} }, 'servers'],
  ['too many', { servers: Array.from({ length: 1_001 }, (_, n) => ({ ciId: `s${n}` })) }, 'servers'],
  ['one without an id', { servers: [{ hostname: 'x' }] }, 'servers[0].ciId'],
  ['one twice', { servers: [{ ciId: 'a' }, { ciId: 'a' }] }, 'servers[1].ciId'],
  ['a port that there is not', { servers: [{ ciId: 'a' }], connections: [{ port: 70_000 }] }, 'connections[0].port'],
  ['a process that is none', { servers: [{ ciId: 'a', runningProcesses: [7] }] }, 'servers[0].runningProcesses[0]'],
  ['connections that are no list', { servers: [{ ciId: 'a' }], connections: {} }, 'connections'],
  ['a field that there is not', { servers: [{ ciId: 'a' }], server: [] }, 'server'],
])('%s is refused by name', async (_, body, field) => {
  const reply = await send(PATH, body);
  expect([reply.status, reply.body.error.code]).toEqual([400, 'INVALID_REQUEST']);
  expect(JSON.stringify(reply.body.error)).toContain(`"${field}`);
});

test('as many servers and connections as are taken are classified, in linear time', async () => {
  const infrastructureOf = (count: number) => {
    const servers = Array.from({ length: count }, (_, n) => ({
      ciId: `s${n}`,
      hostname: `app-${n}`,
      runningProcesses: [{ name: 'java', port: 8080 }],
    }));
    const connections = Array.from({ length: 10 * count }, (_, n) => ({
      source: `s${n % count}`,
      target: `s${(n * 7) % count}`,
      port: 8080,
      process: 'java',
      frequency: n,
    }));
    return { servers, connections };
  };
  const timeFor = (count: number): Promise<number> =>
    processorTimeUntil(async () => {
      expect((await classify(infrastructureOf(count))).classifiedServers).toHaveLength(count);
    });
  const few = Math.min(await timeFor(125), await timeFor(125));
  expect((await timeFor(1_000)) / few).toBeLessThan(LINEAR);
});
