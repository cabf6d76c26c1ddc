import { expect, test } from '@jest/globals';
import { appOfTests } from '#test/setup/of-tests.ts';

const it = appOfTests();
const DAY = 24 * 3_600_000;

test('checks by events of the week, with groups, flaps and the share that no user has touched', async () => {
  const token = await it.tenant('noise');
  const send = (method: string, path: string, body?: unknown) => it.send(method, path, body, { token });
  let serial = 0;
  const ingest = async (title: string, hostname: string): Promise<string> => {
    const draft = { source: 'zabbix', sourceId: `${++serial}`, severity: 'minor', title, hostname };
    return (await send('POST', '/api/events/ingest', draft)).body.eventId;
  };
  await ingest('Fan broken', 'old-1');
  it.clock.advance(8 * DAY);
  const touched = await ingest('Fan broken', 'a-1');
  for (const host of ['b-1', 'c-1']) await ingest('Fan broken', host);
  await ingest('Certificate expires', 'd-1');
  await send('PATCH', `/api/events/${touched}/status`, { status: 'acknowledged' });
  await it.app.idle();
  const { status, body } = await send('GET', '/api/noise');
  expect(status).toBe(200);
  const { checks, now, before } = body.data;
  expect(now).toMatchObject({ events: 4, acknowledged: 1 });
  expect(before).toMatchObject({ events: 1, acknowledged: 0 });
  expect(checks).toMatchObject([
    { title: 'Fan broken', source: 'zabbix', events: 3, weeks: [0, 0, 1, 3], sampled: 3, untouched: 2, flaps: 0 },
    { title: 'Certificate expires', events: 1, weeks: [0, 0, 0, 1], sampled: 1, untouched: 1 },
  ]);
});

test('a rule of a check sets the severity of its next events and keeps them out of groups', async () => {
  const token = await it.tenant('noise-rules');
  const send = (method: string, path: string, body?: unknown) => it.send(method, path, body, { token });
  const { id: ciId } = (await send('POST', '/v1/cmdb/ci', { name: 'c1', type: 'server' })).body;
  let serial = 0;
  const ingest = async (title: string, severity: string): Promise<string> => {
    const draft = { source: 'Zabbix', sourceId: `${++serial}`, severity, title, hostname: 'c1', ciId };
    return (await send('POST', '/api/events/ingest', draft)).body.eventId;
  };
  const event = async (id: string) => (await send('GET', `/api/events/${id}`)).body.event;
  const before = await ingest('Disk 91% full', 'major');
  await it.app.idle();
  const [{ problem, rule }] = (await send('GET', '/api/noise')).body.data.checks;
  expect([problem, rule]).toEqual(['disk <n>% full', undefined]);
  const put = (checks: object[]) => send('PUT', '/api/admin/settings/inbound', { checks });
  const wanted = { source: 'zabbix', problem, severity: 'info', grouped: false };
  expect((await put([wanted])).body.data.checks).toEqual([wanted]);
  const ruled = await ingest('Disk 12% full', 'major');
  const other = await ingest('Disk failed', 'critical');
  await it.app.idle();
  expect(await event(ruled)).toMatchObject({ severity: 'info', tags: ['ungrouped'], correlationId: null });
  expect(await event(before)).toMatchObject({ severity: 'major', correlationId: (await event(other)).correlationId });
  const { notCompared } = (await send('GET', `/api/events/${ruled}/explain?with=${other}`)).body;
  expect(notCompared).toMatchObject({ cause: 'ungrouped', eventId: ruled });
  const { checks } = (await send('GET', '/api/noise')).body.data;
  expect(checks.find((check: { title: string }) => check.title.startsWith('Disk 91'))).toMatchObject({
    rule: { severity: 'info', grouped: false },
  });
  await put([]);
  expect(await event(await ingest('Disk 55% full', 'major'))).toMatchObject({ severity: 'major' });
});
