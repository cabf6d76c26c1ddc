import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { AREAS, isProduct, productFiles } from './import-layers.ts';
import { planted, ROOT, toolOutput } from './planted.ts';

/** `!` after an expression: where inner loops read arrays, and nowhere else. */
const MAX_MARKS = 60;
const MAX_CASTS = 5;

interface Report {
  readonly diagnostics: readonly { readonly category: string; readonly location: { readonly path: string } }[];
}

/** The files of the marks, one for each mark. */
const marksIn = (folder: string): string[] => {
  const rooms = AREAS.filter((room) => globSync(room, { cwd: folder }).length > 0);
  const asked = ['lint', '--only=style/noNonNullAssertion', '--reporter=json', '--max-diagnostics=none', ...rooms];
  const { diagnostics } = JSON.parse(toolOutput('@biomejs/biome', 'bin/biome', asked, folder)) as Report;
  return diagnostics
    .filter(({ category, location }) => category === 'lint/style/noNonNullAssertion' && isProduct(location.path))
    .map(({ location }) => location.path);
};

const castsIn = (root: string): string[] =>
  productFiles(root).flatMap((file) =>
    [...readFileSync(join(root, file), 'utf8').matchAll(/\bas unknown as\b/g)].map(() => file),
  );

describe('Assertions that the compiler cannot check', () => {
  test(`at most ${MAX_MARKS} expressions are said to be there`, () => {
    const marks = marksIn(ROOT);
    expect(marks.length > MAX_MARKS ? marks : []).toEqual([]);
  });

  test(`at most ${MAX_CASTS} values are said to be of an unrelated type`, () => {
    const casts = castsIn(ROOT);
    expect(casts.length > MAX_CASTS ? casts : []).toEqual([]);
  });

  describe('are counted', () => {
    let marks: string[];
    let casts: string[];
    beforeAll(() => {
      using tree = planted({
        'biome.json': '{ "linter": { "rules": { "recommended": false } } }',
        'domain/marks.ts': 'export const f = (a: number[]): number => a[0]! + a.at(1)!;\n',
        'domain/marks.test.ts': 'export const f = (a: number[]): number => a[0]!;\n',
        'api/cast.ts': 'export const f = (a: number): string => a as unknown as string;\n',
      });
      marks = marksIn(tree.path);
      casts = castsIn(tree.path);
    });

    test('each in product code, none in tests', () => {
      expect(marks).toEqual(['domain/marks.ts', 'domain/marks.ts']);
      expect(casts).toEqual(['api/cast.ts']);
    });
  });
});
