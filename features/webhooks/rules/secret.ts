import { firstItem } from '#domain/known.ts';
import type { Secret } from './webhook.ts';

/* Secrets in the form of Standard Webhooks 1.0. */

export const SECRET_PREFIX = 'whsec_';
/** Characters of base62, which are base64 of 33 bytes. */
export const SECRET_CHARACTERS = 44;
const HINT_CHARACTERS = 4;

/** `random`: so many characters of base62. */
export const secretOf = (random: string): string => SECRET_PREFIX + random;

/** Tells secrets apart and gives none away. */
export const secretHint = (secrets: readonly Secret[]): string =>
  `${SECRET_PREFIX}…${firstItem(secrets).value.slice(-HINT_CHARACTERS)}`;

/** Until when the secret before the newest signs, too; null when it does no more. */
export const earlierSecretEnds = ([, earlier]: readonly Secret[], now: number): number | null =>
  earlier?.until != null && earlier.until > now ? earlier.until : null;

/** The new secret signs from now on, and the newest of before for so long beside it. */
export const rotatedSecrets = (secrets: readonly Secret[], value: string, until: number, now: number): Secret[] => [
  { value, until: null },
  ...(until > now ? [{ value: firstItem(secrets).value, until }] : []),
];
