import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type CommandLine, commandLine } from '#test/setup/command-line.ts';
import { type HookReceiver, openHookReceiver } from '#test/setup/hook-receiver.ts';
import { openTestApp, type TestApp } from '#test/setup/test-app.ts';

let it: TestApp;
let receiver: HookReceiver;
let admin: string;
let line: CommandLine;
beforeAll(async () => {
  receiver = await openHookReceiver();
  it = await openTestApp({ FAULTLINE_OUTBOUND_ALLOW: '127.0.0.0/8' });
  admin = await it.tenant('cli-webhooks');
  line = commandLine(it);
});
afterAll(async () => {
  await it.stop();
  await receiver.stop();
});

const run = (...args: readonly string[]): Promise<string> =>
  line.run('webhook', ...args, '--url', it.url, '--token', admin);

test('a webhook from its first day to its last', async () => {
  expect(await run('list')).toBe('No webhooks.');
  const given = ['--name', 'Chat', '--to', receiver.url, '--event', 'ci.created', '--event', 'ci.deleted'];
  const added = await run('add', ...given, '--header', 'X-Team: storage', '--min-severity', 'major');
  expect(added).toMatch(/Webhook "Chat" \(WHK-\w{26}\)\. Secret \(shown once\):\n\n {2}whsec_\w{44}\n/);
  const id = /WHK-\w+/.exec(added)![0];
  expect(await run('list')).toMatch(
    new RegExp(`${id} │ Chat │ ${receiver.url} │ ci.created, ci.deleted │ standard │ on`),
  );

  expect(await run('test', id)).toMatch(/^Delivered: status 200 in \d+ ms \(DLV-\w+\)\.$/);
  expect(receiver.received[0]).toMatchObject({ headers: { 'x-team': 'storage' }, body: { event: 'webhook.test' } });
  const deliveries = await run('deliveries', id, '--status', 'delivered');
  expect(deliveries).toMatch(/webhook\.test │ Chat +│ delivered │ 1 +│ status 200 in/);
  const delivery = /DLV-\w+/.exec(deliveries)![0];
  expect(await run('redeliver', id, '--delivery', delivery)).toBe('1 delivery queued.');
  expect(await run('redeliver', id)).toBe('0 deliveries queued.');
  await expect(run('redeliver', id, '--delivery', delivery, '--from', '0')).rejects.toThrow('pass --delivery');

  expect(await run('rotate', id, '--grace', '1h')).toMatch(/whsec_\w{44}[\s\S]*The previous secret is valid until/);
  expect(await run('resume', id)).toMatch(/; \d+ deliveries pending\.$/);
  expect(await run('remove', id)).toBe(`Deleted webhook ${id}.`);
  await expect(run('test', id)).rejects.toThrow('not found');
});

test('a header without a value is refused before it is sent', async () => {
  const given = ['--name', 'x', '--to', 'https://hooks.invalid', '--event', '*'];
  await expect(run('add', ...given, '--header', 'Bearer')).rejects.toThrow("such as 'X-Team: storage'");
});

test('a test that does not arrive fails and says why; a webhook that rests is listed as such', async () => {
  const given = ['--name', 'Down', '--to', receiver.url, '--event', 'ci.created'];
  const id = /WHK-\w+/.exec(await run('add', ...given))![0];
  receiver.always(503);
  for (let tests = 0; tests < 5; tests += 1)
    await expect(run('test', id)).rejects.toThrow(
      /^Not delivered: status 503: thanks in \d+ ms, again at .* \(DLV-\w+\)\.$/,
    );
  expect(await run('list')).toMatch(new RegExp(`${id} │ Down .*│ paused until 2026-11-20 10:01`));
  await expect(run('test', id, '--json')).rejects.toThrow(/paused until 2026-11-20 10:01.*webhook resume WHK-/);
  expect(JSON.parse(line.printed.join('\n')).data).toMatchObject({ status: 'waiting', attempts: [] });
  receiver.always(200);
  await run('resume', id);
  expect(await run('test', id)).toMatch(/^Delivered/);
}, 30_000);
