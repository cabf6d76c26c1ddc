import { beforeEach, describe, expect, test } from '@jest/globals';
import type { TopologyPorts } from '#domain/ports/topology/topology-ports.ts';
import type { MachineKeys, MatchKey } from '#domain/topology/match.ts';
import { aCi, TENANT, topologyUnderTest } from './topology-samples.ts';

const NOTHING: MachineKeys = {
  external_key: [],
  serial_number: [],
  mac_address: [],
  fqdn: [],
  hostname: [],
  ip_address: [],
};

export function matchingContract(open: () => Promise<TopologyPorts>): void {
  let ports: TopologyPorts;
  beforeEach(async () => {
    ports = await open();
  });
  const { cis } = topologyUnderTest(() => ports);

  describe('finds CIs by what a scanner knows of a machine', () => {
    const found = async (key: MatchKey, ...texts: readonly string[]) => {
      const [matched] = await ports.matcher.match(TENANT, [{ ...NOTHING, [key]: texts }]);
      return matched![key];
    };
    beforeEach(() =>
      cis(
        aCi('1', {
          name: 'web-01',
          externalKey: 'i-0Abc',
          attributes: { serial_number: 'sn-1', mac_address: '00:1A:2B:00:00:01', ip_address: '10.0.0.1' },
        }),
        aCi('2', {
          name: 'Database',
          attributes: { hostname: 'db-01', fqdn: 'db-01.example.com', serial_number: 'SN-2', ip_address: '10.0.0.2' },
          customFields: { interfaces: [{ mac: '001a.2b00.0002', ip: '10.0.0.3' }] },
        }),
        aCi('3', { name: 'clone', attributes: { serial_number: 'SN-2', mac_address: '00-1a-2b-00-00-02' } }),
      ),
    );

    test.each([
      ['external_key', ['I-0ABC'], ['1']],
      ['serial_number', ['SN-1'], ['1']],
      ['serial_number', ['SN-2'], ['2', '3']],
      ['mac_address', ['00:1a:2b:00:00:01'], ['1']],
      ['mac_address', ['00:1a:2b:00:00:09', '00:1a:2b:00:00:02'], ['2', '3']],
      ['fqdn', ['db-01.example.com'], ['2']],
      ['fqdn', ['db-01'], ['2']],
      ['hostname', ['web-01'], ['1']],
      ['hostname', ['db-01'], ['2']],
      ['hostname', ['db-01.elsewhere.example'], []],
      ['ip_address', ['10.0.0.3', '10.0.0.1'], ['1', '2']],
      ['ip_address', ['10.0.0.9'], []],
    ] as const)('%s %j: %j', async (key, texts, expected) => {
      expect(await found(key, ...texts)).toEqual(expected);
    });

    test('a host name that nobody has may be the first label of one', async () => {
      await cis(aCi('4', { name: 'app-07.example.com' }));
      expect(await found('hostname', 'app-07')).toEqual(['4']);
      expect(await found('fqdn', 'app-07')).toEqual([]);
    });

    test('many machines at once, each by all its keys', async () => {
      const asked = [
        { ...NOTHING, serial_number: ['SN-1'], hostname: ['db-01'] },
        NOTHING,
        { ...NOTHING, mac_address: ['00:1a:2b:00:00:01'], ip_address: ['10.0.0.2'] },
      ];
      expect(await ports.matcher.match(TENANT, asked)).toEqual([
        { ...NOTHING, serial_number: ['1'], hostname: ['2'] },
        NOTHING,
        { ...NOTHING, mac_address: ['1'], ip_address: ['2'] },
      ]);
      expect(await ports.matcher.match(TENANT, [])).toEqual([]);
    });

    test('hardware follows changes and removals', async () => {
      await cis(aCi('1', { name: 'web-01', revision: 2, attributes: { serial_number: 'SN-9' } }));
      await ports.cis.remove(TENANT, '3', 200);
      expect(await found('serial_number', 'SN-1')).toEqual([]);
      expect(await found('mac_address', '00:1a:2b:00:00:01')).toEqual([]);
      expect(await found('serial_number', 'SN-9')).toEqual(['1']);
      expect(await found('serial_number', 'SN-2')).toEqual(['2']);
      await cis(aCi('1', { name: 'web-01', revision: 3, attributes: { serial_number: 'SN-9' } }));
      expect(await found('serial_number', 'SN-9')).toEqual(['1']);
    });

    test('at most ten are shown, the first ones', async () => {
      const twins = Array.from({ length: 12 }, (_, i) => `t${String(i).padStart(2, '0')}`);
      await cis(...twins.map((id) => aCi(id, { attributes: { serial_number: 'SAME' } })));
      expect(await found('serial_number', 'SAME')).toHaveLength(10);
    });

    test('a foreign tenant finds nothing', async () => {
      const machine = { ...NOTHING, serial_number: ['SN-1'], hostname: ['web-01'], mac_address: ['00:1a:2b:00:00:01'] };
      expect(await ports.matcher.match('other', [machine])).toEqual([NOTHING]);
    });
  });
}
