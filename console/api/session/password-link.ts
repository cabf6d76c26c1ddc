import type { z } from 'zod';
import type { PasswordResetRequest, PasswordSet } from '#schemas/http/admin/auth.ts';
import { askUnsigned, successful, type UnsignedParts } from './unsigned.ts';

const PATH = 'api/auth/password';

/** Asks for a link to reset a password; the server does not tell whether it sends one. */
export const requestReset = async (
  parts: UnsignedParts,
  body: z.input<typeof PasswordResetRequest>,
): Promise<unknown> => successful(parts, await askUnsigned(parts, { method: 'POST', path: `${PATH}/reset`, body }));

/** Sets the password of the user of a link, and returns whose it is. */
export const setPassword = async (
  parts: UnsignedParts,
  body: { readonly code: string; readonly password: string },
): Promise<z.output<typeof PasswordSet>> => {
  const response = await successful(parts, await askUnsigned(parts, { method: 'POST', path: `${PATH}/set`, body }));
  return ((await response.json()) as { readonly data: z.output<typeof PasswordSet> }).data;
};

/** Code of the link in this address; null: it has none. */
export const linkCodeOf = (hash: string): string | null => new URLSearchParams(hash.slice(1)).get('link');
