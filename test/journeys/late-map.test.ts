import { beforeAll, expect, test } from '@jest/globals';
import { appOfTests } from '#test/setup/of-tests.ts';
import type { Reply } from '#test/setup/test-app.ts';

/** Events that a monitor sends hours late, of CIs that were imported meanwhile. */

const MINUTE = 60_000;
const app = appOfTests();
let send: (method: string, path: string, body?: unknown) => Promise<Reply>;

beforeAll(async () => {
  const token = await app.tenant('acme');
  send = (method, path, body) => app.send(method, path, body, { token });
});

test('the map of their group has the relationships by which they were joined', async () => {
  const ci = async (name: string): Promise<string> =>
    (await send('POST', '/v1/cmdb/ci', { name, type: 'server', attributes: { hostname: name } })).body.id;
  const [lower, upper] = [await ci('app-1'), await ci('db-1')];
  await send('POST', '/v1/cmdb/relationships', { source_ci: lower, target_ci: upper, type: 'depends_on' });
  const began = app.clock.now() - 120 * MINUTE;
  const ingest = (hostname: string, title: string, at: number) =>
    send('POST', '/api/events/ingest', {
      source: 'zabbix',
      sourceId: hostname,
      hostname,
      title,
      severity: 'critical',
      timestamp: new Date(at).toISOString(),
    });
  await ingest('db-1', 'PostgreSQL unreachable', began);
  await ingest('app-1', 'HTTP 503', began + MINUTE);
  await app.app.idle();
  const [group] = (await send('GET', '/api/events/groups')).body.groups;
  const { graph } = (await send('GET', `/api/events/groups/${group.correlationId}/graph`)).body;
  expect(graph.nodes.map(({ name, role }: Record<string, unknown>) => [name, role])).toEqual([
    ['db-1', 'cause'],
    ['app-1', 'victim'],
  ]);
  expect(graph.edges).toEqual([expect.objectContaining({ source: lower, target: upper, type: 'depends_on' })]);
});
