import { expect, test } from '@jest/globals';
import { appOfTests } from '#test/setup/of-tests.ts';

const app = appOfTests();

const EVENTS = 250;
const AT_ONCE = 24;

/** More than 64 KiB. */
const bulkOf = (n: number) => ({
  events: Array.from({ length: EVENTS }, (_, i) => ({
    source: 's',
    sourceId: `${n}-${i}`,
    severity: 'info',
    title: 'Disk is full',
    hostname: `host-${n}-${i}`,
    description: 'x'.repeat(300),
  })),
});

test('large requests that come at once take turns, and one that cannot be read holds up nobody', async () => {
  const token = await app.tenant('large');
  const bodies: unknown[] = Array.from({ length: AT_ONCE }, (_, n) => bulkOf(n));
  bodies.splice(5, 0, { events: [], padding: 'x'.repeat(100_000) });
  const replies = await Promise.all(bodies.map((body) => app.send('POST', '/api/events/bulk-ingest', body, { token })));
  expect(replies[5]?.status).toBe(400);
  const taken = replies.filter(({ status }) => status < 300).map(({ body }) => body.summary.successful);
  expect(taken).toEqual(Array.from({ length: AT_ONCE }, () => EVENTS));
});
