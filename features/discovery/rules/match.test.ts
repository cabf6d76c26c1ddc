import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { MATCH_KEYS, type MatchedCis } from '#domain/topology/match.ts';
import type { Ci } from '#domain/topology/topology.ts';
import { isDefaultName, isNameOfAddress } from './generic-names.ts';
import type { Host } from './host.ts';
import { apart, machineKeys } from './machine.ts';
import { decide } from './match.ts';

const NONE: MatchedCis = {
  external_key: [],
  serial_number: [],
  mac_address: [],
  fqdn: [],
  hostname: [],
  ip_address: [],
};
const ci = (id: string, attributes: Record<string, unknown> = {}, name = id): Ci => ({
  tenant: 't',
  id,
  name,
  type: 'server',
  status: 'active',
  attributes,
  customFields: {},
  createdAt: 0,
  updatedAt: 0,
  createdBy: 'ann',
  updatedBy: 'ann',
  revision: 1,
});
const cisOf = (...cis: Ci[]) => new Map(cis.map((one) => [one.id, one]));

describe('What a machine is known by', () => {
  test('everything in canonical form', () => {
    const host: Host = {
      ipAddress: '10.0.0.1',
      hostname: 'Web-01',
      fqdn: 'web-01.Example.COM.',
      macAddress: '00-1A-2B-00-00-01',
      serialNumber: ' sn-1 ',
      externalKey: 'i-1',
      interfaces: [{ mac_address: '001a.2b00.0002', ip_addresses: ['10.0.0.2/24', '127.0.0.1'] }],
    };
    expect(machineKeys(host)).toEqual({
      external_key: ['i-1'],
      serial_number: ['SN-1'],
      mac_address: ['00:1a:2b:00:00:01', '00:1a:2b:00:00:02'],
      fqdn: ['web-01.example.com'],
      hostname: ['web-01', 'web-01.example.com'],
      ip_address: ['10.0.0.1', '10.0.0.2'],
    });
  });

  test.each<[string, Host]>([
    ['a name that all have', { hostname: 'localhost.localdomain' }],
    ['an address as a name', { hostname: '10.0.0.1' }],
    ['a serial number that nobody set', { serialNumber: 'To be filled by O.E.M.' }],
    ['an address that all have', { ipAddress: '127.0.0.1' }],
    ['a hardware address of nobody', { macAddress: '00:00:00:00:00:00' }],
  ])('%s tells nothing', (_, host) => {
    expect(machineKeys(host)).toEqual(NONE);
  });

  test('machines that share a text come in different parts, in order', () => {
    const hosts: Host[] = [{ hostname: 'a' }, { hostname: 'b' }, { hostname: 'A' }, { ipAddress: '10.0.0.1' }];
    expect(apart(hosts.map(machineKeys))).toEqual([[0, 1, 3], [2]]);
    expect(apart([])).toEqual([]);
  });

  test('property: every machine is in one part, and no part has two that share a text', () => {
    const label = fc.constantFrom('a', 'b', 'c', 'd');
    const host = fc.record({ hostname: label, serialNumber: label.map((one) => `SN-${one}`) }, { requiredKeys: [] });
    fc.assert(
      fc.property(fc.array(host, { maxLength: 12 }), (hosts) => {
        const machines = (hosts as Host[]).map(machineKeys);
        const parts = apart(machines);
        expect(parts.flat().sort((a, b) => a - b)).toEqual(machines.map((_, i) => i));
        for (const part of parts) {
          const texts = part.flatMap((i) => MATCH_KEYS.flatMap((key) => machines[i]![key].map((one) => key + one)));
          expect(new Set(texts).size).toBe(texts.length);
        }
      }),
    );
  });
});

const seen = (host: Host) => ({ host, machine: machineKeys(host) });

