import { expect, test } from '@jest/globals';
import { hash128 } from './hash.ts';

// Vectors of MurmurHash3_x86_128 with seed 0, made with the reference implementation.
test.each([
  ['', '00000000000000000000000000000000'],
  ['a', 'a794933c5556b01b5556b01b5556b01b'],
  ['faultline', 'e25eb6974d75f0562b609b001bac7382'],
  ['The quick brown fox jumps over the lazy dog', '2f1583c3ecee2c675d7bf66ce5e91d2c'],
  ['I will not buy this record, it is scratched.', 'a0a9683b25ac5e40d9af2895890dddf5'],
  ['Größe überschritten: 97 %', '65e2be12291f7dc82922d8408676331b'],
])('hash of %j', (text, hash) => {
  expect(hash128(text)).toBe(hash);
});

test('a text longer than the scratch space hashes as well, and spoils nothing', () => {
  const long = 'x'.repeat(20_000);
  expect(hash128(long)).not.toBe(hash128(`${long}x`));
  expect(hash128('faultline')).toBe('e25eb6974d75f0562b609b001bac7382');
});
