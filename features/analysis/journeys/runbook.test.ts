import { expect, test } from '@jest/globals';
import { infrastructureOf } from '#test/setup/infrastructure.ts';
import { appOfTests } from '#test/setup/of-tests.ts';

/* The runbook of an open group, as it is set now. */

const app = appOfTests();
let token: string;
const { send, ci, join } = infrastructureOf(() => ({ app, token }));

test('a rule applies to a group that is open, the CI of the root cause comes before it, and nobody else reads it', async () => {
  token = await app.tenant('runbook');
  const database = await ci('db-1', { type: 'database' });
  await join(await ci('web-1'), database);
  const cause = { source: 's', sourceId: '1', severity: 'critical', title: 'Disk full', hostname: 'db-1' };
  const { eventId } = (await send('POST', '/api/events/ingest', cause)).body;
  const effect = { source: 's', sourceId: '2', severity: 'major', title: 'HTTP 503', hostname: 'web-1' };
  await send('POST', '/api/events/ingest', effect);
  await app.app.idle();
  const { correlationId } = (await send('GET', `/api/events/${eventId}`)).body.event;
  const path = `/api/events/groups/${correlationId}/runbook`;
  expect((await send('GET', path)).body).toEqual({ success: true, runbook: null });
  const runbooks = [{ url: 'https://wiki.example.com/db', text: 'ask Ann', ciType: 'database' }];
  expect((await send('PUT', '/api/admin/settings/ai', { runbooks })).status).toBe(200);
  expect((await send('GET', path)).body.runbook).toBe('https://wiki.example.com/db ask Ann');
  const custom_fields = { runbook: 'Call the DBA' };
  expect((await send('PUT', `/v1/cmdb/ci/${database}`, { custom_fields })).status).toBe(200);
  expect((await send('GET', path)).body.runbook).toBe('Call the DBA');
  expect((await app.send('GET', path, undefined, { token: await app.tenant('runbook-other') })).status).toBe(404);
});
