import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { temporaryDirectory } from '#test/setup/directory.ts';
import { openTestApp, START, type TestApp } from '#test/setup/test-app.ts';

const directory = temporaryDirectory();
let app: TestApp;
beforeAll(async () => {
  app = await openTestApp({ FAULTLINE_DATA: directory.path });
});
afterAll(async () => {
  await app.stop();
  directory.remove();
});

const event = (hostname: string) => ({
  source: 's',
  sourceId: '1',
  severity: 'major',
  title: 'Disk full',
  hostname,
  timestamp: START,
});
const ingest = (hostname: string) => app.send('POST', '/api/events/ingest', event(hostname));
const ready = async () => (await app.send('GET', '/readyz', undefined, { token: null })).status;

/** Nobody else may write while this is open, as when a backup holds the file. */
const holdFile = () => {
  const other = new DatabaseSync(join(directory.path, 'faultline.db'), { timeout: 2_000 });
  other.exec('BEGIN IMMEDIATE');
  return () => {
    other.exec('ROLLBACK');
    other.close();
  };
};

test('a store that takes no writes: 503 with Retry-After, red, still readable, and well again by itself', async () => {
  expect([await ready(), (await ingest('before')).status]).toEqual([200, 201]);
  const release = holdFile();
  const refused = await Promise.all(['before', 'b', 'c'].map(ingest));
  for (const { status, headers, body } of refused) {
    expect([status, headers.has('retry-after')]).toEqual([503, true]);
    expect(body).toMatchObject({ success: false, error: 'Service Unavailable' });
  }
  expect(await ready()).toBe(503);
  const events = [event('d'), event('e')];
  expect((await app.send('POST', '/api/events/bulk-ingest', { events })).status).toBe(503);
  expect((await app.send('GET', '/api/events')).body.pagination.total).toBe(1);
  expect((await app.send('GET', '/livez', undefined, { token: null })).status).toBe(200);
  release();
  const deadline = performance.now() + 10_000;
  while ((await ready()) !== 200 && performance.now() < deadline)
    await new Promise((resolve) => setTimeout(resolve, 50));
  expect(await ready()).toBe(200);
  const again = await ingest('before');
  expect([again.status, again.body.occurrenceCount]).toEqual([200, 2]);
  expect((await ingest('b')).status).toBe(201);
  expect((await app.send('GET', '/api/events')).body.pagination.total).toBe(2);
});
