import { expect, test } from '@jest/globals';
import { commandLine } from '#test/setup/command-line.ts';
import { appOfTests } from '#test/setup/of-tests.ts';

const it = appOfTests();
const line = commandLine(it);

test('invite prints the link where no email is sent; resend replaces it', async () => {
  const admin = await it.tenant('cli-users');
  const run = (...args: readonly string[]): Promise<string> => line.run(...args, '--url', it.url, '--token', admin);
  const invited = await run('user', 'invite', 'ann@example.com', '--role', 'viewer', '--name', 'Ann');
  expect(invited).toMatch(
    /Invited ann@example\.com \(\w{26}\) with the role viewer, valid until .+\n\n {2}http:\/\/127\.0\.0\.1:\d+\/ui\/password#link=\w{40}/,
  );
  const list = await run('users');
  expect(list).toMatch(/ann@example\.com +│ Ann +│ ann@example\.com +│ viewer +│ invited/);
  const id = /\((\w{26})\)/.exec(invited)?.[1] ?? '';
  expect(await run('user', 'resend', id)).toContain(`${it.url}/ui/password#link=`);
  await expect(run('user', 'invite', 'ann')).rejects.toThrow('email');
});
