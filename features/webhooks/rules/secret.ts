import { firstItem } from '#domain/assert.ts';
import type { Secret } from './webhook.ts';

/* Secrets in the form of Standard Webhooks 1.0. */

export const SECRET_PREFIX = 'whsec_';
/** Characters of base62, which are base64 of 33 bytes. */
export const SECRET_CHARACTERS = 44;
const HINT_CHARACTERS = 4;

/** `random`: a text of base62 characters. */
export const secretOf = (random: string): string => SECRET_PREFIX + random;

/** Returns a hint that distinguishes secrets without revealing them. */
export const secretHint = (secrets: readonly Secret[]): string =>
  `${SECRET_PREFIX}…${firstItem(secrets).value.slice(-HINT_CHARACTERS)}`;

/** Returns the time until which the previous secret signs, too; null when it no longer does. */
export const earlierSecretEnds = ([, earlier]: readonly Secret[], now: number): number | null =>
  earlier?.until != null && earlier.until > now ? earlier.until : null;

/**
 * Returns the secrets after a rotation: the new one signs from now on, and the newest earlier one for this time beside
 * it.
 */
export const rotatedSecrets = (secrets: readonly Secret[], value: string, until: number, now: number): Secret[] => [
  { value, until: null },
  ...(until > now ? [{ value: firstItem(secrets).value, until }] : []),
];
