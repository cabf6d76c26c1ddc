import { stat, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import type { Metrics } from '#domain/ports/metrics.ts';
import { MEMORY } from './journal/database.ts';

/** Files of the directory by what they hold. */
const FILES: Readonly<Record<string, readonly string[]>> = {
  database: ['faultline.db'],
  wal: ['faultline.db-wal'],
  redo: ['faultline.redo', 'faultline.redo2'],
};

/** A file may come and go with every checkpoint. */
const sizeOf = async (path: string): Promise<number> => {
  try {
    return (await stat(path)).size;
  } catch {
    return 0;
  }
};

/** Sets the gauges of the directory and of the disk that it is on. A database in memory has neither. */
export const measureDisk = async (data: string, metrics: Metrics): Promise<void> => {
  if (data === MEMORY) return;
  for (const [file, names] of Object.entries(FILES)) {
    const sizes = await Promise.all(names.map((name) => sizeOf(join(data, name))));
    metrics.gauge(
      'faultline_database_bytes',
      { file },
      sizes.reduce((sum, size) => sum + size, 0),
    );
  }
  const { bsize, blocks, bavail } = await statfs(data);
  metrics.gauge('faultline_disk_size_bytes', { disk: 'data' }, bsize * blocks);
  metrics.gauge('faultline_disk_free_bytes', { disk: 'data' }, bsize * bavail);
};
