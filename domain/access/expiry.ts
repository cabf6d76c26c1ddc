import { invalid } from '#domain/fault.ts';
import { isIngestOnly, type Right } from './grant.ts';

const SECOND = 1_000;
export const DURATION_UNITS = {
  s: SECOND,
  m: 60 * SECOND,
  h: 3_600 * SECOND,
  d: 86_400 * SECOND,
  w: 604_800 * SECOND,
} as const;
type ExpiryUnit = keyof typeof DURATION_UNITS;

export const DEFAULT_EXPIRES_IN = '90d';
/** Value in place of a duration: no expiry. */
export const NEVER = 'never';
export const MAX_EXPIRY_MS = 365 * DURATION_UNITS.d;
/** Time for which the old value of a rotated token stays valid unless the request sets another. */
export const DEFAULT_OVERLAP = '24h';
export const MAX_OVERLAP_MS = 7 * DURATION_UNITS.d;
/** Time before a token expires at which warnings begin. */
export const EXPIRY_WARNING_MS = 14 * DURATION_UNITS.d;

/** Milliseconds of `<n>` s|m|h|d|w, or null for any other text. */
const durationOf = (text: string): number | null => {
  const match = /^(\d{1,9})\s*([smhdw])$/.exec(text.trim());
  return match === null ? null : Number(match[1]) * DURATION_UNITS[match[2] as ExpiryUnit];
};

/** Milliseconds, more than 0 and at most 365 days. Throws Fault `invalid` for `expires_in`. */
export const parseExpiresIn = (text: string): number => {
  const ms = durationOf(text);
  if (ms === null) throw invalid('expires_in', 'expected a number and a unit s, m, h, d or w, for example 90d');
  if (ms === 0 || ms > MAX_EXPIRY_MS) throw invalid('expires_in', 'expected more than 0 and at most 365d');
  return ms;
};

/** Milliseconds, 0 to 7 days. Throws Fault `invalid` for the field. */
export const parseOverlap = (text: string, field = 'overlap'): number => {
  const ms = durationOf(text);
  if (ms === null || ms > MAX_OVERLAP_MS) throw invalid(field, 'expected 0h to 7d, for example 24h');
  return ms;
};

/**
 * Lifetime in ms of a token with this right, null for none. A monitor drops alerts when its token expires, so a token that only
 * sends events has no expiry by default, and no other token may go without.
 */
export const lifetimeOf = (right: Right, expiresIn: string | undefined): number | null => {
  const isFeed = isIngestOnly(right);
  const asked = expiresIn?.trim() ?? (isFeed ? NEVER : DEFAULT_EXPIRES_IN);
  if (asked !== NEVER) return parseExpiresIn(asked);
  if (isFeed) return null;
  throw invalid('expires_in', 'expected at most 365d; only ingest-only tokens may have no expiry');
};
