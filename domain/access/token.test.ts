import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { API_TOKEN_PREFIX, checksum, crc32, DISCOVERY_TOKEN_PREFIX, formatToken, isWellFormedToken } from './token.ts';

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

  test('every formatted token is well-formed', () => {
    fc.assert(
      fc.property(base62, fc.constantFrom(API_TOKEN_PREFIX, DISCOVERY_TOKEN_PREFIX), (secret, prefix) => {
        const token = formatToken(prefix, secret);
        return token.length === 40 && isWellFormedToken(token);
      }),
    );
  });

  test('a changed character is noticed', () => {
    fc.assert(
      fc.property(base62, fc.nat(29), fc.constantFrom('a', 'Z', '0'), (secret, at, other) => {
        fc.pre(secret[at] !== other);
        const changed = secret.slice(0, at) + other + secret.slice(at + 1);
        return !isWellFormedToken(`flt_${changed}${checksum(secret)}`);
      }),
    );
  });

  test.each(['', 'flt_', `flx_${'a'.repeat(36)}`, `flt_${'a'.repeat(36)}`, ` ${formatToken('flt_', 'a'.repeat(30))}`])(
    '%p is not well-formed',
    (text) => expect(isWellFormedToken(text)).toBe(false),
  );
});
