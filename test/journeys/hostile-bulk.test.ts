import { expect, test } from '@jest/globals';
import { openTestApp } from '#test/setup/test-app.ts';

const COUNT = 60;
/** Half a megabyte of names that a pattern with overlapping parts takes seconds for. */
const hostile = {
  events: Array.from({ length: COUNT }, (_, i) => ({
    source: 's',
    sourceId: `${i}`,
    severity: 'info',
    title: `Down ${i}`,
    hostname: `${':'.repeat(4_085)}${i}!`,
    ipAddress: `${':'.repeat(4_095)}!`,
    service: '.'.repeat(4_095),
  })),
};

test('a bulk of hostile names holds up nobody', async () => {
  const app = await openTestApp();
  const bulk = app.send('POST', '/api/events/bulk-ingest', hostile);
  const waits: number[] = [];
  let done = false;
  void bulk.finally(() => {
    done = true;
  });
  while (!done) {
    const begun = performance.now();
    expect((await fetch(`${app.url}/livez`)).status).toBe(200);
    waits.push(performance.now() - begun);
  }
  expect((await bulk).body.summary).toMatchObject({ successful: COUNT, failed: 0 });
  expect(Math.max(...waits)).toBeLessThan(1_000);
  await app.stop();
});
