import { statfsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { openMetrics } from '#infra/metrics/metrics.ts';
import { temporaryDirectory } from '#test/setup/directory.ts';
import { measureDisk } from './open-embedded.ts';
import { MEMORY } from './redo-log/database.ts';

const measured = async (data: string) => {
  const { metrics, text } = openMetrics({ version: '0', mode: 'embedded', node: '0' });
  await measureDisk(data, metrics);
  return Object.fromEntries(
    (await text()).split('\n').flatMap((line) => {
      const [series, value] = line.split(' ');
      return /^faultline_(database|disk)/.test(line) ? [[series, Number(value)]] : [];
    }),
  );
};

test('sizes of the files, and what is free beside them', async () => {
  const directory = temporaryDirectory();
  writeFileSync(join(directory.path, 'faultline.db'), 'x'.repeat(1_000));
  writeFileSync(join(directory.path, 'faultline.redo'), 'x'.repeat(10));
  writeFileSync(join(directory.path, 'faultline.redo2'), 'x'.repeat(5));
  const shown = await measured(directory.path);
  const { bsize, blocks } = statfsSync(directory.path);
  expect(shown).toMatchObject({
    'faultline_database_bytes{file="database"}': 1_000,
    'faultline_database_bytes{file="wal"}': 0,
    'faultline_database_bytes{file="redo"}': 15,
    'faultline_disk_size_bytes{disk="data"}': bsize * blocks,
  });
  expect(shown['faultline_disk_free_bytes{disk="data"}']).toBeGreaterThan(0);
  directory.remove();
});

test('a database in memory has no disk', async () => expect(await measured(MEMORY)).toEqual({}));
