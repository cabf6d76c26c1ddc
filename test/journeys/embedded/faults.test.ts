import { afterAll, expect, test } from '@jest/globals';
import { temporaryDirectory } from '#test/setup/directory.ts';
import { holdFile } from '#test/setup/hold-file.ts';
import { appOfTests } from '#test/setup/of-tests.ts';
import { START } from '#test/setup/test-app.ts';

const directory = temporaryDirectory();
const app = appOfTests({ FAULTLINE_DATA: directory.path });
afterAll(() => directory.remove());

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

const MAX_ATTEMPTS = 6;
/** Three at once: their hosts when all are acknowledged. */
const sendThree = async (attempt: number): Promise<string[] | null> => {
  const names = ['a', 'b', 'c'].map((name) => `${name}${attempt}`);
  const replies = await Promise.all(names.map(ingest));
  return replies.every(({ status }) => status === 201) ? names : null;
};
const hosts = async (): Promise<string[]> =>
  (await app.send('GET', '/api/events')).body.events.map(({ hostname }: { hostname: string }) => hostname);

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
  // A job that reads at once notices before anything is sent: then another time.
  let release = await holdFile(directory.path);
  let names = await sendThree(0);
  for (let attempt = 1; names === null && attempt < MAX_ATTEMPTS; attempt += 1) {
    release();
    await until(200);
    release = await holdFile(directory.path);
    names = await sendThree(attempt);
  }
  expect(names).not.toBeNull();
  // It is detected without a request.
  await until(503);
  refused(await ingest('d'));
  refused(await app.send('POST', '/api/events/bulk-ingest', { events: [event('d'), event('e')] }));
  // It cannot show acknowledged events.
  refused(await app.send('GET', '/api/events'));
  expect((await app.send('GET', '/livez', undefined, { token: null })).status).toBe(200);
  release();
  await until(200);
  expect(await hosts()).toEqual(expect.arrayContaining(['before', ...names!]));
  const again = await ingest(names![1]!);
  expect([again.status, again.body.occurrenceCount]).toEqual([200, 2]);
  expect((await ingest('d')).status).toBe(201);
  expect(await hosts()).toEqual(expect.arrayContaining(['before', 'd', ...names!]));
}, 120_000);
