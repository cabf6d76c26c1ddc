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

/** Nobody else may write while this is open, as when a backup holds the file. Waits for the transaction that is open for a while. */
const holdFile = () => {
  const other = new DatabaseSync(join(directory.path, 'faultline.db'), { timeout: 15_000 });
  other.exec('BEGIN IMMEDIATE');
  return () => {
    other.exec('ROLLBACK');
    other.close();
  };
};

const until = async (status: number) => {
  const deadline = performance.now() + 15_000;
  while ((await ready()) !== status && performance.now() < deadline)
    await new Promise((resolve) => setTimeout(resolve, 50));
  expect(await ready()).toBe(status);
};
const refused = ({ status, headers, body }: Awaited<ReturnType<typeof ingest>>): void => {
  expect([status, headers.has('retry-after')]).toEqual([503, true]);
  expect(body).toMatchObject({ success: false, error: 'Service Unavailable' });
};

test('a file that takes no writes: the log takes them until that shows, then 503 with Retry-After, red, and well again by itself', async () => {
  expect([await ready(), (await ingest('before')).status]).toEqual([200, 201]);
  expect((await app.send('GET', '/api/events')).body.pagination.total).toBe(1);
  const release = holdFile();
  const kept = await Promise.all(['a', 'b', 'c'].map(ingest));
  expect(kept.map(({ status }) => status)).toEqual([201, 201, 201]);
  // Nobody has to ask for it to be seen.
  await until(503);
  refused(await ingest('d'));
  refused(await app.send('POST', '/api/events/bulk-ingest', { events: [event('d'), event('e')] }));
  // It cannot show what it has acknowledged.
  refused(await app.send('GET', '/api/events'));
  expect((await app.send('GET', '/livez', undefined, { token: null })).status).toBe(200);
  release();
  await until(200);
  expect((await app.send('GET', '/api/events')).body.pagination.total).toBe(4);
  const again = await ingest('b');
  expect([again.status, again.body.occurrenceCount]).toEqual([200, 2]);
  expect((await ingest('d')).status).toBe(201);
  expect((await app.send('GET', '/api/events')).body.pagination.total).toBe(5);
}, 40_000);
