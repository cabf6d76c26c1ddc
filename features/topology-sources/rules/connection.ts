/** The connection to a source over HTTP. */
import type { SourceAuth } from './source.ts';

/** Tokens of NetBox 4.5 and later start with `nbt_` and have another scheme. */
const netboxToken = (token: string): string => `${token.startsWith('nbt_') ? 'Bearer' : 'Token'} ${token}`;

export const authorization = (auth: SourceAuth | null): Readonly<Record<string, string>> => {
  if (auth === null) return {};
  if (auth.type === 'bearer') return { authorization: `Bearer ${auth.token}` };
  if (auth.type === 'token') return { authorization: netboxToken(auth.token) };
  const pair = Buffer.from(`${auth.username}:${auth.password}`).toString('base64');
  return { authorization: `Basic ${pair}` };
};

/** Reading a source failed; the message is shown to users. */
export class SourceError extends Error {}

export const withoutSlash = (url: string): string => (url.endsWith('/') ? withoutSlash(url.slice(0, -1)) : url);
