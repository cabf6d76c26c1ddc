import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { commandLine } from '#test/setup/command-line.ts';
import { appOfTests, tenantOfTests } from '#test/setup/of-tests.ts';

const it = appOfTests();
const own = tenantOfTests(it, 'all', 'cli-silences');
const line = commandLine(it);

const run = (...args: readonly string[]): Promise<string> =>
  line.run('silence', ...args, '--url', it.url, '--token', own.token);
const ingest = (hostname: string) => {
  const event = { source: 's', sourceId: hostname, severity: 'warning', title: 'Fan slow', hostname };
  return own.send('POST', '/api/events/ingest', event);
};

test('add, list and end', async () => {
  await ingest('fra1-a');
  expect(await run('add', '--host', 'fra1-*', '--preview')).toBe('Would match 1 event from the last 24h.');
  const wanted = ['--host', 'fra1-*', '--severity', 'warning,info', '--reason', 'new racks'];
  const made = await run('add', ...wanted, '--for', '2h');
  expect(made).toMatch(
    /^Silence SIL-\w{26} \(active\) for severity=warning,info host=fra1-\*: 2026-11-20 10:00:00 to 2026-11-20 12:00:00 UTC\.$/,
  );
  const id = /SIL-\w+/.exec(made)![0];
  await ingest('fra1-b');
  const planned = ['--title', 'fan', '--from', '2026-11-21T10:00:00Z', '--reason', 'later', '--json'];
  const later = JSON.parse(await run('add', ...planned, '--for', '1d')).silence;
  expect(later).toMatchObject({ state: 'planned', endsAt: '2026-11-22T10:00:00.000Z' });
  const list = await run('list');
  expect(list).toMatch(new RegExp(`${id} │ active +│ severity=warning,info +│ 11-20 10:00 .* 1 │`));
  expect(list).toContain('2 of 2 silences');
  expect(await run('list', '--state', 'planned', '--limit', '1')).toContain(later.id);
  expect(await run('end', id)).toBe(`Silence ${id} ended 2026-11-20 10:00:00 UTC; suppressed 1 event.`);
  expect(JSON.parse(await run('list', '--state', 'active', '--json')).silences).toEqual([]);
});

test('labels, windows, and mute times of a file', async () => {
  const labels = ['--label', 'team!=web', '--label', 'alertname=~"Disk.*"'];
  const window = ['--window', '22:00-06:00', '--days', 'fri,sat', '--zone', 'Europe/Berlin'];
  const made = await run('add', ...labels, ...window, '--for', '30d', '--reason', 'backups', '--json');
  expect(JSON.parse(made).silence).toMatchObject({
    matcher: {
      labels: [
        { name: 'team', op: '!=', value: 'web' },
        { name: 'alertname', op: '=~', value: 'Disk.*' },
      ],
    },
    recurrence: { weekdays: ['fri', 'sat'], from: '22:00', to: '06:00', zone: 'Europe/Berlin' },
  });
  const file = join(mkdtempSync(join(tmpdir(), 'silences-')), 'alertmanager.yml');
  writeFileSync(
    file,
    `route: { routes: [{ matchers: ['team="db"'], mute_time_intervals: [nights, gone] }] }
time_intervals: [{ name: nights, time_intervals: [{ times: [{ start_time: '22:00', end_time: '24:00' }] }] }]
`,
  );
  expect(await run('import', file, '--dry-run')).toBe('Would create 1 silence\nSkipped gone: no such time interval');
  expect(await run('import', file)).toMatch(/^Silence SIL-\w{26} \(planned\) for team="db": .*\nSkipped gone/);
  await expect(run('add', ...labels, '--days', 'fri', '--for', '1d', '--reason', 'x')).rejects.toThrow('--window');
  await expect(run('add', ...labels, '--window', '22-6', '--for', '1d', '--reason', 'x')).rejects.toThrow(
    'HH:MM-HH:MM',
  );
  await expect(run('add', '--label', 'team', '--for', '1d', '--reason', 'x')).rejects.toThrow('--label');
});

test('says what is missing', async () => {
  await expect(run('add', '--for', '2h', '--reason', 'x')).rejects.toThrow('pass a matcher');
  await expect(run('add', '--tag', 'a', '--reason', 'x')).rejects.toThrow('--for or --until');
  await expect(run('add', '--tag', 'a', '--for', '2h')).rejects.toThrow('--reason');
  await expect(run('add', '--tag', 'a', '--for', 'long', '--reason', 'x')).rejects.toThrow('such as 30m');
  await expect(run('end', 'SIL-nothing')).rejects.toThrow('not found');
});
