import type { Command } from 'commander';
import { CliError, type Client, openClient } from '#cli/client/client.ts';
import { type ConnectionOptions, connected, serverOf, show } from '#cli/client/connection.ts';
import { forgetLogin, type LoginReply, rememberLogin } from '#cli/client/logins.ts';
import type { DataReply } from '#cli/client/replies.ts';
import type { CliEnvironment } from '#cli/terminal/environment.ts';
import type { DeviceOutcome, DeviceSignIn } from '#features/sign-in/schemas/sign-in.ts';
import { pause } from '#infra/wait.ts';

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

export const addLogin = (program: Command, { screen }: CliEnvironment): Command =>
  connected(program.command('login'))
    .description("sign in with the company's identity provider; other commands then need no token")
    .action(async (options: ConnectionOptions) => {
      const url = serverOf(options.url);
      const client = openClient({ url });
      const { data } = await client.post<DataReply<typeof DeviceSignIn>>(PATH, undefined);
      show(screen, options, data, invitation);
      const login = await signedIn(client, data);
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
