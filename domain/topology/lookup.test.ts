import { describe, expect, test } from '@jest/globals';
import { aCi } from '#test/contract/topology-samples.ts';
import { addressFields, lookupOf } from './lookup.ts';

const addresses = (attributes: Record<string, unknown>, customFields: Record<string, unknown> = {}) =>
  lookupOf(aCi('a', { attributes, customFields })).addresses;

describe('What a CI is known by', () => {
  test('names are compared in lower case, without trailing dot', () => {
    const ci = aCi('a', { name: 'Web ', externalKey: 'K', attributes: { hostname: 'WEB-1', fqdn: 'Web-1.Example.' } });
    expect(lookupOf(ci)).toEqual({
      externalKey: 'K',
      name: 'web',
      hostname: 'web-1',
      fqdn: 'web-1.example',
      addresses: [],
    });
  });

  test.each([
    [{ ip_address: '10.0.0.1' }, ['10.0.0.1']],
    [
      { ipAddress: '10.0.0.1', private_ip: '10.0.0.2', ipv4: '10.0.0.3', primaryIp4: 'none' },
      ['10.0.0.1', '10.0.0.2', '10.0.0.3'],
    ],
    [{ all_ip_addresses: ['10.0.0.1', '10.0.0.2', '10.0.0.1', 7, null] }, ['10.0.0.1', '10.0.0.2']],
    [{ interfaces: [{ name: 'eth0', addresses: [{ local: '10.0.0.1/24' }] }] }, ['10.0.0.1']],
    [{ gateway_ip: '10.0.0.1', gateway: { ip: '10.0.0.2' }, dns_ips: ['10.0.0.3'], peerAddress: '10.0.0.4' }, []],
    [{ version: '10.0.0.1', description: '10.0.0.2', shipping: '10.0.0.3', recipe: '1.2.3.4' }, []],
    [{ ips: ['127.0.0.1', '169.254.1.1', '0.0.0.0', '10.0.0.1'] }, ['10.0.0.1']],
    [{ ip_address: '127.0.0.1' }, ['127.0.0.1']],
    [
      { ip_address: '10.0.0.1/24', ips: '10.0.0.2, 10.0.0.3; 10.0.0.4/32' },
      ['10.0.0.1', '10.0.0.2', '10.0.0.3', '10.0.0.4'],
    ],
    [
      { IPAddress: '10.0.0.1', ipaddr: '10.0.0.2', ipv4Addresses: ['10.0.0.3'], eth0IP: '10.0.0.4' },
      ['10.0.0.1', '10.0.0.2', '10.0.0.3', '10.0.0.4'],
    ],
  ])('addresses of %j', (attributes, expected) => {
    expect(addresses(attributes)).toEqual(expected);
  });

  test('the main address comes first, custom fields count too', () => {
    expect(addresses({ ips: ['10.0.0.9'] }, { ip_address: '10.0.0.1' })).toEqual(['10.0.0.1', '10.0.0.9']);
  });

  test('at most 256 addresses, 6 levels deep', () => {
    const many = Array.from({ length: 300 }, (_, i) => `10.0.${i % 2}.${i}`);
    expect(addresses({ ips: many })).toHaveLength(256);
    expect(addresses({ a: { b: { c: { d: { ip: '10.0.0.1' } } } } })).toEqual(['10.0.0.1']);
    expect(addresses({ a: { b: { c: { d: { e: { f: { ip: '10.0.0.1' } } } } } } })).toEqual([]);
  });

  test('where each address stands', () => {
    const ci = {
      attributes: { ips: ['10.0.0.2', '10.0.0.1'], network: { interfaces: [{ addresses: ['10.0.0.3'] }] } },
      customFields: { ip_address: '10.0.0.1' },
    };
    expect(addressFields(ci)).toEqual([
      { field: 'custom_fields.ip_address', address: '10.0.0.1' },
      { field: 'attributes.ips[0]', address: '10.0.0.2' },
      { field: 'attributes.ips[1]', address: '10.0.0.1' },
      { field: 'attributes.network.interfaces[0].addresses[0]', address: '10.0.0.3' },
    ]);
  });
});
