import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { importsOf, isProduct } from './import-layers.ts';
import { ROOT } from './planted.ts';

/** Lines of test for each line of code. */
const MIN_RATIO = 0.7;
const CONTRACT = /export (?:function|const) \w+Contract\b/;

const textOf = (file: string): string => readFileSync(join(ROOT, file), 'utf8');
const linesOf = (files: Iterable<string>): number =>
  [...files].reduce((sum, file) => sum + textOf(file).split('\n').length - 1, 0);

/** Contract suites that these files run, directly or through another suite. */
const suitesOf = (files: readonly string[], known = new Set<string>()): ReadonlySet<string> => {
  for (const suite of files.flatMap((file) => importsOf(ROOT, file))) {
    if (!suite.startsWith('test/contract/') || known.has(suite) || !CONTRACT.test(textOf(suite))) continue;
    known.add(suite);
    suitesOf([suite], known);
  }
  return known;
};

describe('The hardest rooms are tested, beside their code and by contract suites', () => {
  test.each(['infra/embedded', 'infra/kafka'])('%s', (room) => {
    const files = globSync(`${room}/**/*.ts`, { cwd: ROOT });
    const [product, tests] = [files.filter(isProduct), files.filter((file) => !isProduct(file))];
    const suites = suitesOf(tests);
    expect(suites.size).toBeGreaterThan(0);
    expect((linesOf(tests) + linesOf(suites)) / linesOf(product)).toBeGreaterThanOrEqual(MIN_RATIO);
  });
});
