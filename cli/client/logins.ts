import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { z } from 'zod';
import { readTokenPlace } from '#infra/config.ts';
import { systemClock } from '#infra/system/time.ts';
import type { Login } from '#schemas/http/admin/auth.ts';
import { CliError, openClient } from './client.ts';
import type { DataReply, ReplyOf } from './replies.ts';

const Stored = z.record(z.string(), z.object({ token: z.string(), refreshToken: z.string(), expiresAt: z.number() }));
type StoredLogins = z.output<typeof Stored>;
export type LoginReply = ReplyOf<typeof Login>;

/** Tokens are renewed so long before their end. */
const EARLY_MS = 60_000;

/** By URL of the server. A file that is damaged has none: the user signs in again. */
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

export const rememberLogin = (url: string, { token, refreshToken, expiresIn }: LoginReply): void =>
  store({ ...stored(), [url]: { token, refreshToken, expiresAt: systemClock.now() + expiresIn * 1_000 } });

/** Returns its refresh token; undefined: there is none. */
export const forgetLogin = (url: string): string | undefined => {
  const { [url]: login, ...others } = stored();
  if (login !== undefined) store(others);
  return login?.refreshToken;
};

/** Token of the login at this server, renewed when it ends soon; undefined: nobody has signed in there. */
export const tokenOfLogin = async (url: string): Promise<string | undefined> => {
  const login = stored()[url];
  if (login === undefined || login.expiresAt - systemClock.now() > EARLY_MS) return login?.token;
  const { refreshToken } = login;
  try {
    const { data } = await openClient({ url }).post<DataReply<typeof Login>>('/api/auth/refresh', { refreshToken });
    rememberLogin(url, data);
    return data.token;
  } catch (error) {
    if (!(error instanceof CliError) || error.status !== 401) throw error;
    forgetLogin(url);
    throw new CliError('your session has ended: run faultline login');
  }
};
