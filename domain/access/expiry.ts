import { invalid } from '#domain/fault.ts';

const SECOND = 1_000;
const UNIT_MS = { s: SECOND, m: 60 * SECOND, h: 3_600 * SECOND, d: 86_400 * SECOND, w: 604_800 * SECOND } as const;
type Unit = keyof typeof UNIT_MS;

export const DEFAULT_EXPIRES_IN = '90d';
export const MAX_EXPIRY_MS = 365 * UNIT_MS.d;

/** Milliseconds of `<n>` s|m|h|d|w, more than 0 and at most 365 days. Throws Fault `invalid` for `expires_in`. */
export const parseExpiresIn = (text: string): number => {
  const match = /^(\d{1,9})\s*([smhdw])$/.exec(text.trim());
  if (match === null) throw invalid('expires_in', 'expected a number and a unit s, m, h, d or w, for example 90d');
  const ms = Number(match[1]) * UNIT_MS[match[2] as Unit];
  if (ms === 0 || ms > MAX_EXPIRY_MS) throw invalid('expires_in', 'expected more than 0 and at most 365d');
  return ms;
};
