import { CallProblem } from '#console/api/link/problem.ts';
import { isReading, type Permission } from '#domain/access/permissions.ts';
import type { NewGrant } from './messages.ts';
import { offersSingleSignOn } from './single-sign-on.ts';
import * as text from './texts.ts';
import { askUnsigned, successful, type UnsignedParts } from './unsigned.ts';

/** User and password, the code of a start link, or a token of the API. */
export type Credentials =
  | { readonly username: string; readonly password: string; readonly tenant?: string; readonly remember?: boolean }
  | { readonly code: string }
  | {
      readonly token: string;
      /** Refused when it may change something. */
      readonly onlyReads?: boolean;
    };

/** The three endpoints of the sign-in; they alone read the cookie. */
export interface SignIn {
  readonly enter: (credentials: Credentials) => Promise<NewGrant>;
  /** Null: there is no cookie, or it is not good any more. */
  readonly renew: () => Promise<NewGrant | null | 'unreachable'>;
  /** Returns the address at which the browser ends the session; null: it has ended. */
  readonly leave: () => Promise<string | null>;
}

/** Tokens that are not renewed end by the word of the server alone. */
const LIFE_OF_TOKEN_MS = 365 * 86_400_000;

interface Issued {
  readonly data: { readonly token: string; readonly expiresIn: number };
}

interface MeReply {
  readonly data: { readonly permissions: readonly Permission[] };
}

const assertReadOnly = (permissions: readonly Permission[]): void => {
  const writing = permissions.filter((permission) => !isReading(permission));
  if (writing.length > 0) throw new CallProblem(text.wallboardLinksNeedRead(writing.join(', ')));
};

export function openSignIn(parts: UnsignedParts): SignIn {
  const { now } = parts;
  const ask = (method: string, path: string, body?: unknown, token?: string): Promise<Response> =>
    askUnsigned(parts, { method, path, body, ...(token !== undefined && { token }) });
  const grantOf = async (response: Response): Promise<NewGrant> => {
    const { data } = (await response.json()) as Issued;
    return { token: data.token, expiresAt: now() + data.expiresIn * 1_000, renews: true };
  };

  return {
    async enter(credentials) {
      if ('token' in credentials) {
        const me = await successful(parts, await ask('GET', 'api/me', undefined, credentials.token));
        if (credentials.onlyReads) assertReadOnly(((await me.json()) as MeReply).data.permissions);
        return { token: credentials.token, expiresAt: now() + LIFE_OF_TOKEN_MS, renews: false };
      }
      return grantOf(await successful(parts, await ask('POST', 'api/auth/console', credentials)));
    },
    async renew() {
      const response = await ask('POST', 'api/auth/console/refresh', {}).catch(() => null);
      if (response === null || response.status >= 500 || response.status === 429) return 'unreachable';
      return response.status === 200 ? grantOf(response) : null;
    },
    async leave() {
      if (await offersSingleSignOn(parts.root)) return new URL('api/auth/oidc/sign-out', parts.root).href;
      await successful(parts, await ask('DELETE', 'api/auth/console'));
      return null;
    },
  };
}
