import { beforeEach, describe, expect, test } from '@jest/globals';
import type { TopologyPorts } from '#domain/ports/topology/topology-ports.ts';
import type { BindingQuery } from '#domain/topology/binding.ts';
import { aCi, TENANT, topologyUnderTest } from './topology-samples.ts';

export function bindingContract(open: () => Promise<TopologyPorts>): void {
  let ports: TopologyPorts;
  beforeEach(async () => {
    ports = await open();
  });
  const { cis } = topologyUnderTest(() => ports);

  describe('binds events', () => {
    const bind = async (query: BindingQuery) => {
      const [bound] = await ports.matcher.bind(TENANT, [query]);
      return bound?.ambiguous ? 'ambiguous' : bound?.ci === null ? 'unbound' : `${bound?.ci.id} by ${bound?.method}`;
    };
    beforeEach(() =>
      cis(
        aCi('1', { name: 'Web-01', externalKey: '/subscriptions/S/VM/web-01', attributes: { ip_address: '10.0.0.1' } }),
        aCi('2', { name: 'Database', attributes: { hostname: 'db-01', fqdn: 'db-01.example.com' } }),
        aCi('3', { name: 'x1.one.example', customFields: { all_ip_addresses: ['10.0.0.3', '2001:DB8::0:1'] } }),
        aCi('4', {
          name: 'x1.two.example',
          attributes: { interfaces: [{ ip: '10.0.0.4/24', gateway_ip: '10.0.0.254' }] },
        }),
        aCi('5', { name: 'twin', attributes: { ip_address: '10.0.0.9' } }),
        aCi('8', { name: 'shop/web' }),
        aCi('7', { name: 'shop', externalKey: 'i-0abc' }),
        aCi('6', { name: 'Twin', attributes: { private_ip: '10.0.0.9', lo: { address: '127.0.0.1' } } }),
      ),
    );

    test.each([
      ['id', { ciId: '2', hostname: 'web-01' }, '2 by id'],
      ['external key, any case', { ciId: '/SUBSCRIPTIONS/s/vm/WEB-01' }, '1 by external_key'],
      ['hints in their order', { ciId: 'no', hints: ['no', 'db-01.example.com', 'web-01'] }, '2 by fqdn'],
      [
        'the key of a hint before the host',
        { hints: ['/subscriptions/s/vm/web-01'], hostname: 'db-01' },
        '1 by external_key',
      ],
      [
        'the host before names of hints',
        { hints: ['no', 'Database'], hostname: 'web-01.corp.example' },
        '1 by short_name',
      ],
      ['the address before names of hints', { hints: ['Database'], ipAddress: '10.0.0.3' }, '3 by ip'],
      ['something on a host', { hostname: 'db-01.example.com/orders' }, '2 by fqdn'],
      ['a name with a slash', { hostname: 'Shop/Web' }, '8 by name'],
      ['an external key as host name', { hostname: 'I-0ABC' }, '7 by external_key'],
      ['name', { hostname: 'WEB-01' }, '1 by name'],
      ['host name attribute', { hostname: 'db-01' }, '2 by hostname'],
      ['FQDN', { hostname: 'DB-01.example.com.' }, '2 by fqdn'],
      ['first label of what the event says', { hostname: 'web-01.corp.example' }, '1 by short_name'],
      ['first label in another domain', { hostname: 'db-01.other.example' }, 'unbound'],
      [
        'first label in another domain, known address',
        { hostname: 'db-01.other.example', ipAddress: '10.0.0.3' },
        '3 by ip',
      ],
      ['first label in another domain than a name', { hostname: 'x1.three.example' }, 'unbound'],
      ['first label in the beginning of a domain', { hostname: 'x1.two' }, '4 by short_name'],
      ['first label in a domain that goes on', { hostname: 'db-01.example.com.corp' }, '2 by short_name'],
      ['first label in a domain that says nothing', { hostname: 'db-01.localdomain' }, '2 by short_name'],
      ['host before address', { hostname: 'web-01', ipAddress: '10.0.0.3' }, '1 by name'],
      ['unknown id, known host', { ciId: 'no', hostname: 'web-01' }, '1 by name'],
      ['unknown host, known address', { hostname: 'no', ipAddress: '10.0.0.3' }, '3 by ip'],
      ['IPv4 within IPv6', { ipAddress: '::ffff:10.0.0.1' }, '1 by ip'],
      ['another spelling of an IPv6 address', { ipAddress: '2001:db8:0:0:0:0:0:1' }, '3 by ip'],
      ['an address in a structure, with its prefix', { ipAddress: '10.0.0.4' }, '4 by ip'],
      ['an address as host name', { hostname: '10.0.0.4:9100' }, '4 by ip'],
      ['a gateway is somebody else', { ipAddress: '10.0.0.254' }, 'unbound'],
      ['everybody has a loopback', { ipAddress: '127.0.0.1' }, 'unbound'],
      ['two of one name', { hostname: 'twin', ipAddress: '10.0.0.1' }, 'ambiguous'],
      ['two of one address', { ipAddress: '10.0.0.9' }, 'ambiguous'],
      ['two of one first label', { hostname: 'x1' }, 'ambiguous'],
      ['two of one first label, told apart by address', { hostname: 'x1', ipAddress: '10.0.0.4' }, '4 by ip'],
      ['nothing', {}, 'unbound'],
    ])('%s', async (_case, query, expected) => {
      expect(await bind(query)).toBe(expected);
      expect(await ports.matcher.bindInTime(TENANT, [query])).toEqual(await ports.matcher.bind(TENANT, [query]));
    });

    test('tells when a CI is in maintenance, which follows its changes', async () => {
      const window = { maintenance_window: '2026-11-20T10:00:00Z/2026-11-20T12:00:00Z' };
      const at = { from: Date.parse('2026-11-20T10:00:00Z'), to: Date.parse('2026-11-20T12:00:00Z') };
      const told = async (ciId: string) => (await ports.matcher.bind(TENANT, [{ ciId }]))[0]!.maintenance;
      const listed = async () =>
        [...(await ports.topology.inMaintenance(TENANT))].sort((one, other) => (one.ciId < other.ciId ? -1 : 1));
      await cis(aCi('m1', { status: 'maintenance' }), aCi('m2', { customFields: window }));
      await cis(
        aCi('m3', { status: 'maintenance', customFields: window }),
        aCi('m4', { customFields: { maintenance_window: 'soon' } }),
      );
      expect([await told('m1'), await told('m2'), await told('m3'), await told('m4'), await told('1')]).toEqual([
        { always: true },
        { window: at },
        { always: true, window: at },
        undefined,
        undefined,
      ]);
      expect(await listed()).toEqual([
        { ciId: 'm1', maintenance: { always: true } },
        { ciId: 'm2', maintenance: { window: at } },
        { ciId: 'm3', maintenance: { always: true, window: at } },
      ]);
      expect(await ports.topology.inMaintenance('other')).toEqual([]);
      await cis(aCi('m1', { revision: 2 }), aCi('m3', { revision: 2, customFields: window }));
      await ports.cis.remove(TENANT, 'm2', 200);
      expect([await told('m1'), await told('m3')]).toEqual([undefined, { window: at }]);
      expect(await listed()).toEqual([{ ciId: 'm3', maintenance: { window: at } }]);
    });

    test('names and addresses follow changes and removals', async () => {
      await cis(aCi('1', { name: 'app-01', revision: 2 }));
      await ports.cis.remove(TENANT, '5', 200);
      expect(await bind({ hostname: 'web-01' })).toBe('unbound');
      expect(await bind({ ipAddress: '10.0.0.1' })).toBe('unbound');
      expect(await bind({ hostname: 'app-01' })).toBe('1 by name');
      expect(await bind({ hostname: 'twin' })).toBe('6 by name');
      expect(await bind({ ciId: '5' })).toBe('unbound');
    });
  });
}
