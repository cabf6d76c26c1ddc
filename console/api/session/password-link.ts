import type { z } from 'zod';
import type { PasswordByLink, PasswordResetRequest, PasswordSet } from '#schemas/http/admin/auth.ts';
import { askUnsigned, successful, type UnsignedParts } from './unsigned.ts';

type PasswordOwner = z.output<typeof PasswordSet>;

export interface PasswordLinks {
  /** Requests a link to reset a password; the reply is the same for unknown accounts. */
  readonly requestReset: (body: z.input<typeof PasswordResetRequest>) => Promise<unknown>;
  /** Sets the password of the user of a link, and returns whose it is. */
  readonly setPassword: (body: z.input<typeof PasswordByLink>) => Promise<PasswordOwner>;
}

/** Requests about passwords of users who are not signed in. */
export const openPasswordLinks = (place: Pick<UnsignedParts, 'root' | 'now'>): PasswordLinks => {
  const parts: UnsignedParts = { ...place, fetch: (...request) => fetch(...request) };
  const ask = async (method: string, path: string, body: unknown): Promise<Response> =>
    successful(parts, await askUnsigned(parts, { method, path, body }));
  return {
    requestReset: (body) => ask('POST', 'api/auth/password/reset', body),
    async setPassword(body) {
      const response = await ask('POST', 'api/auth/password/set', body);
      return ((await response.json()) as { readonly data: PasswordOwner }).data;
    },
  };
};

/** Code of the link in this address; null: it has none. */
export const linkCodeOf = (hash: string): string | null => new URLSearchParams(hash.slice(1)).get('link');
