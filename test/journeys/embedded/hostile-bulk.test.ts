import { expect, test } from '@jest/globals';
import { appOfTests } from '#test/setup/of-tests.ts';
import { processorTimeUntil } from '#test/setup/processor-time.ts';

const COUNT = 60;
/** The longest accepted names; shorter ones first, with which the worst of patterns ends, too. */
const LENGTHS = [24, 96, 384, 1_536, 4_085];
/** Maximum factor between the time of a bulk and that of others of its length. */
const MOST = 5;

const bulk = (source: string, length: number, [hostname, ipAddress, service]: readonly [string, string, string]) => ({
  events: Array.from({ length: COUNT }, (_, i) => ({
    source: `${source} ${length}`,
    sourceId: `${i}`,
    severity: 'info',
    title: `Down ${i}`,
    hostname: `${hostname.repeat(length)}${i}!`,
    ipAddress: `${ipAddress.repeat(length)}!`,
    service: service.repeat(length),
  })),
});

const app = appOfTests();

test('a bulk of names that a pattern with overlapping parts takes seconds for takes as long as any other', async () => {
  const ingest = (events: ReturnType<typeof bulk>): Promise<number> =>
    processorTimeUntil(async () => {
      const { body } = await app.send('POST', '/api/events/bulk-ingest', events);
      expect(body.summary).toMatchObject({ successful: COUNT, failed: 0 });
      await app.app.idle();
    });
  // The first one compiles the code of the others.
  await ingest(bulk('first', 24, ['d', 'e', 'f']));
  for (const length of LENGTHS) {
    const usual = await ingest(bulk('usual', length, ['a', 'b', 'c']));
    const hostile = await ingest(bulk('hostile', length, [':', ':', '.']));
    process.stderr.write(
      `names of ${length}: ${Math.round(hostile / 1_000)} ms, usual ${Math.round(usual / 1_000)} ms\n`,
    );
    expect(hostile / usual).toBeLessThan(MOST);
  }
});
