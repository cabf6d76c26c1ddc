import { hash128 } from '#domain/hash.ts';

const CROCKFORD = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const TIME_CHARACTERS = 10;
const ULID_CHARACTERS = 26;

/** The least ULID of a time (epoch ms): ids made before it sort below, ids made at or after it do not. */
export const leastUlidAt = (ms: number): string => {
  let rest = ms;
  let digits = '';
  for (let i = 0; i < TIME_CHARACTERS; i += 1) {
    digits = CROCKFORD.charAt(rest % CROCKFORD.length) + digits;
    rest = Math.floor(rest / CROCKFORD.length);
  }
  return `${digits}0000000000000000`;
};

/**
 * Returns a ULID of a time (epoch ms), the rest derived from the text: deterministic. Hexadecimal digits are digits of
 * a ULID.
 */
export const ulidFrom = (ms: number, text: string): string =>
  leastUlidAt(ms).slice(0, TIME_CHARACTERS) +
  hash128(text)
    .slice(0, ULID_CHARACTERS - TIME_CHARACTERS)
    .toUpperCase();

/** The time that a ULID was made at (epoch ms); null for any other text. */
export function ulidTime(id: string): number | null {
  if (id.length !== ULID_CHARACTERS) return null;
  let ms = 0;
  for (let i = 0; i < TIME_CHARACTERS; i += 1) {
    const digit = CROCKFORD.indexOf(id.charAt(i));
    if (digit < 0) return null;
    ms = ms * CROCKFORD.length + digit;
  }
  return ms;
}
