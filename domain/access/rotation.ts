import { lifetimeOf, parseOverlap } from './expiry.ts';
import type { TokenRecord } from './records.ts';

/** Earlier values of a token that are valid at the same time. */
export const MAX_PREVIOUS_VALUES = 5;

export interface Rotation {
  readonly overlap: string;
  readonly expiresIn?: string | undefined;
}

/** Returns the lifetime of the previous value, null for no expiry. */
const sameLifetime = ({ expiresAt, rotatedAt, createdAt }: TokenRecord): number | null =>
  expiresAt === null ? null : Math.max(1, expiresAt - (rotatedAt ?? createdAt));

/** The token with a new value. The value before it is valid for the overlap, though never beyond its own expiry. */
export const rotated = (
  token: TokenRecord,
  hash: string,
  { overlap, expiresIn }: Rotation,
  now: number,
): TokenRecord => {
  const end = token.expiresAt ?? Number.POSITIVE_INFINITY;
  const earlier = [...(token.previous ?? []), { hash: token.hash, until: Math.min(end, now + parseOverlap(overlap)) }];
  const lifetime = expiresIn === undefined ? sameLifetime(token) : lifetimeOf(token, expiresIn);
  return {
    ...token,
    hash,
    previous: earlier.filter(({ until }) => until > now),
    rotatedAt: now,
    expiresAt: lifetime === null ? null : now + lifetime,
  };
};

/** Returns the time until which an earlier value is accepted, or null. */
export const overlapEnd = ({ previous = [] }: Pick<TokenRecord, 'previous'>, now: number): number | null =>
  previous.reduce<number | null>((end, { until }) => (until > now && until > (end ?? 0) ? until : end), null);
