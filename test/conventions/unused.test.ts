import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { planted, ROOT, toolOutput } from './planted.ts';

const KINDS = ['files', 'exports', 'types', 'dependencies', 'devDependencies'] as const;

/** Issues of one file; absent: not checked. */
interface Issues extends Partial<Record<(typeof KINDS)[number], readonly { readonly name: string }[]>> {
  readonly file: string;
}

const manifest = JSON.stringify({
  name: 'planted',
  type: 'module',
  imports: { '#domain/*': './domain/*' },
  dependencies: { used: '1.0.0', unused: '1.0.0', 'for-tests': '1.0.0' },
  devDependencies: { 'unused-tool': '1.0.0', vite: '1.0.0' },
});

const packages = Object.fromEntries(
  ['used', 'unused', 'for-tests', 'unused-tool', 'vite'].flatMap((name) => [
    [`node_modules/${name}/package.json`, JSON.stringify({ name, version: '1.0.0', main: 'main.js' })],
    [`node_modules/${name}/main.js`, 'module.exports = {};\n'],
  ]),
);

const files = {
  'package.json': manifest,
  ...packages,
  'jest.config.js': "export default { testMatch: ['**/*.test.ts'] };\n",
  'main.ts': `import used from 'used';
import { limited } from '#domain/limit.ts';
const thread = new URL('./infra/one/one-thread.ts', import.meta.url);
console.log(used, limited(9), thread);
`,
  'infra/one/one-thread.ts': 'console.log(1);\n',
  // LIMIT is read by a test; its own file uses it.
  'domain/limit.ts': `export const LIMIT = 5;
export const limited = (n: number): number => Math.min(n, LIMIT);
export const nobody = 1;
export const inside = 2;
export type Nothing = typeof inside;
export const forTests = 3;
`,
  'domain/limit.test.ts': `import all from 'for-tests';
import { forTests, LIMIT } from './limit.ts';
import { lonely } from './lonely.ts';
console.log(all, forTests, LIMIT, lonely);
`,
  'domain/lonely.ts': 'export const lonely = 1;\n',
  'domain/forgotten.ts': 'export const forgotten = 1;\n',
  'console/vite.config.ts': "import 'vite';\nexport default { root: 'console' };\n",
  'console/index.html': '<script type="module" src="./main.tsx"></script>\n',
  'console/main.tsx': "import { page } from './page.tsx';\nconsole.log(<p>{page}</p>);\n",
  'console/page.tsx': 'export const page = <p />;\nexport const noPage = <p />;\n',
  'console/forgotten.tsx': 'export const forgotten = <p />;\n',
  'test/setup/kit.ts': 'export const kit = 1;\n',
};

/** Returns findings in the planted tree, as kind, file, name. */
const foundBy = (...options: readonly string[]): readonly string[] => {
  using tree = planted(files);
  const args = ['--config', join(ROOT, 'knip.config.js'), '--reporter', 'json', ...options];
  const { issues } = JSON.parse(toolOutput('knip', 'bin/knip.js', args, tree.path)) as { issues: readonly Issues[] };
  const named = (issue: Issues) =>
    KINDS.flatMap((kind) => (issue[kind] ?? []).map(({ name }) => `${kind} ${issue.file} ${name}`));
  return issues.flatMap(named).sort();
};

test('what nobody imports is found, and nothing else', () => {
  expect(foundBy()).toEqual([
    'dependencies package.json unused',
    'devDependencies package.json unused-tool',
    'exports console/page.tsx noPage',
    'exports domain/limit.ts inside',
    'exports domain/limit.ts nobody',
    'files console/forgotten.tsx console/forgotten.tsx',
    'files domain/forgotten.ts domain/forgotten.ts',
    'files test/setup/kit.ts test/setup/kit.ts',
    'types domain/limit.ts Nothing',
  ]);
});

test('in the product, what only tests or nobody imports is found, and nothing else', () => {
  expect(foundBy('--production')).toEqual([
    'dependencies package.json for-tests',
    'dependencies package.json unused',
    'exports console/page.tsx noPage',
    'exports domain/limit.ts forTests',
    'exports domain/limit.ts nobody',
    'files console/forgotten.tsx console/forgotten.tsx',
    'files domain/forgotten.ts domain/forgotten.ts',
    'files domain/lonely.ts domain/lonely.ts',
    'types domain/limit.ts Nothing',
  ]);
});
