import { spawn } from 'node:child_process';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { start } from '#app';
import { readConfig } from '#infra/config.ts';
import { temporaryDirectory } from '#test/setup/directory.ts';
import { setClock } from '#test/setup/set-clock.ts';
import { openTestApp } from '#test/setup/test-app.ts';

let directory: ReturnType<typeof temporaryDirectory>;
beforeEach(() => {
  directory = temporaryDirectory();
});
afterEach(() => directory.remove());

const login = (url: string, password: string | undefined) =>
  fetch(`${url}/api/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username: 'admin', password }),
  });

test('a password is generated and told by the start that has its port, not by one whose port is taken', async () => {
  const other = createServer();
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
  const environment = { FAULTLINE_DATA: directory.path, FAULTLINE_LOG_LEVEL: 'silent' };
  const { port } = other.address() as AddressInfo;
  const told: string[] = [];
  const tellPassword = (password: string) => void told.push(password);
  const failing = start(readConfig({ ...environment, PORT: String(port) }), { tellPassword });
  await expect(failing).rejects.toMatchObject({ code: 'EADDRINUSE' });
  expect(told).toEqual([]);
  other.close();

  const app = await start(readConfig({ ...environment, PORT: '0' }), { tellPassword });
  expect([told.length, (await login(app.url, told[0])).status]).toEqual([1, 200]);
  await app.stop();
});

interface SignedIn {
  readonly data?: { readonly user: { readonly username: string } };
}

test('the link of the first start signs in once, within 10 minutes, from this machine and through no proxy', async () => {
  const clock = setClock(Date.parse('2026-11-20T10:00:00Z'));
  const linkOf = async () => {
    const links: (string | null)[] = [];
    const tellPassword = (_: string, link: string | null) => void links.push(link);
    const config = readConfig({ FAULTLINE_DATA: ':memory:', FAULTLINE_LOG_LEVEL: 'silent', PORT: '0' });
    const app = await start(config, { tellPassword, clock });
    expect(links[0]).toMatch(new RegExp(`^${app.url}/ui/start#code=[0-9A-Za-z]{40}$`));
    const code = links[0]!.slice(links[0]!.indexOf('=') + 1);
    const use = async (body: object = { code }, more: Readonly<Record<string, string>> = {}) => {
      const headers = { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin', ...more };
      const reply = await fetch(`${app.url}/api/auth/console`, { method: 'POST', headers, body: JSON.stringify(body) });
      return [
        reply.status,
        reply.headers.getSetCookie().length,
        ((await reply.json()) as SignedIn).data?.user.username,
      ];
    };
    return { app, use };
  };
  const signedIn = [200, 1, 'admin'];
  const refused = [401, 0, undefined];

  const first = await linkOf();
  expect(await first.use({ code: 'x'.repeat(40) })).toEqual(refused);
  expect(await first.use(undefined, { 'x-forwarded-for': '192.0.2.1' })).toEqual(refused);
  clock.advance(10 * 60_000 - 1);
  const both = await Promise.all([first.use(), first.use()]);
  expect(both.sort()).toEqual([signedIn, refused]);
  expect(await first.use()).toEqual(refused);
  await first.app.stop();

  const late = await linkOf();
  clock.advance(10 * 60_000);
  expect(await late.use()).toEqual(refused);
  await late.app.stop();
});

/** The server as a process of its own, until it is ready or has ended. */
const run = (env: Readonly<Record<string, string>>) => {
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', 'main.ts'], { env });
  const said = { out: '', err: '' };
  const exited = new Promise<number | null>((resolve) => child.once('exit', resolve));
  child.stdout.on('data', (chunk: Buffer) => (said.out += chunk.toString()));
  const url = new Promise<string>((resolve) => {
    child.stderr.on('data', (chunk: Buffer) => {
      said.err += chunk.toString();
      const found = /^Faultline is ready at (http\S+)/m.exec(said.err)?.[1];
      if (found) resolve(found);
    });
  });
  return { child, said, url, exited };
};

test('the log on standard output is JSON and has no password, which standard error has for people', async () => {
  const { child, said, url, exited } = run({ PORT: '0', FAULTLINE_DATA: directory.path });
  const at = await url;
  const password = /with the password (\S+) /.exec(said.err)?.[1];
  expect((await login(at, password)).status).toBe(200);
  child.kill('SIGTERM');
  expect(await exited).toBe(0);
  const lines = said.out
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  const messages = lines.map(({ msg }: { msg: string }) => msg);
  expect(messages).toEqual(expect.arrayContaining([expect.stringContaining('admin'), 'ready', 'stopping', 'stopped']));
  expect(lines.find(({ msg }) => msg === 'ready')).toMatchObject({ url: at });
  expect(said.out).not.toContain(password);
  expect(said.err).toContain('Faultline has stopped');
});

test('a signal during the start ends it at once', async () => {
  const signalledWhenHeard =
    "process.on('newListener', (name) => name === 'SIGTERM' && setImmediate(() => process.kill(process.pid, name)))";
  const { said, exited } = run({
    PORT: '0',
    FAULTLINE_DATA: directory.path,
    NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(signalledWhenHeard)}`,
  });
  expect(await exited).toBe(0);
  expect(said.err).toBe('');
});

test('a data directory that cannot be made is one clear line', async () => {
  const { said, exited } = run({ PORT: '0', FAULTLINE_DATA: '/proc/nope' });
  expect(await exited).toBe(1);
  expect(said.err).toMatch(/^The data directory \/proc\/nope can't be made \(ENOENT\).*FAULTLINE_DATA.*\n$/);
});

test('until a stop has waited its delay, requests are answered and only /readyz is red', async () => {
  const it = await openTestApp({ FAULTLINE_STOP_DELAY: '1' });
  const stopped = it.stop();
  const statuses = await Promise.all(['/readyz', '/livez', '/api/events'].map((path) => it.send('GET', path)));
  expect(statuses.map(({ status }) => status)).toEqual([503, 200, 200]);
  await stopped;
  await expect(fetch(`${it.url}/livez`)).rejects.toThrow();
});
