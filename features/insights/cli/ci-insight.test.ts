import { beforeAll, expect, test } from '@jest/globals';
import { commandLine } from '#test/setup/command-line.ts';
import { appOfTests, tenantOfTests } from '#test/setup/of-tests.ts';

const it = appOfTests();
const own = tenantOfTests(it, 'all', 'cli-ci');
const line = commandLine(it);
const { run } = line.as(own);
let id: string;
beforeAll(async () => {
  const made = await own.send('POST', '/v1/cmdb/ci', { name: 'db-1', type: 'database' });
  id = made.body.id;
});

test('ci insight tells what matters', async () => {
  expect(await run('ci', 'insight', id)).toMatch(/db-1: database, active\.[\s\S]*\(rules, /);
  expect((await run('ci', 'insight', id)).split('\n')).toEqual([
    'db-1: database, active. [C1]',
    'No known impact on other CIs. [C1]',
    'No open events. [C1]',
    "No relationships, so its events can't be correlated by topology. [C1]",
    expect.stringMatching(/^\(rules, /),
    `from: C1 ci "db-1" /v1/cmdb/ci/${id}`,
  ]);
  expect(JSON.parse(await run('ci', 'insight', id, '--json'))).toMatchObject({ ciId: id });
  await expect(run('ci', 'insight', 'nobody')).rejects.toThrow('no CI with ID or name nobody');
});

test('a CI is named by its id or by its name; of one name several are told apart by id', async () => {
  for (const name of ['DB-1', ' db-1 ']) expect(await run('ci', 'insight', name)).toContain('db-1: database');
  const twins = [];
  for (const type of ['server', 'switch'])
    twins.push((await own.send('POST', '/v1/cmdb/ci', { name: 'twin', type })).body.id);
  await own.send('POST', '/v1/cmdb/ci', { name: 'twin-3', type: 'server' });
  const refused = run('ci', 'insight', 'twin');
  for (const [i, type] of ['server', 'switch'].entries())
    await expect(refused).rejects.toThrow(`${twins[i]} (${type})`);
  await expect(refused).rejects.toThrow('2 CIs are named twin');
  await expect(run('ci', 'insight', 'twi')).rejects.toThrow('no CI with ID or name twi');
  await expect(run('ci', 'insight', ' ')).rejects.toThrow('expected the ID or name');
  expect(await run('ci', 'insight', twins[1])).toContain('twin: switch');
});
