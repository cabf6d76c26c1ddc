import { beforeAll, expect, test } from '@jest/globals';
import { commandLine } from '#test/setup/command-line.ts';
import { appOfTests, tenantOfTests } from '#test/setup/of-tests.ts';

const it = appOfTests();
const own = tenantOfTests(it, 'all', 'cli-service');
const line = commandLine(it);
beforeAll(async () => {
  for (const name of ['shop', 'wiki']) {
    const ids: string[] = [];
    for (const tier of ['web', 'app', 'db'])
      ids.push((await own.send('POST', '/v1/cmdb/ci', { name: `${name}-${tier}-1`, type: 'server' })).body.id);
    for (const [from, port] of [
      [0, 8080],
      [1, 5432],
    ] as const) {
      const ends = { source_ci: ids[from], target_ci: ids[from + 1] };
      await own.send('POST', '/v1/cmdb/relationships', { ...ends, type: 'depends_on', attributes: { port } });
    }
  }
});

const run = (...args: readonly string[]): Promise<string> =>
  line.run('service', 'discover', ...args, '--url', it.url, '--token', own.token);

test('service discover shows how far it is, and what it has found', async () => {
  const text = await run('--session', 'by-hand-1', '--show', 'shop');
  expect(text).toMatch(/score: 2 of 2[\s\S]*│ Shop +│ web application +│ +3 │[\s\S]*│ Wiki /);
  expect(text).toContain('2 services among 6 CIs. Each CI belongs to one. Session by-hand-1.');
  expect(text).toMatch(
    /Shop: web application, \d+% confidence\n3 CIs with 2 connections between them, 0 to other services\. \[Q1, C\d+/,
  );
  expect(text).toMatch(/Stores data: shop-db-1\. \[(C\d+)\][\s\S]*\n(from:| {5}) \1 ci "shop-db-1" \/v1\/cmdb\/ci\//);
  expect(text).toMatch(/│ shop-db-1 +│ server │ data +│ database +│/);
});

test('service discover shows an earlier session again, and saves what is chosen', async () => {
  const text = await run('--session', 'by-hand-1', '--save', 'Wiki');
  const [, id] = /Wiki: saved as (\w+)/.exec(text)!;
  const { body } = await own.send('GET', `/v1/services/${id}`);
  expect(body).toMatchObject({ name: 'Wiki', description: 'Found by infrastructure analysis: web application' });
  expect(body.components.map(({ role }: { role: string }) => role).sort()).toEqual([
    'application server',
    'database',
    'web server',
  ]);
  expect(await run('--session', 'by-hand-1', '--save-all')).toMatch(
    /Shop: saved as \w+[\s\S]*Wiki: not saved, A service named Wiki already exists/,
  );
});

test('service discover goes on with one bar for all that is read, and says what its table leaves out', async () => {
  const text = await run('--session', 'by-hand-2', '--min-confidence', '0.99');
  // 6 CIs, 4 relationships, and at most 6 rows of what scanners saw.
  expect(text.match(/load: .*/g)).toEqual(['load: 6 of 16', 'load: 10 of 16', 'load: 16 of 16']);
  expect(text).toContain('2 services among 6 CIs. 2 of them are hidden (below --min-confidence).');
});

test('service discover prints JSON for programs, and leaves out what is not sure', async () => {
  const result = JSON.parse(await run('--json', '--min-confidence', '0.99'));
  expect(result).toMatchObject({ status: 'completed', services: [], saved: [], statistics: { services: 2 } });
});

test.each([
  [['--min-confidence', 'high'], 'expected a number from 0 to 1, got high'],
  [['--session', 'by-hand-1', '--save', 'Nobody'], 'no service named Nobody'],
  [['--session', 'x'], '400'],
])('service discover %j is refused', async (args, why) => {
  await expect(run(...args)).rejects.toThrow(why);
});

const find = (...args: readonly string[]): Promise<string> =>
  line.run('service', 'find', ...args, '--url', it.url, '--token', own.token);

test('service find shows the servers of a description, and of what is named beside it', async () => {
  const host = (name: string, ip: string, port: number, process: string, connections: readonly object[] = []) => ({
    hostname: name,
    ip_address: ip,
    listening_processes: [{ name: process, port }],
    connections,
  });
  const hosts = [
    host('till-app-1', '10.7.0.1', 8080, 'tilld', [{ process: 'tilld', target_ip: '10.7.0.2', port: 5432 }]),
    host('till-db-1', '10.7.0.2', 5432, 'postgres'),
  ];
  const said = { scan_type: 'agent', scanner_id: 'a', timestamp: it.clock.now(), data: { discovered_hosts: hosts } };
  expect((await own.send('POST', '/v1/discovery/scan-data', said)).status).toBeLessThan(300);
  await it.app.idle();
  const text = await find('The till keeps its data in PostgreSQL', '--process', 'tilld', '--port', '8080');
  expect(text).toMatch(/│ till-db-1 +│ 10\.7\.0\.2 +│ +0\.9\d │ runs postgres on port 5432/);
  expect(text).toMatch(/│ till-app-1 │ tilld +│ till-db-1 │ 5432 │/);
  expect(text).toContain('2 servers, 1 connection');
  expect(await find('--process', 'nothing-like-it')).toContain('No matching servers');
  expect(JSON.parse(await find('--host', 'till-*', '--json')).servers).toHaveLength(2);
  await expect(find()).rejects.toThrow('describe the software');
  await expect(find('zzz')).rejects.toThrow('no known software in "zzz"; name a product');
  await expect(find('--port', 'x')).rejects.toThrow('--port: expected a whole number');
});
