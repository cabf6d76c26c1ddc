import { EXPIRY_WARNING_MS } from '#domain/access/expiry.ts';
import type { TokenRecord } from '#domain/access/records.ts';
import { overlapEnd } from '#domain/access/rotation.ts';
import { iso, isoOrNull } from '#schemas/http/time.ts';

type Ends = Pick<TokenRecord, 'expiresAt' | 'lastUsedAt' | 'rotatedAt' | 'previous'>;

/** When a token ends and was used, in the words of both kinds of tokens. */
export const endsView = (token: Ends, now: number) => ({
  expires_at: isoOrNull(token.expiresAt),
  last_used_at: isoOrNull(token.lastUsedAt),
  rotated_at: isoOrNull(token.rotatedAt ?? null),
  previous_valid_until: isoOrNull(overlapEnd(token, now)),
});

const DAY_MS = 86_400_000;
const warnedDays = EXPIRY_WARNING_MS / DAY_MS;

/** A sentence for the person who gets a new value. */
export const endNote = (token: Ends, now: number): string => {
  const overlap = overlapEnd(token, now);
  const before = overlap === null ? '' : ` The value before it is accepted until ${iso(overlap)}.`;
  if (token.expiresAt === null) return `The token does not expire; it is valid until it is revoked.${before}`;
  return `The token expires at ${iso(token.expiresAt)}; rotate it or give it a new expires_in before. Warnings begin ${warnedDays} days before.${before}`;
};
