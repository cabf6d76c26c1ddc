import { describe, expect, test } from '@jest/globals';
import { classify, tierOfPort } from './classify.ts';
import { roleWordsIn } from './role-words.ts';
import type { Server, ServerLink } from './server.ts';

const server = (id: string, more: Partial<Server> = {}): Server => ({
  id,
  hostname: id,
  type: null,
  software: [],
  processes: [],
  ...more,
});
const listening = (name: string | null, port: number | null): Partial<Server> => ({ processes: [{ name, port }] });
const link = (source: string | null, target: string | null, port: number | null = null): ServerLink => ({
  source,
  target,
  port,
});
const one = (given: Server, links: readonly ServerLink[] = []) => classify([given], links)[0]!;

describe('One server', () => {
  test.each<[string, Partial<Server>, string, string]>([
    ['a process of a database on its port', listening('postgres', 5432), 'database', 'data'],
    ['the same without a port', listening('mysqld', null), 'database', 'data'],
    ['Java on the port of Kafka', listening('java', 9092), 'message-broker', 'data'],
    ['Java on the port of Tomcat', listening('java', 8080), 'application-server', 'application'],
    ['Node.js', listening('node', 3000), 'application-server', 'application'],
    ['nginx', listening('nginx', 443), 'web-server', 'frontend'],
    ['HAProxy', listening('haproxy', 443), 'load-balancer', 'frontend'],
    ['a domain controller', listening('lsass.exe', 389), 'directory', 'infrastructure'],
    ['an open port that only databases have', listening(null, 1521), 'database', 'data'],
    ['a type', { type: 'load_balancer' }, 'load-balancer', 'frontend'],
    ['a type of network devices', { type: 'switch' }, 'network', 'infrastructure'],
    ['a name', { hostname: 'fra-redis-01.example.net' }, 'cache', 'data'],
    ['installed software', { software: ['PostgreSQL'] }, 'database', 'data'],
  ])('%s tells', (_, more, role, tier) => {
    const found = one(server('s', more));
    expect([found.role, found.tier]).toEqual([role, tier]);
    expect(found.confidence).toBeGreaterThanOrEqual(0.5);
    expect(found.reasons.length).toBeGreaterThan(0);
  });

  test.each<[string, Partial<Server>]>([
    ['nothing', {}],
    ['an address for a name', { hostname: '10.1.2.3' }],
    [
      'agents alone',
      {
        processes: [
          { name: 'sshd', port: 22 },
          { name: 'node_exporter', port: 9100 },
        ],
      },
    ],
    ['a program that is not known', listening('billingd', 4711)],
    ['a port that anything may have', listening(null, 80)],
    ['a type that says nothing', { type: 'server' }],
    ['names of two tiers', { hostname: 'app-db-01' }],
  ])('%s is not enough', (_, more) => {
    expect(one(server('s', { hostname: 'srv-01', ...more }))).toMatchObject({
      role: 'unclassified',
      tier: 'unclassified',
    });
  });

  test('two stores on one machine are one tier, and the surer role', () => {
    const found = one(
      server('db-1', {
        processes: [
          { name: 'postgres', port: 5432 },
          { name: 'redis-server', port: 6379 },
        ],
      }),
    );
    expect(found).toMatchObject({ role: 'database', tier: 'data' });
    expect(found.confidence).toBeGreaterThan(0.9);
  });

  test('an application server with a cache of its own is none for others', () => {
    const processes = [
      { name: 'java', port: 8080 },
      { name: 'redis-server', port: 6379 },
    ];
    const found = one(server('s', { processes }), [link('s', 'db', 5432), link('web', 's', 8080)]);
    expect(found.role).toBe('application-server');
  });

  test('the confidence weighs a role against none, and grows with what agrees', () => {
    const confidence = (weight: number) => Math.round((1 - 1 / Math.exp(weight)) * 1_000) / 1_000;
    const named = one(server('s', { hostname: 'db-1' }));
    expect(named.confidence).toBe(confidence(1));
    const seen = one(server('s', { hostname: 'db-1', ...listening('postgres', 5432) }));
    expect(seen.confidence).toBe(confidence(3));
    const called = one(server('s', { hostname: 'db-1', ...listening('postgres', 5432) }), [link('a', 's', 5432)]);
    expect(called.confidence).toBe(confidence(4));
  });

  test('what was seen is told, the weightiest first', () => {
    const { reasons } = one(server('s', { hostname: 'db-1', ...listening('postgres', 5432) }), [
      link('a', 's', 5432),
      link('b', 's', 5432),
    ]);
    expect(reasons).toEqual([
      'runs postgres on port 5432 (PostgreSQL)',
      'its name contains “db”',
      '2 hosts connect to it on port 5432',
    ]);
  });
});

describe('Who connects to whom', () => {
  test('what asks for data is an application, and what asks an application is in front', () => {
    const servers = ['a', 'b', 'c'].map((id) => server(id));
    const found = classify(servers, [link(null, 'a', 443), link('a', 'b', 8009), link('b', 'c', 5432)]);
    expect(found.map(({ tier }) => tier)).toEqual(['frontend', 'application', 'data']);
  });

  test.each([
    [4, 'unclassified'],
    [5, 'monitoring'],
  ])('a server that asks agents on %i machines is %s', (machines, role) => {
    const links = Array.from({ length: machines }, (_, n) => link('s', `other-${n}`, 9100));
    expect(one(server('s'), links).role).toBe(role);
  });

  test('what connects to itself says nothing', () => {
    expect(one(server('s'), [link('s', 's', 5432)])).toMatchObject({ role: 'unclassified', confidence: 0 });
  });

  test.each([
    [5432, 'data'],
    [9092, 'data'],
    [8009, 'application'],
    [443, 'frontend'],
    [53, 'infrastructure'],
    [9100, null],
    [4711, null],
  ])('port %i is of the tier %s', (port, tier) => {
    expect(tierOfPort(port)).toBe(tier);
  });
});

test.each([
  ['fra-web-01', ['web-server']],
  ['prddb02', ['database']],
  ['sqlprd01', ['database']],
  ['appsrv3', ['application-server']],
  ['webserver', ['web-server']],
  ['dc1-web-02', ['web-server']],
  ['dc-01', ['directory']],
  ['k8s-node-1', ['orchestration']],
  ['app-db-1', ['application-server', 'database']],
  ['Database Server', ['database']],
  ['sandbox-1', []],
  ['srv-0815', []],
  ['', []],
])('the words of %j speak of %j', (text, roles) => {
  expect(
    roleWordsIn(text)
      .map(({ role }) => role)
      .sort(),
  ).toEqual(roles);
});

test('a thousand servers and ten thousand links are one pass', () => {
  const servers = Array.from({ length: 1_000 }, (_, n) => server(`s${n}`, listening('java', 8080)));
  const links = Array.from({ length: 10_000 }, (_, n) => link(`s${n % 1_000}`, `s${(n * 7) % 1_000}`, 5432));
  expect(classify(servers, links)).toHaveLength(1_000);
});
