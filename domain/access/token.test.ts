import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { API_TOKEN_PREFIX, checksum, crc32, DISCOVERY_TOKEN_PREFIX, formatToken } from './token.ts';

const base62 = fc.stringMatching(/^[0-9A-Za-z]{30}$/);

describe('token format', () => {
  test('CRC-32 gives the published check value', () => {
    expect(crc32('123456789')).toBe(0xcbf43926);
    expect(crc32('')).toBe(0);
  });

  test('the checksum has six characters, padded', () => {
    expect(checksum('')).toBe('000000');
    expect(checksum('123456789')).toBe('3jZRME');
  });

  test('a token is its prefix, its secret and the checksum of the secret', () => {
    expect(formatToken(API_TOKEN_PREFIX, '123456789')).toBe('flt_1234567893jZRME');
    expect(formatToken(DISCOVERY_TOKEN_PREFIX, '123456789')).toBe('fld_1234567893jZRME');
  });

  test('a changed character changes the checksum', () => {
    fc.assert(
      fc.property(base62, fc.nat(29), fc.constantFrom('a', 'Z', '0'), (secret, at, other) => {
        fc.pre(secret[at] !== other);
        return checksum(secret.slice(0, at) + other + secret.slice(at + 1)) !== checksum(secret);
      }),
    );
  });
});
