import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from '@jest/globals';
import { programFor } from '#cli/program.ts';
import { commandLine } from '#test/setup/command-line.ts';
import { appOfTests, tenantOfTests } from '#test/setup/of-tests.ts';
import { until } from '#test/setup/until.ts';

const app = appOfTests();
const own = tenantOfTests(app, 'all', 'watched');
const line = commandLine(app);

/** Events that become one group. */
const outage = async (hosts: readonly string[]): Promise<readonly string[]> => {
  const events = hosts.map((hostname) => ({ sourceId: hostname, hostname, severity: 'major', title: 'Link down' }));
  const reply = await own.send('POST', '/api/events/bulk-ingest', { source: 'test', events });
  return reply.body.results.success.map(({ eventId }: { eventId: string }) => eventId);
};

test('where nobody looks, a line says what is new, changed and gone', async () => {
  const watching = line.run('watch', '--url', app.url, '--token', own.token, '--updates', '4');
  await until(async () => (await app.send('GET', '/metrics')).body.includes('faultline_live_streams 1'));
  const ids = await outage(['sw-1', 'sw-2']);
  await until(async () => line.printed.some((one) => one.startsWith('new')));
  const [first, ...rest] = ids;
  await own.send('PATCH', `/api/events/${first}/status`, { status: 'resolved' });
  await until(async () => line.printed.some((one) => one.startsWith('changed')));
  for (const id of rest) await own.send('PATCH', `/api/events/${id}/status`, { status: 'resolved' });
  const lines = (await watching).split('\n');
  expect(lines[0]).toMatch(/^new {5}COR-\S+ {2}major {2}2 open of 2 {2}sw-\d: Link down$/);
  expect(lines[1]).toMatch(/^changed COR-\S+ {2}major {2}1 open of 2/);
  expect(lines[2]).toMatch(/^gone {4}COR-/);
  expect(lines).toHaveLength(3);
  await until(async () => (await app.send('GET', '/metrics')).body.includes('faultline_live_streams 0'));
}, 20_000);

test('programs get JSON', async () => {
  await outage(['db-1', 'db-2', 'db-3']);
  const printed = await line.run('watch', '--url', app.url, '--token', own.token, '--updates', '1', '--json');
  const [group] = printed.split('\n').map((one) => JSON.parse(one));
  expect(group).toMatchObject({ change: 'new', severity: 'major', counts: { open: 3 }, title: 'Link down' });
});

test('without a stream the groups are read all the same, and a terminal shows a table', async () => {
  const older = createServer(async ({ url = '' }, reply) => {
    const { status, body } = url.startsWith('/sse') ? { status: 404, body: {} } : await own.send('GET', url);
    reply.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  });
  await new Promise<void>((resolve) => older.listen(0, '127.0.0.1', resolve));
  const printed: string[] = [];
  const environment = {
    ...line.environment,
    screen: { print: (text: string) => printed.push(text), isTerminal: true },
  };
  const url = `http://127.0.0.1:${(older.address() as AddressInfo).port}`;
  const watch = (at: string) =>
    programFor(environment, '0').parseAsync([
      'node',
      'faultline',
      'watch',
      '--url',
      at,
      '--token',
      own.token,
      '--updates',
      '1',
    ]);
  await watch(url);
  await watch(app.url);
  older.close();
  expect(printed[0]).toMatch(/COR-\S+/);
  expect(printed[0]).toContain('active groups, no live stream, polling every 10s');
  expect(printed[1]).toContain('active groups, live; Ctrl-C to quit');
});

test('no server, no right and nonsense are errors', async () => {
  const watch = (...args: readonly string[]) => line.run('watch', '--updates', '1', ...args);
  await expect(watch('--url', 'http://127.0.0.1:1')).rejects.toThrow('no server at');
  await expect(watch('--url', app.url, '--token', 'wrong')).rejects.toMatchObject({ status: 401 });
});
