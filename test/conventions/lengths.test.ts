import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { productFiles } from './import-layers.ts';
import { ROOT } from './planted.ts';

const MAX_LINES = 80;

test(`half of the product files have at most ${MAX_LINES} lines`, () => {
  const lengths = productFiles(ROOT)
    .map((file) => readFileSync(join(ROOT, file), 'utf8').split('\n').length - 1)
    .sort((a, b) => a - b);
  expect(lengths.length).toBeGreaterThan(1_500);
  expect(lengths[Math.floor(lengths.length / 2)]).toBeLessThanOrEqual(MAX_LINES);
});
