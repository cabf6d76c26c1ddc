import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { z } from 'zod';
import { readTokenPlace } from '#infra/config.ts';
import type { Login } from '#schemas/http/admin/auth.ts';
import { CliError, openClient } from './client.ts';
import type { DataReply, ReplyOf } from './replies.ts';

const Stored = z.record(z.string(), z.object({ token: z.string(), refreshToken: z.string(), expiresAt: z.number() }));
type StoredLogins = z.output<typeof Stored>;
export type LoginReply = ReplyOf<typeof Login>;

/** Tokens are renewed one minute before they expire. */
const EARLY_MS = 60_000;

/** Logins by URL of their server; none in a damaged file, after which the user signs in again. */
const stored = (): StoredLogins => {
  try {
    return Stored.parse(JSON.parse(readFileSync(readTokenPlace().logins, 'utf8')));
  } catch {
    return {};
  }
};

/** Readable by this user only; replaced whole, as another command may read it now. */
const store = (logins: StoredLogins): void => {
  const { logins: file } = readTokenPlace();
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  const next = `${file}.${process.pid}`;
  writeFileSync(next, JSON.stringify(logins, null, 2), { mode: 0o600 });
  renameSync(next, file);
};

/** Times are those of the server. */
export const rememberLogin = async (url: string, { token, refreshToken, expiresIn }: LoginReply): Promise<void> => {
  const expiresAt = (await openClient({ url }).now()) + expiresIn * 1_000;
  store({ ...stored(), [url]: { token, refreshToken, expiresAt } });
};

/** Returns its refresh token; undefined: there is none. */
export const forgetLogin = (url: string): string | undefined => {
  const { [url]: login, ...others } = stored();
  if (login !== undefined) store(others);
  return login?.refreshToken;
};

const renewed = async (url: string, refreshToken: string): Promise<void> => {
  try {
    const { data } = await openClient({ url }).post<DataReply<typeof Login>>('/api/auth/refresh', { refreshToken });
    await rememberLogin(url, data);
  } catch (error) {
    if (!(error instanceof CliError) || error.status !== 401) throw error;
    forgetLogin(url);
    throw new CliError('your session has ended: run faultline login');
  }
};

/** Returns a reader of the token of the login at this server, which is renewed before it expires; undefined: no login. */
export const tokenOfLogin = (url: string): (() => Promise<string | undefined>) => {
  let known: { readonly token: string; readonly until: number } | undefined;
  const leftOf = async ({ expiresAt }: StoredLogins[string]): Promise<number> =>
    expiresAt - (await openClient({ url }).now()) - EARLY_MS;
  return async () => {
    if (known !== undefined && performance.now() < known.until) return known.token;
    let login = stored()[url];
    if (login === undefined) return undefined;
    let left = await leftOf(login);
    if (left <= 0) {
      await renewed(url, login.refreshToken);
      login = stored()[url] ?? login;
      left = await leftOf(login);
    }
    known = { token: login.token, until: performance.now() + left };
    return login.token;
  };
};
