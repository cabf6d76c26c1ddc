import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { ROOT } from './planted.ts';
import { productFiles } from './rooms.ts';

const MOST_LINES = 80;

test(`half of the product files have at most ${MOST_LINES} lines`, () => {
  const lengths = productFiles(ROOT)
    .map((file) => readFileSync(join(ROOT, file), 'utf8').split('\n').length - 1)
    .sort((a, b) => a - b);
  expect(lengths.length).toBeGreaterThan(2_000);
  expect(lengths[Math.floor(lengths.length / 2)]).toBeLessThanOrEqual(MOST_LINES);
});
