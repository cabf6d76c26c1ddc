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
