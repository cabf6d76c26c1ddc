import { describe, expect, test } from '@jest/globals';
import { DEFAULT_EXPIRES_IN, parseExpiresIn } from './expiry.ts';

describe('expires_in', () => {
  test.each([
    ['1s', 1_000],
    ['30m', 1_800_000],
    ['12h', 43_200_000],
    [DEFAULT_EXPIRES_IN, 7_776_000_000],
    ['52w', 31_449_600_000],
    ['365d', 31_536_000_000],
    [' 7 d ', 604_800_000],
  ])('%p is %d ms', (text, ms) => expect(parseExpiresIn(text)).toBe(ms));

  test.each(['', '90', 'd', '0d', '366d', '53w', '-1d', '1.5h', '1y', '90dd', '99999999999s'])(
    '%p is refused',
    (text) => expect(() => parseExpiresIn(text)).toThrow(/expires_in/),
  );
});
