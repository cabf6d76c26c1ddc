import { expect, test } from '@jest/globals';
import { tiesOfFeatures, withUsers } from './features.ts';
import { planted, ROOT } from './planted.ts';

test('features import the core and what they use, in a line', () => {
  expect(tiesOfFeatures(ROOT)).toEqual([]);
});

const named = (id: string, ...uses: readonly string[]): Record<string, string> => ({
  [`features/${id}/feature.ts`]: `export const one = feature({ id: '${id}', uses: [${uses.map((use) => `'${use}'`).join(', ')}] });\n`,
  [`features/${id}/rules/a.ts`]: uses
    .map((use) => `import { a as ${use} } from '#features/${use}/rules/a.ts';\n`)
    .join(''),
});

test.each([
  [
    'an import beyond uses',
    { ...named('a'), ...named('b'), 'features/b/cli/b.ts': "import type { A } from '#features/a/rules/a.ts';\n" },
    ['beyond uses: features/b/cli/b.ts → features/a/rules/a.ts'],
  ],
  [
    'a round',
    { ...named('a', 'b'), ...named('b', 'c'), ...named('c', 'a') },
    ['a', 'b', 'c'].map((id) => `a round of uses: ${id}`),
  ],
  [
    'a use that is none',
    { ...named('a'), ...named('b', 'a'), 'features/b/rules/a.ts': '' },
    ['named and not used: b → a'],
  ],
  [
    'more than four',
    {
      ...named('f', 'a', 'b', 'c', 'd', 'e'),
      ...named('a'),
      ...named('b'),
      ...named('c'),
      ...named('d'),
      ...named('e'),
    },
    ['more than 4 in uses: f'],
  ],
])('%s is found', (_, files, problems) => {
  using tree = planted(files);
  expect(tiesOfFeatures(tree.path).sort()).toEqual(problems);
});

test('imports of tests and of the core are no ties, and whoever uses a user uses it', () => {
  using tree = planted({
    ...named('a'),
    ...named('b', 'a'),
    'features/a/rules/a.test.ts': "import { a } from '#features/b/rules/a.ts';\n",
    'features/b/rules/b.ts': "import { c } from '#domain/c.ts';\n",
  });
  expect(tiesOfFeatures(tree.path)).toEqual([]);
  const uses = new Map([
    ['a', []],
    ['b', ['a']],
    ['c', ['b']],
    ['d', []],
  ]);
  expect(withUsers(uses, ['a'])).toEqual(['a', 'b', 'c']);
});
