import { beforeEach, describe, expect, test } from '@jest/globals';
import type { CliEnvironment } from '#cli/terminal/environment.ts';
import { pipeline } from '#processors/pipeline.ts';
import { appOfTests } from '#test/setup/of-tests.ts';
import { START, TOKEN } from '#test/setup/test-app.ts';
import { until } from '#test/setup/until.ts';
import { sinks } from '#whole';
import { programFor } from '../program.ts';

const it = appOfTests();
let tenant: string;
let token: string;
let tenants = 0;
const printed: string[] = [];
const environment: CliEnvironment = {
  screen: { print: (text) => printed.push(text), isTerminal: false },
  timeAt: async () => START,
  serve: async () => undefined,
  rebuildGroups: async () => 0,
  backUp: async () => ({ bytes: 2_097_152, events: 1_234 }),
  restore: async () => ({ bytes: 2_097_152, events: 1_234 }),
  openOwnServer: async () => ({ url: it.url, token: TOKEN, stop: async () => undefined }),
  stayUntilStopped: () => undefined,
};

const run = async (...args: readonly string[]): Promise<string> => {
  printed.length = 0;
  const here = ['--url', it.url, '--token', token];
  await programFor(environment, '1.2.3').parseAsync(['node', 'faultline', ...args, ...here]);
  return printed.join('\n');
};

const id = (n: number): string => String(n).padStart(26, '0');
const record = { ask: { kind: 'expired', eventId: 'none' }, receivedAt: START };
const letter = (n: number, reason: string, content: object = { kind: 'json', record }) =>
  it.app.ports.records.put(tenant, 'dead-letter', id(n), {
    id: id(n),
    topic: 'events.incoming',
    partition: 0,
    offset: n,
    position: n,
    processor: 'dedup',
    attempts: 1,
    reason,
    at: START,
    content,
    settled: null,
  });

beforeEach(async () => {
  tenant = `cli-ops-${++tenants}`;
  token = await it.tenant(tenant);
});

test('pipeline shows every processor, and what waits', async () => {
  expect(await run('pipeline')).toMatch(/dedup +│ events\.incoming +│ running +│ +1 │ +0 │[\s\S]*No dead letters\./);
  await letter(1, 'bad');
  expect(await run('pipeline')).toContain('1 dead letters queued.');
  expect(JSON.parse(await run('pipeline', '--json')).data.processors).toHaveLength(
    pipeline.length + sinks.filter(({ isForEngines }) => !isForEngines).length,
  );
});

test('pipeline pause and resume say what became of a sink', async () => {
  token = TOKEN;
  const { name } = sinks[0]!;
  expect(await run('pipeline', 'pause', name)).toBe(`${name} is paused since 2026-11-20 10:00:00 by bootstrap.`);
  expect(await run('pipeline')).toMatch(new RegExp(`${name} .* paused .* paused since 2026-11-20 10:00:00`));
  expect(await run('pipeline', 'resume', name)).toBe(`Resumed ${name}.`);
  await expect(run('pipeline', 'pause', 'merge')).rejects.toThrow('only sinks can be paused');
});

test('pipeline shows the jobs of the process', async () => {
  const shown = async () => (await run('pipeline')).split('\n');
  await until(async () =>
    (await shown()).some((line) => /watch-tokens +│ +1h │ done +│ 2026-11-20 10:00:00 │ +\d+ms/.test(line)),
  );
  expect(await shown()).toContainEqual(
    expect.stringMatching(/delete-events +│ +1h │ – +│ – +│ +– │ 2026-11-20 10:00:\d\d/),
  );
});

describe('dead-letters', () => {
  test('are listed newest first, filtered, and shown with their record', async () => {
    expect(await run('dead-letters')).toBe('No dead letters.');
    await letter(1, 'cannot read it');
    await letter(2, 'too long');
    const all = await run('dead-letters', 'list', '--limit', '1');
    expect(all).toContain(`${id(2)} │ dedup`);
    expect(all).toContain(`1 of 2 dead letters; next page: --cursor ${id(2)}`);
    expect(await run('dead-letters', 'list', '--reason', 'CANNOT')).toContain('1 of 1 dead letters');
    expect(await run('dead-letters', 'show', id(1))).toMatch(
      /partition 0, offset 1:\n {2}cannot read it[\s\S]*"expired"/,
    );
    expect(JSON.parse(await run('dead-letters', 'show', id(1), '--json')).data.id).toBe(id(1));
  });

  test('are replayed and discarded by id or by filter, never by neither', async () => {
    await letter(1, 'one');
    await letter(2, 'two');
    await letter(3, 'two', { kind: 'avro', base64: 'AAAA' });
    await expect(run('dead-letters', 'replay')).rejects.toThrow('pass IDs');
    expect(await run('dead-letters', 'replay', id(1))).toBe('1 dead letters replayed.');
    await expect(run('dead-letters', 'replay', '--reason', 'two')).rejects.toThrow('1 dead letters were not replayed');
    expect(printed.join('\n')).toMatch(/^1 dead letters replayed\.\n1 failed:\n {2}0+3: Written in distributed/);
    await expect(run('dead-letters', 'discard', id(1), id(3))).rejects.toThrow('1 dead letters were not discarded');
    expect(printed.join('\n')).toContain('1 dead letters discarded.');
    expect(await run('dead-letters', 'list', '--state', 'all')).toMatch(
      /discarded: discarded[\s\S]*replayed: [\s\S]*replayed: /,
    );
  });
});
