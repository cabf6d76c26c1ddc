import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import type { Command } from 'commander';
import { CliError, type Client, openClient } from '#cli/client/client.ts';
import { type ConnectionOptions, connected, serverOf, show, tokenOf } from '#cli/client/connection.ts';
import { forgetLogin, type LoginReply, rememberLogin } from '#cli/client/logins.ts';
import type { DataReply } from '#cli/client/replies.ts';
import type { CliEnvironment } from '#cli/terminal/environment.ts';
import type { Screen } from '#cli/terminal/screen.ts';
import type { DeviceOutcome, DeviceSignIn } from '#features/sign-in/schemas/sign-in.ts';
import { pause } from '#infra/wait.ts';
import type { Login } from '#schemas/http/admin/auth.ts';

const PATH = '/api/auth/oidc/device';
/** Added to the interval after `slow_down` (RFC 8628 section 3.5), seconds. */
const SLOWER_S = 5;

type Begun = DataReply<typeof DeviceSignIn>['data'];

/** Asks until the user has decided in the browser. Throws CliError when the code has expired. */
async function signedIn(client: Client, { device, interval, expiresIn }: Begun): Promise<LoginReply> {
  let [seconds, left] = [interval, expiresIn];
  while (left > 0) {
    await pause(seconds * 1_000);
    left -= seconds;
    const { data } = await client.post<DataReply<typeof DeviceOutcome>>(`${PATH}/token`, { device });
    if (!('pending' in data)) return data;
    if (data.pending === 'slow-down') seconds += SLOWER_S;
  }
  throw new CliError('the code has expired: run faultline login again');
}

const invitation = ({ userCode, verificationUri, completeUri }: Begun): string =>
  [
    `Open ${verificationUri} in a browser and enter the code ${userCode}`,
    ...(completeUri === null ? [] : [`(or open ${completeUri} and compare the code)`]),
  ].join('\n');

/** Null: standard input is no terminal. */
const typed = async (username: string): Promise<string | null> => {
  if (!process.stdin.isTTY) return null;
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input: process.stdin, output: silent, terminal: true });
  process.stderr.write(`Password of ${username}: `);
  try {
    return await lines.question('');
  } finally {
    lines.close();
    process.stderr.write('\n');
  }
};

interface LoginOptions extends ConnectionOptions {
  readonly user?: string;
  readonly password?: string;
}

async function signedInAs(client: Client, username: string, { password, tenant }: LoginOptions): Promise<LoginReply> {
  const given = tokenOf(password) ?? (await typed(username));
  if (given === null) throw new CliError('pass --password @FILE, or run this in a terminal to type the password');
  const body = { username, password: given, ...(tenant && { tenant }) };
  return (await client.post<DataReply<typeof Login>>('/api/auth/login', body)).data;
}

async function signedInByIssuer(client: Client, screen: Screen, options: LoginOptions): Promise<LoginReply> {
  const { data } = await client.post<DataReply<typeof DeviceSignIn>>(PATH, undefined).catch((error: unknown) => {
    const isOff = error instanceof CliError && error.status === 404;
    throw isOff ? new CliError(`${error.reason}. Sign in as a local user: faultline login --user NAME`, 404) : error;
  });
  show(screen, options, data, invitation);
  return signedIn(client, data);
}

export const addLogin = (program: Command, { screen }: CliEnvironment): Command =>
  connected(program.command('login'))
    .description("sign in with the company's identity provider, or as a local user; other commands then need no token")
    .option('--user <name>', 'username of a local user')
    .option('--password <password>', 'password; @FILE to read it from a file; default: asks for it')
    .action(async (options: LoginOptions) => {
      const url = serverOf(options.url);
      const client = openClient({ url });
      const login = options.user
        ? await signedInAs(client, options.user, options)
        : await signedInByIssuer(client, screen, options);
      await rememberLogin(url, login);
      const { username, role, tenant } = login.user;
      show(screen, options, login.user, () => `Signed in at ${url} as ${username} (${role}, tenant ${tenant}).`);
    });

export const addLogout = (program: Command, { screen }: CliEnvironment): Command =>
  connected(program.command('logout'))
    .description('end the session of faultline login')
    .action(async (options: ConnectionOptions) => {
      const url = serverOf(options.url);
      const refreshToken = forgetLogin(url);
      if (refreshToken === undefined) throw new CliError(`not signed in at ${url}`);
      await openClient({ url }).post('/api/auth/logout', { refreshToken });
      show(screen, options, {}, () => `Signed out at ${url}.`);
    });
