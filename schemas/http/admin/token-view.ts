import { EXPIRY_WARNING_MS } from '#domain/access/expiry.ts';
import type { TokenRecord } from '#domain/access/records.ts';
import { overlapEnd } from '#domain/access/rotation.ts';
import { iso, isoOrNull } from '#schemas/http/time.ts';

type TokenTimes = Pick<TokenRecord, 'expiresAt' | 'lastUsedAt' | 'rotatedAt' | 'previous'>;

/** End and last use of a token, in the field names of both kinds of tokens. */
export const endsView = (token: TokenTimes, now: number) => ({
  expires_at: isoOrNull(token.expiresAt),
  last_used_at: isoOrNull(token.lastUsedAt),
  rotated_at: isoOrNull(token.rotatedAt ?? null),
  previous_valid_until: isoOrNull(overlapEnd(token, now)),
});

const DAY_MS = 86_400_000;
const warnedDays = EXPIRY_WARNING_MS / DAY_MS;

/** A sentence for the person who gets a new value. */
export const endNote = (token: TokenTimes, now: number): string => {
  const overlap = overlapEnd(token, now);
  const before = overlap === null ? '' : ` The previous value is accepted until ${iso(overlap)}.`;
  if (token.expiresAt === null) return `The token doesn't expire; it is valid until revoked.${before}`;
  return `The token expires at ${iso(token.expiresAt)}. Rotate it or set a new expires_in before then. Warnings start ${warnedDays} days earlier.${before}`;
};