describe('Which CI a machine is', () => {
  const machine = seen({ hostname: 'web-01', ipAddress: '10.0.0.1' });
  test.each<[string, Partial<MatchedCis>, object]>([
    ['nobody knows it', {}, { kind: 'new' }],
    ['one by address', { ip_address: ['1'] }, { kind: 'known', ci: '1', by: 'ip_address' }],
    [
      'the first key decides',
      { serial_number: ['1'], ip_address: ['2'] },
      { kind: 'known', ci: '1', by: 'serial_number' },
    ],
    [
      'two under the deciding key',
      { mac_address: ['1', '2'], hostname: ['1'] },
      { kind: 'unsure', by: 'mac_address', candidates: ['1', '2'] },
    ],
    [
      'serial number and hardware address say different things',
      { serial_number: ['1'], mac_address: ['2'] },
      {
        kind: 'unsure',
        by: 'serial_number',
        candidates: ['1', '2'],
        reason: 'serial_number and mac_address match different CIs',
      },
    ],
    [
      'external key and host name say different things',
      { external_key: ['1'], hostname: ['2', '3'] },
      { kind: 'unsure', by: 'external_key', candidates: ['1', '2', '3'] },
    ],
    [
      'a later key that finds it among others agrees',
      { external_key: ['1'], hostname: ['1', '2'] },
      { kind: 'known', ci: '1', by: 'external_key' },
    ],
  ])('%s', (_, matched, decision) => {
    expect(decide(machine, { ...NONE, ...matched }, cisOf(ci('1'), ci('2'), ci('3')))).toMatchObject(decision);
  });

  test('of two of one short name, the one with another domain is somebody else', () => {
    const namesakes = cisOf(ci('1', { fqdn: 'web-01.a.example' }), ci('2', { fqdn: 'web-01.b.example' }));
    const asked = seen({ hostname: 'web-01', fqdn: 'web-01.b.example' });
    const both = { ...NONE, hostname: ['1', '2'] };
    expect(decide(asked, both, namesakes)).toEqual({ kind: 'known', ci: '2', by: 'hostname' });
    expect(decide(asked, { ...NONE, hostname: ['1'] }, namesakes)).toEqual({ kind: 'new' });
    expect(decide(seen({ hostname: 'web-01' }), both, namesakes)).toMatchObject({ kind: 'unsure' });
  });

  test.each<[string, Host, Ci, Partial<MatchedCis>, string | null]>([
    [
      'another serial number',
      { serialNumber: 'NEW', hostname: 'a' },
      ci('1', { serial_number: 'OLD' }),
      { hostname: ['1'] },
      'serial_number',
    ],
    [
      'the same in other letters',
      { serialNumber: 'old', hostname: 'a' },
      ci('1', { serial_number: 'OLD' }),
      { hostname: ['1'] },
      null,
    ],
    [
      'an address that moved',
      { hostname: 'new', ipAddress: '10.0.0.1' },
      ci('1', { hostname: 'old' }),
      { ip_address: ['1'] },
      'hostname',
    ],
    [
      'a CI with a name of its own',
      { hostname: 'new', ipAddress: '10.0.0.1' },
      ci('1', {}, 'Web server'),
      { ip_address: ['1'] },
      null,
    ],
    [
      'the same with its domain',
      { hostname: 'a.example', ipAddress: '10.0.0.1' },
      ci('1', { hostname: 'a' }),
      { ip_address: ['1'] },
      null,
    ],
  ])('%s', (_, host, one, matched, against) => {
    const decision = decide(seen(host), { ...NONE, ...matched }, cisOf(one));
    if (against === null) expect(decision).toMatchObject({ kind: 'known', ci: '1' });
    else expect(decision).toMatchObject({ kind: 'unsure', reason: expect.stringContaining(`a different ${against}`) });
  });
});

describe('Names that many machines have', () => {
  const address = '10.20.0.5';
  test.each([
    'ip-10-20-0-5',
    'dhcp-10-20-0-5.example.net',
    '5-0-20-10.pool.isp.example',
    '10.20.0.5.isp.example',
    'x10_20_0_5',
    'host-010-020-000-005',
    'p010020000005',
    'c-0a140005.isp.example',
    'pool-5',
    'dhcp0-5',
    'dyn-20-0-5',
    'dhcp5.example',
    'dhcp.example.net',
    'unassigned.example.net',
    'no-rdns.example.net',
    'customer.example.net',
  ])('%s says an address', (name) => expect(isNameOfAddress(name, [address])).toBe(true));
  test.each([
    'ip-10-20-0-50',
    'ip-110-20-0-5',
    'web-5',
    'db5',
    'pool-6',
    'vpn.example.net',
    'host-5',
    'static.example.net',
    'node-10-20',
    'dhcp-server-1',
    'a0a140005b',
    'web-1.example.org',
    'vlan-20-0-5',
  ])('%s is a name', (name) => expect(isNameOfAddress(name, [address])).toBe(false));
  test('of IPv6', () => {
    expect(isNameOfAddress('dhcp-2001-db8--5.example.net', ['2001:db8::5'])).toBe(true);
    expect(isNameOfAddress('web-1.example.net', ['2001:db8::5'])).toBe(false);
  });

  test.each(['raspberrypi', 'iPhone'.toLowerCase(), 'iphone-2', 'router.lan', 'openwrt', 'nas.fritz.box', 'printer'])(
    '%s is how devices are called at first',
    (name) => expect(isDefaultName(name)).toBe(true),
  );
  test.each(['router.example.org', 'server-12', 'nas-1', 'web', 'desktop-4f9a2b1', 'esp-1a2b3c'])(
    '%s was given to one machine',
    (name) => expect(isDefaultName(name)).toBe(false),
  );
});
