import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type CommandLine, commandLine } from '#test/setup/command-line.ts';
import { appOfTests } from '#test/setup/of-tests.ts';

const it = appOfTests();
let admin: string;
let line: CommandLine;
let folder: string;
beforeAll(async () => {
  admin = await it.tenant('cli-files');
  line = commandLine(it);
  folder = mkdtempSync(join(tmpdir(), 'faultline-files-'));
});
afterAll(() => rmSync(folder, { recursive: true }));
const run = (...args: readonly string[]): Promise<string> => line.run(...args, '--url', it.url, '--token', admin);
const fileOf = (name: string, content: string): string => {
  const file = join(folder, name);
  writeFileSync(file, content);
  return file;
};

const component = (name: string, dependsOn = ''): string =>
  `apiVersion: backstage.io/v1alpha1\nkind: Component\nmetadata:\n  name: ${name}\nspec:\n  type: service\n${dependsOn}`;

test('files are previewed, sent as a full set, and retire the rest', async () => {
  const shop = component('shop', '  dependsOn: [component:pay, component:gone]\n');
  const all = fileOf(
    'all.yaml',
    [shop, ...['pay', 'a', 'b'].map((name) => component(name)), 'kind: User\nmetadata: {name: ann}\n'].join('---\n'),
  );
  const dry = await run('import', 'backstage', all, '--dry-run');
  expect(dry).toMatch(/CI +│ service +│ +4 │/);
  expect(dry).toMatch(/Relationship +│ depends_on +│ +1 │/);
  expect(dry).toContain('Not imported: user (1)');
  expect(dry).toContain('Not in the files: backstage:component:default/gone (1)');
  expect(dry).toMatch(/CIs +│ +4 │/);
  const listed = async () => (await it.send('GET', '/v1/cmdb/ci', undefined, { token: admin })).body.data;
  expect(await listed()).toEqual([]);
  expect(await run('import', 'backstage', all, '--source', 'catalog')).toMatch(/CIs +│ +4 │/);
  const fewer = [fileOf('shop.yaml', shop), fileOf('pay.yaml', component('pay')), fileOf('a.yaml', component('a'))];
  expect(await run('import', 'backstage', ...fewer, '--source', 'catalog')).toMatch(/CIs +│ +0 │ +0 │ +3 │ +1 │/);
  const states = (await listed()).map(({ name, status }: { name: string; status: string }) => `${name} ${status}`);
  expect(states.sort()).toEqual(['a active', 'b inactive', 'pay active', 'shop active']);
});

test.each([
  [
    'terraform',
    'state.tfstate',
    '{\n "version": 4,\n "resources": [}',
    /state\.tfstate is not valid JSON: .*at line 3, column 16/,
  ],
  ['terraform', 'old.json', '{"version":3}', /old\.json: version: expected 4/],
  ['backstage', 'bad.yaml', 'kind: Component\nmetadata: {name: a\n', /bad\.yaml is not valid YAML: .*at line 3/],
  [
    'backstage',
    'two.yaml',
    'kind: API\nmetadata: {name: a}\n---\nmetadata: {name: b}\n',
    /two\.yaml:4: kind: expected/,
  ],
  ['consul', 'none.json', '[]', /The files have no CIs/],
])('%s: a wrong file is refused with its place: %s', async (kind, name, content, message) => {
  await expect(run('import', kind, fileOf(name, content))).rejects.toThrow(message);
  await expect(run('import', kind, join(folder, 'missing'))).rejects.toThrow("missing can't be read");
});

test('imports of other files are as before', async () => {
  const file = fileOf('cis.csv', 'name,type\nx,server\n');
  expect(await run('import', 'ci', file, '--dry-run')).toMatch(/created +│ +1 │/);
});
