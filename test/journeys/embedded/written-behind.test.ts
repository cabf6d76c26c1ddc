import { afterAll, expect, test } from '@jest/globals';
import { temporaryDirectory } from '#test/setup/directory.ts';
import { appOfTests } from '#test/setup/of-tests.ts';

/* Rows are written some time after the answer: a read waits for its row. */

const directory = temporaryDirectory();
const app = appOfTests({ FAULTLINE_DATA: directory.path });
afterAll(() => directory.remove());

test('an event of the general style is shown as it stands after its occurrence', async () => {
  const event = { title: 'API latency high', severity: 'high', source: 'apm', source_id: '77' };
  const headers = { 'idempotency-key': 'once' };
  const created = await app.send('POST', '/v1/events', event, { headers });
  expect([created.status, created.body.occurrence_count]).toEqual([201, 1]);
  expect(created.headers.get('location')).toBe(`/v1/events/${created.body.id}`);
  for (const count of [2, 3]) {
    const { status, body } = await app.send('POST', '/v1/events', event);
    expect([status, body.occurrence_count]).toEqual([200, count]);
  }
  const again = await app.send('POST', '/v1/events', event, { headers });
  expect([again.status, again.body.id]).toEqual([201, created.body.id]);
});

test('the status of many is set on events that were answered a moment ago', async () => {
  const ids: string[] = [];
  for (const hostname of ['web-1', 'web-2']) {
    const event = { source: 'test', sourceId: hostname, severity: 'major', title: 'Link down', hostname };
    ids.push((await app.send('POST', '/api/events/ingest', event)).body.eventId);
  }
  const { body } = await app.send('POST', '/api/events/status', { ids, status: 'acknowledged' });
  expect(body).toMatchObject({ matched: 2, changed: 2, failed: [] });
});
