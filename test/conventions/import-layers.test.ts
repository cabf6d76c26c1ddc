import { expect, test } from '@jest/globals';
import { crowdedFolders, folderCycles, MAX_FILES, productFiles } from './import-layers.ts';
import { planted, ROOT } from './planted.ts';

const importing = (...specifiers: readonly string[]): string =>
  specifiers.map((specifier, i) => `import { a as a${i} } from '${specifier}';\n`).join('');

test('the folders of the product form a line, and none is a hall', () => {
  expect(productFiles(ROOT).length).toBeGreaterThan(500);
  expect(folderCycles(ROOT)).toEqual([]);
  expect(crowdedFolders(ROOT)).toEqual([]);
});

test.each([
  [
    'side by side',
    { 'domain/a/x.ts': importing('#domain/b/x.ts'), 'domain/b/y.ts': importing('../a/x.ts') },
    'domain',
    ['a', 'b'],
  ],
  [
    'through a third one, deep below',
    {
      'infra/one/a/x.ts': importing('#infra/one/b/c/x.ts'),
      'infra/one/b/d/x.ts': importing('#infra/one/e/x.ts'),
      'infra/one/e/y.ts': importing('#infra/one/a/x.ts'),
    },
    'infra/one',
    ['a', 'b', 'e'],
  ],
  [
    'of pages',
    {
      'console/a/x.tsx': "import { A } from '#console/b/x.tsx';\nexport const X = () => <A />;\n",
      'console/b/x.tsx': "export const A = () => import('../a/x.tsx');\n",
    },
    'console',
    ['a', 'b'],
  ],
  [
    'of a folder and the files beside it',
    { 'api/top.ts': importing('./a/x.ts'), 'api/a/x.ts': importing('#api/ground.ts') },
    'api',
    ['.', 'a'],
  ],
  [
    'with a type or a later import',
    {
      'api/x.ts': "import type { A } from '#schemas/y.ts';\n",
      'schemas/z.ts': "export const z = () => import('#api/x.ts');\n",
    },
    '.',
    ['api', 'schemas'],
  ],
])('a round %s is found', (_, given, within, folders) => {
  const targets = {
    'domain/b/x.ts': '',
    'infra/one/b/c/x.ts': '',
    'infra/one/e/x.ts': '',
    'api/ground.ts': '',
    'schemas/y.ts': '',
  };
  using tree = planted({ ...targets, ...given });
  const found = folderCycles(tree.path);
  expect(found.map((cycle) => ({ within: cycle.within, folders: cycle.folders.toSorted() }))).toEqual([
    { within, folders },
  ]);
  expect(found[0]!.imports).toHaveLength(folders.length);
});

test('a test, an entry and a line are no round', () => {
  using tree = planted({
    'domain/a/x.ts': importing('#domain/b/x.ts'),
    'domain/b/x.ts': '',
    'domain/b/x.test.ts': importing('#domain/a/x.ts'),
    'app.ts': importing('#cli/serve.ts'),
    'cli/serve.ts': '',
    'cli/cli.ts': importing('#app'),
  });
  expect(folderCycles(tree.path)).toEqual([]);
});

test('a hall is found', () => {
  const files = Object.fromEntries(Array.from({ length: MAX_FILES + 1 }, (_, i) => [`domain/a/f${i}.ts`, '']));
  using tree = planted({ ...files, 'domain/a/f.test.ts': '', 'domain/b/x.ts': '' });
  expect(crowdedFolders(tree.path)).toEqual([`domain/a: ${MAX_FILES + 1} files`]);
});
