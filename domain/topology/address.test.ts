import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import ipaddr from 'ipaddr.js';
import { addressBlock, canonicalAddress } from './address.ts';

describe('An address', () => {
  test.each([
    ['10.0.0.1', '10.0.0.1'],
    [' 10.0.0.1 ', '10.0.0.1'],
    ['2001:DB8:0:0:0:0:0:1', '2001:db8::1'],
    ['2001:db8::0001', '2001:db8::1'],
    ['[2001:db8::1]', '2001:db8::1'],
    ['fe80::1%eth0', 'fe80::1'],
    ['::', '::'],
    ['::1', '::1'],
    ['1::', '1::'],
    ['::ffff:10.0.0.1', '10.0.0.1'],
    ['0:0:0:0:0:ffff:0a00:0001', '10.0.0.1'],
    ['64:ff9b::192.0.2.33', '64:ff9b::c000:221'],
    ['2001:0:0:1:0:0:0:1', '2001:0:0:1::1'],
    ['2001:db8:0:1:1:1:1:1', '2001:db8:0:1:1:1:1:1'],
  ])('%s is %s', (text, expected) => expect(canonicalAddress(text)).toBe(expected));

  test.each([
    '',
    'web-01',
    '10.0.0',
    '10.0.0.256',
    '010.0.0.1',
    '10.0.0.1.2',
    '1:2:3:4:5:6:7',
    '1:2:3:4:5:6:7:8:9',
    '1::2::3',
    ':1:2:3:4:5:6:7',
    '1:2:3:4:5:6:7:',
    '12345::',
    'g::',
    '1.2.3.4::',
    ':',
    ':::',
    '1:2:3:4:5:6:7::8',
  ])('%j is none', (text) => expect(canonicalAddress(text)).toBeNull());

  test('is written as a well-known library writes it', () => {
    const group = fc.oneof(fc.constant(0), fc.nat(0xffff)).map((n) => n.toString(16));
    fc.assert(
      fc.property(fc.array(group, { minLength: 8, maxLength: 8 }), (groups) => {
        const parsed = ipaddr.IPv6.parse(groups.join(':'));
        const expected = parsed.isIPv4MappedAddress() ? parsed.toIPv4Address().toString() : parsed.toRFC5952String();
        expect(canonicalAddress(groups.join(':').toUpperCase())).toBe(expected);
        expect(canonicalAddress(expected)).toBe(expected);
      }),
    );
  });
});

test.each([
  ['10.0.0.1', '10.0.0.1'],
  ['::ffff:10.0.0.1', '10.0.0.1'],
  ['2001:db8:0:1:2:3:4:5', '2001:db8:0:1::/64'],
  ['2001:db8:0:1::9', '2001:db8:0:1::/64'],
  ['::1', '::/64'],
  ['unknown', 'unknown'],
])('%s is of the block %s', (text, block) => expect(addressBlock(text)).toBe(block));
