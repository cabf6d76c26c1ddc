import { describe, expect, test } from '@jest/globals';
import { canonicalMac, canonicalSerial, hardwareOf } from './hardware.ts';

describe('Hardware addresses', () => {
  test.each([
    ['00:1A:2B:3C:4D:5E', '00:1a:2b:3c:4d:5e'],
    ['00-1a-2b-3c-4d-5e', '00:1a:2b:3c:4d:5e'],
    ['001a.2b3c.4d5e', '00:1a:2b:3c:4d:5e'],
    ['52:54:00:12:34:56', '52:54:00:12:34:56'],
    ['00:00:00:00:00:00', null],
    ['ff:ff:ff:ff:ff:ff', null],
    ['01:00:5e:00:00:01', null],
    ['00:00:5e:00:01:0a', null],
    ['02:42:ac:11:00:02', null],
    ['00:1a:2b:3c:4d', null],
    ['no address', null],
  ])('%s is %s', (text, mac) => {
    expect(canonicalMac(text)).toBe(mac);
  });
});

describe('Serial numbers', () => {
  test.each([
    [' sn-42 a ', 'SN-42 A'],
    ['To Be Filled By O.E.M.', null],
    ['Not Specified', null],
    ['00000000', null],
    ['N/A', null],
    ['7', null],
  ])('%s is %s', (text, serial) => {
    expect(canonicalSerial(text)).toBe(serial);
  });
});

test('hardware is found in attributes, custom fields and interfaces', () => {
  const attributes = {
    serial_number: 'abc-1',
    mac_address: '00:1a:2b:3c:4d:5e',
    interfaces: [{ name: 'eth1', macAddress: '00:1A:2B:3C:4D:5F', machine: '00:1a:2b:3c:4d:60' }],
  };
  const customFields = { all_macs: ['00:1a:2b:3c:4d:5e', '00:1a:2b:3c:4d:61'] };
  expect(hardwareOf({ attributes, customFields })).toEqual([
    'n:ABC-1',
    'm:00:1a:2b:3c:4d:5e',
    'm:00:1a:2b:3c:4d:5f',
    'm:00:1a:2b:3c:4d:61',
  ]);
  expect(hardwareOf({ attributes: { name: 'x' }, customFields: {} })).toEqual([]);
});
