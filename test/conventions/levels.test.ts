import { spawnSync } from 'node:child_process';
import { globSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { changedFiles, LEVELS, levelOf, testsOf } from '#test/levels.ts';
import { planted, ROOT } from './planted.ts';

const listed = (...args: readonly string[]): string[] => {
  const { stdout, stderr, status } = spawnSync(process.execPath, ['test/run.ts', '--listTests', ...args], {
    cwd: ROOT,
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(stderr);
  return stdout.split('\n').filter((line) => line.endsWith('.test.ts'));
};

test('every test file belongs to one level, and runs with it', () => {
  const all = listed('--level', 'all');
  expect(all.length).toBeGreaterThan(500);
  const levels = LEVELS.map((level) => listed('--level', level));
  for (const files of levels) expect(files.length).toBeGreaterThan(10);
  expect(levels.flat().toSorted()).toEqual(all.toSorted());
});

test('the browser is left to those who name it, files of its own, or all', () => {
  const browser = listed('--level', 'browser');
  const keys = join(ROOT, 'test/console/keys.test.ts');
  expect(browser).toContain(keys);
  const usual = listed();
  expect(usual.length).toBeGreaterThan(400);
  expect(usual.filter((file) => browser.includes(file))).toEqual([]);
  expect(listed('test/console/keys.test')).toEqual([keys]);
});

test('the long form is of those that have one', () => {
  const long = listed('--long');
  expect(long).toContain(join(ROOT, 'test/life/days.property.test.ts'));
  expect(long.length).toBeLessThan(20);
});

test('jest has its own arguments as they are', () => {
  expect(listed('domain/glob')).toEqual([join(ROOT, 'domain/glob.test.ts')]);
  expect(listed('--level=unit', 'domain/glob')).toEqual([join(ROOT, 'domain/glob.test.ts')]);
  expect(listed('--level', 'browser', 'domain/glob')).toEqual([]);
  expect(() => listed('--level', 'slow')).toThrow('--level is one of unit, contract, journey, browser, all');
});

test('what a file imports makes its level', () => {
  using tree = planted({
    'test/contract/box.ts': 'export function boxContract() {}\n',
    'test/contract/samples.ts': 'export const NOON = 1;\n',
    'infra/box.test.ts': "import { boxContract } from '#test/contract/box.ts';\n",
    'infra/lid.test.ts': "import { NOON } from '#test/contract/samples.ts';\n",
    'test/journeys/box.test.ts': "import { boxContract } from '#test/contract/box.ts';\n",
    'test/console/box.test.ts': "import { openConsole } from './kit/open-console.ts';\n",
    'test/console/keys.test.ts': "import { KEYS } from '#console/keys.ts';\n",
  });
  const levels = globSync('**/*.test.ts', { cwd: tree.path }).map((file) => [file, levelOf(tree.path, file)]);
  expect(Object.fromEntries(levels)).toEqual({
    'infra/box.test.ts': 'contract',
    'infra/lid.test.ts': 'unit',
    'test/journeys/box.test.ts': 'journey',
    'test/console/box.test.ts': 'browser',
    'test/console/keys.test.ts': 'unit',
  });
});

const files = {
  'domain/a.ts': '',
  'domain/a.test.ts': "import { a } from './a.ts';\n",
  'domain/b.ts': "import { a } from '#domain/a.ts';\n",
  'domain/b.test.ts': "import { b } from './b.ts';\n",
  'domain/c.test.ts': '',
  'features/hooks/rule.ts': '',
  'features/hooks/rule.test.ts': "import { rule } from './rule.ts';\n",
  'features/features.ts': "import { rule } from './hooks/rule.ts';\nimport { a } from '#domain/a.ts';\n",
  'app.ts': "import { features } from '#features/features.ts';\n",
  'console/page.tsx': '',
  'infra/worker.ts': "import { b } from '#domain/b.ts';\n",
  'infra/start.ts': "new Worker(new URL('./worker.ts', import.meta.url));\n",
  'infra/start.test.ts': "import { start } from './start.ts';\n",
  'test/conventions/import-layers.test.ts': '',
  'test/journeys/hook-delivery.test.ts': "import { app } from '#app';\n",
  'test/journeys/groups.test.ts': "import { app } from '#app';\n",
  'test/journeys/groups.yaml': '',
  'test/console/page.test.ts': "import { openConsole } from './kit/open-console.ts';\n",
};
const JOURNEYS = ['test/journeys/groups.test.ts', 'test/journeys/hook-delivery.test.ts'];

test.each<[string, string[], string[]]>([
  ['a part of the core', ['domain/b.ts'], ['domain/b.test.ts', 'infra/start.test.ts']],
  [
    'what everything needs',
    ['domain/a.ts'],
    ['domain/a.test.ts', 'domain/b.test.ts', 'infra/start.test.ts', ...JOURNEYS],
  ],
  ['a part of a feature', ['features/hooks/rule.ts'], ['features/hooks/rule.test.ts', JOURNEYS[1] as string]],
  ['a test', ['domain/c.test.ts'], ['domain/c.test.ts']],
  ['a page', ['console/page.tsx'], ['test/console/page.test.ts']],
  ['data', ['test/journeys/groups.yaml'], JOURNEYS],
  ['a document', ['README.md'], []],
])('a difference in %s chooses what it can turn red', (_, changed, chosen) => {
  using tree = planted(files);
  expect([...testsOf(tree.path, changed)].toSorted()).toEqual(
    [...chosen, 'test/conventions/import-layers.test.ts'].toSorted(),
  );
});

test('no difference chooses nothing, and one in the set-up of all tests everything', () => {
  using tree = planted(files);
  expect(testsOf(tree.path, []).size).toBe(0);
  expect(testsOf(tree.path, ['package.json']).size).toBe(globSync('**/*.test.ts', { cwd: tree.path }).length);
});

test('files of the working tree and of the branch differ from the main branch', () => {
  using tree = planted({ 'a.ts': '1\n', 'b.ts': '1\n', 'c.ts': '1\n' });
  const run = (line: string): void => {
    const { status, stderr } = spawnSync('sh', ['-c', line], { cwd: tree.path, encoding: 'utf8' });
    if (status !== 0) throw new Error(stderr);
  };
  const commit = 'git -c user.name=t -c user.email=t@example.com commit -qm';
  run(
    `git init -q -b main && git add . && ${commit} one && git checkout -qb own && echo 2 >a.ts && ${commit} two a.ts`,
  );
  run('echo 2 >b.ts && echo 1 >d.ts');
  expect(changedFiles(tree.path, 'main').toSorted()).toEqual(['a.ts', 'b.ts', 'd.ts']);
});
