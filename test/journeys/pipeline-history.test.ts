import { expect, test } from '@jest/globals';
import { rememberPipeline } from '#application/jobs.ts';
import type { ProcessorCounters } from '#domain/pipeline/history.ts';
import { appOfTests, tenantOfTests } from '#test/setup/of-tests.ts';

const it = appOfTests();
const own = tenantOfTests(it, 'all', 'watchers');

const look = async (dedup: ProcessorCounters): Promise<void> => {
  it.clock.advance(10_000);
  await rememberPipeline(it.app.ports, { processors: async () => new Map([['dedup', dedup]]) });
};
const read = async (as?: string) =>
  (await it.send('GET', '/api/admin/pipeline/history', undefined, as === undefined ? {} : { token: as })).body.data;
const dedupOf = ({ stages }: { stages: { name: string }[] }) => stages.find(({ name }) => name === 'dedup');
const last = (reply: object) =>
  Object.fromEntries(
    Object.entries(reply).map(([name, value]) => [name, Array.isArray(value) ? (value.at(-1) ?? null) : value]),
  );

test('a platform administrator sees rates, errors and times of all, a tenant what waits in its part', async () => {
  await look({ read: 100, emitted: 90, errors: 0, batches: 4, seconds: 1 });
  await look({ read: 350, emitted: 190, errors: 2, batches: 9, seconds: 1.5 });
  const all = await read();
  expect(all.step_seconds).toBe(10);
  expect(all.stages).toHaveLength((await it.app.ports.operations.pipeline()).length);
  expect(last(dedupOf(all) as object)).toEqual({
    name: 'dedup',
    lag: 0,
    read_per_second: 25,
    emitted_per_second: 10,
    errors: 2,
    batch_ms: 100,
  });
  const shown = await read(own.token);
  expect(shown.at).toEqual(all.at);
  expect(last(dedupOf(shown) as object)).toEqual({
    name: 'dedup',
    lag: 0,
    read_per_second: null,
    emitted_per_second: null,
    errors: null,
    batch_ms: null,
  });
});
