/** The connection to a source over HTTP. */
import type { SourceAuth, SourceFailure } from './source.ts';

/** Tokens of NetBox 4.5 and later start with `nbt_` and have another scheme. */
const netboxToken = (token: string): string => `${token.startsWith('nbt_') ? 'Bearer' : 'Token'} ${token}`;

export const authorization = (auth: SourceAuth | null): Readonly<Record<string, string>> => {
  if (auth === null) return {};
  if (auth.type === 'bearer') return { authorization: `Bearer ${auth.token}` };
  if (auth.type === 'token') return { authorization: netboxToken(auth.token) };
  const pair = Buffer.from(`${auth.username}:${auth.password}`).toString('base64');
  return { authorization: `Basic ${pair}` };
};

/** Reading a source failed; the message is shown to users. `code`: null if no step follows from it. */
export class SourceError extends Error {
  readonly code: SourceFailure | null;
  constructor(message: string, code: SourceFailure | null = null, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

/** Code of a request without a reply; null: not by the connection. */
export const failureWithout = (error: unknown): SourceFailure | null => {
  if (!(error instanceof Error && 'class' in error)) return null;
  return error.class === 'refused address' ? 'refused_address' : 'unreachable';
};
/** Members of the error of a request. */
export const codeData = (code: SourceFailure | null) => (code === null ? {} : { error_code: code });
export const failureOfStatus = (status: number): SourceFailure | null => {
  if (status === 401 || status === 403) return 'refused_credentials';
  if (status === 404) return 'wrong_url';
  return status >= 500 ? 'server_error' : null;
};

export const withoutSlash = (url: string): string => (url.endsWith('/') ? withoutSlash(url.slice(0, -1)) : url);
