import { expect, test } from '@jest/globals';
import { commandLine } from '#test/setup/command-line.ts';
import { appOfTests } from '#test/setup/of-tests.ts';
import { until } from '#test/setup/until.ts';

const app = appOfTests();
const line = commandLine(app);

test('who takes a group, and silences that hold, are told as they change', async () => {
  const own = await app.tenant('watched-silences');
  const send = (method: string, path: string, body?: unknown) => app.send(method, path, body, { token: own });
  const events = ['db-7', 'db-8'].map((hostname) => ({
    sourceId: hostname,
    hostname,
    severity: 'major',
    title: 'Down',
  }));
  await send('POST', '/api/events/bulk-ingest', { source: 'test', events });
  await send('POST', '/v1/teams', { name: 'Night', members: [] });
  const lines = (): string[] => line.printed;
  const prints = (start: RegExp) => until(async () => lines().some((one) => start.test(one)));
  const watching = line.run('watch', '--url', app.url, '--token', own, '--updates', '6');
  await prints(/^new {5}COR-/);
  const [{ correlationId: id }] = (await send('GET', '/api/events/groups')).body.groups;
  await send('PUT', `/api/events/groups/${id}/assignee`, { team_id: 'Night' });
  await prints(/^changed COR-.*\(assigned to team Night\)$/);
  const endsAt = new Date(app.clock.now() + 3_600_000).toISOString();
  const silence = { matcher: { host: 'db-*' }, endsAt, reason: 'new disks' };
  const made = (await send('POST', '/api/events/silences', silence)).body.silence.id;
  await prints(/^new {5}SIL-\w+ {2}silences host=db-\* until 2026-11-20 11:00:00 UTC: new disks \(/);
  await send('DELETE', `/api/events/silences/${made}`);
  await prints(new RegExp(`^gone {4}${made}`));
  const over = watching.then(() => true);
  // Each note has it look once more.
  while (!(await Promise.race([over, new Promise((resolve) => setTimeout(resolve, 1_000))])))
    await send('POST', `/api/events/groups/${id}/notes`, { text: 'on it' });
  expect(lines().filter((one) => !/ (COR|SIL)-/.test(one))).toEqual([]);
}, 20_000);
