import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { type CommandLine, commandLine } from '#test/setup/command-line.ts';
import { appOfTests } from '#test/setup/of-tests.ts';

const it = appOfTests();
let token: string;
let folder: string;
let tenants = 0;
let line: CommandLine;
let printed: string[];
const run = (...args: readonly string[]): Promise<string> => line.run(...args);
const here = () => ['--url', it.url, '--token', token];
const runJson = async (...args: readonly string[]) => JSON.parse(await run(...args, ...here(), '--json'));

beforeAll(async () => {
  line = commandLine(it);
  printed = line.printed;
  folder = mkdtempSync(join(tmpdir(), 'faultline-cli-'));
});
beforeEach(async () => {
  token = await it.tenant(`cli-files-${++tenants}`);
});
afterAll(() => rmSync(folder, { recursive: true }));

const payloadFile = (source: string, name: string, body: unknown): string => {
  mkdirSync(join(folder, source), { recursive: true });
  const file = join(folder, source, name);
  writeFileSync(file, typeof body === 'string' ? body : JSON.stringify(body));
  return file;
};
describe('import and export', () => {
  const HOSTS = 'name,type,description\nweb-1,server,"two\nlines"\ndb-1,database,\n';

  test('a dry run, the import, and the file as it comes back', async () => {
    const file = payloadFile('files', 'hosts.csv', HOSTS);
    const dry = await run('import', 'ci', file, '--dry-run', ...here());
    expect(dry).toMatch(/action[\s\S]*created\s*│\s*2/);
    const bytes = statSync(file).size;
    expect(dry).toContain(`checked (bytes): ${bytes} of ${bytes}`);
    expect(await runJson('import', 'ci', file)).toMatchObject({ total: 2, created: 2, failed: 0 });
    const out = join(folder, 'out.jsonl');
    expect(await run('export', 'ci', '--output', out, ...here())).toContain(out);
    expect(readFileSync(out, 'utf8')).toMatch(/^\{"id":/);
    expect(await runJson('import', 'ci', out)).toMatchObject({ total: 2, unchanged: 2 });
    await run('export', 'ci', '--output', out, '--format', 'csv', ...here());
    expect(readFileSync(out, 'utf8')).toMatch(/^id,/);
    await expect(run('export', 'ci', '--output', join(folder, 'out.txt'), ...here())).rejects.toThrow('--format');
  });

  test('a dry run shows what each row would change', async () => {
    await run(
      'import',
      'ci',
      payloadFile('files', 'before.csv', 'name,type,description\nshown-1,server,one\n'),
      ...here(),
    );
    const after = payloadFile('files', 'after.csv', 'name,type,description\nshown-1,server,two\nshown-2,Servr,\n');
    const dry = await run('import', 'ci', after, '--dry-run', ...here());
    expect(dry).toMatch(/1 │ updated\s*│ description: "one" → "two"/);
    expect(dry).toMatch(/2 │ created/);
    expect(dry).toContain('Warning: row 2: unknown type Servr accepted; did you mean server?');
  });

  test('machines that nmap and Ansible have found become CIs', async () => {
    const samples = new URL('../../discovery/cli/scans/samples/', import.meta.url).pathname;
    const dry = await run('import', 'nmap', join(samples, 'nmap.xml'), '--dry-run', ...here());
    expect(dry).toMatch(/2 hosts would be sent[\s\S]*web-1\.example\.net[\s\S]*22 443/);
    expect(await run('import', 'nmap', join(samples, 'nmap.xml'), ...here())).toMatch(/created\s*│\s*2/);
    const again = await runJson('import', 'nmap', join(samples, 'nmap.xml'), '--scanner', 'rack-1');
    expect(again.scans).toMatchObject([{ status: 'completed', created: 0, failed: 0 }]);
    expect(await runJson('import', 'ansible', join(samples, 'ansible-setup.json'))).toMatchObject({
      hosts: 1,
      scans: [{ created: 1, scanner_id: 'ansible' }],
    });
    await expect(run('import', 'nmap', join(samples, 'ansible-setup.json'), ...here())).rejects.toThrow(
      'not valid XML',
    );
    const empty = payloadFile('files', 'empty.csv', 'name,type\n');
    await expect(run('import', 'ci', empty, ...here())).rejects.toThrow('has no rows');
  });

  test('two CIs are merged', async () => {
    const file = payloadFile('files', 'twins.csv', 'name,type\ntwin-a,server\ntwin-b,server\n');
    const { rows } = await runJson('import', 'ci', file);
    const [into, from] = rows.map(({ id }: { id: string }) => id);
    expect(await run('ci', 'merge', into, from, '--reason', 'one machine', ...here())).toContain(
      `twin-b (${from}) was merged into twin-a`,
    );
    await expect(run('ci', 'merge', into, from, ...here())).rejects.toThrow('409');
  });

  test('an export that fails leaves the file of the last one', async () => {
    const out = payloadFile('files', 'last.csv', 'the last good one');
    const nobody = ['--url', it.url, '--token', 'not-a-token'];
    await expect(run('export', 'ci', '--output', out, ...nobody)).rejects.toThrow('401');
    expect(readFileSync(out, 'utf8')).toBe('the last good one');
    expect(existsSync(`${out}.part`)).toBe(false);
    await run('export', 'ci', '--output', out, ...here());
    expect(readFileSync(out, 'utf8')).toMatch(/^id,/);
    expect(existsSync(`${out}.part`)).toBe(false);
  });

  test('rows that fail are shown with their number, and the command fails', async () => {
    const file = payloadFile('files', 'ends.csv', 'type,source_ci,target_ci\nuses,a,b\n');
    await expect(run('import', 'relationships', file, ...here())).rejects.toThrow('1 of 1 rows failed');
    expect(printed.join('\n')).toMatch(/1 │ source_ci: no CI with ID/);
  });

  test.each([
    ['a file that is not there', 'nowhere.csv', "can't be read"],
    ['a name that says no format', 'hosts.xls', '--format'],
  ])('%s', async (_name, file, message) => {
    await expect(run('import', 'ci', join(folder, file), ...here())).rejects.toThrow(message);
  });
});
