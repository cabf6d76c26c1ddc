import { describe, expect, test } from '@jest/globals';
import type { Ports } from '#domain/ports/ports.ts';
import type { Ci } from '#domain/topology/topology.ts';
import type { HostOutcome } from '#features/discovery/rules/scan.ts';
import { openRecordWorld, TENANT } from '#test/setup/record-world.ts';
import { runnerOf } from '#test/setup/tasks.ts';
import { discoveryTasks } from './discovery-tasks.ts';
import { type ChunkOutcome, DISCOVERY_KINDS } from './records.ts';
import { giveIn } from './scans-for-tests.ts';

type Fields = Readonly<Record<string, unknown>>;
interface Stored {
  readonly scanner: string | null;
  readonly fields: Fields;
}
/** Seen an hour ago by the scanner of the rows, by another one, or written by a person. */
const seen = (fields: Fields): Stored => ({ scanner: 'nmap', fields });
const agent = (fields: Fields): Stored => ({ scanner: 'agent', fields });
const hand = (fields: Fields): Stored => ({ scanner: null, fields });

const [A, B, C] = ['00:1a:2b:00:00:0a', '00:1a:2b:00:00:0b', '00:1a:2b:00:00:0c'];
const [IP, OTHER] = ['10.0.0.5', '10.0.0.9'];
const at = (fields: Fields): Fields => ({ ip_address: IP, ...fields });
const away = (fields: Fields): Fields => ({ ip_address: OTHER, ...fields });
const card = (mac: string, ...addresses: string[]) => ({ mac_address: mac, ip_addresses: addresses });

const outcomesOf = async ({ records }: Ports, scan: string): Promise<HostOutcome[]> =>
  (await records.list<ChunkOutcome>(TENANT, DISCOVERY_KINDS.outcome, { limit: 100 }))
    .filter(({ id }) => id.startsWith(scan))
    .flatMap(({ body }) => body.hosts);
const cisOf = async (ports: Ports): Promise<readonly Ci[]> =>
  (await ports.topology.findCis(TENANT, {}, { sort: 'created_at', order: 'asc', limit: 100 })).items;

const scanned = async (ports: Ports, hosts: readonly Fields[], scannerId = 'nmap') => {
  const id = await giveIn(ports, hosts, { scannerId });
  await runnerOf(discoveryTasks, ports).tick();
  return outcomesOf(ports, id);
};

async function store(ports: Ports, { scanner, fields }: Stored): Promise<void> {
  if (scanner !== null) {
    await scanned(ports, [fields], scanner);
    return;
  }
  const { name = 'by-hand', external_key, ...attributes } = fields as { name?: string; external_key?: string };
  await ports.cis.put(TENANT, [
    {
      tenant: TENANT,
      id: ports.ids.ulid(),
      name,
      type: 'server',
      status: 'active',
      attributes,
      customFields: {},
      ...(external_key !== undefined && { externalKey: external_key }),
      createdAt: 1,
      updatedAt: 1,
      createdBy: 'ann',
      updatedBy: 'ann',
      revision: 1,
    },
  ]);
}

type Row = readonly [what: string, stored: Stored, said: Fields];

const SAME: readonly Row[] = [
  ['the same again', seen(at({ mac_address: A })), at({ mac_address: A })],
  ['no MAC address, as behind a router', seen(at({ mac_address: A })), at({})],
  ['no MAC address until now', seen(at({})), at({ mac_address: A })],
  ['no name, where there was one', seen(at({ hostname: 'web-1', fqdn: 'web-1.example.org' })), at({})],
  ['a name, where there was none', seen(at({})), at({ hostname: 'web-1' })],
  ['a new address, known by MAC', seen(at({ mac_address: A })), away({ mac_address: A })],
  ['a new address, known by name', seen(at({ hostname: 'web-1' })), away({ hostname: 'web-1' })],
  ['a new address, known by full name', seen(at({ fqdn: 'web-1.example.org' })), away({ fqdn: 'web-1.example.org' })],
  [
    'a new network card',
    seen(at({ serial_number: 'SN-1', mac_address: A })),
    at({ serial_number: 'SN-1', mac_address: B }),
  ],
  [
    'a new card and a new address',
    seen(at({ serial_number: 'SN-1', mac_address: A })),
    away({ serial_number: 'SN-1', mac_address: B }),
  ],
  [
    'a new name, known by serial number',
    seen(at({ serial_number: 'SN-1', hostname: 'old' })),
    at({ serial_number: 'sn-1', hostname: 'new' }),
  ],
  [
    'a new name on the same card and address',
    seen(at({ mac_address: A, hostname: 'old' })),
    at({ mac_address: A, hostname: 'new' }),
  ],
  ['another card of several', seen(at({ interfaces: [card(A, IP), card(B, OTHER)] })), away({ mac_address: B })],
  ['another address of several', seen(at({ interfaces: [card(A, IP, OTHER)] })), away({})],
  [
    'another address of several, with its name',
    seen(at({ hostname: 'web-1', interfaces: [card(A, IP, OTHER)] })),
    away({ hostname: 'web-1' }),
  ],
  [
    'IPv6 of a machine known by IPv4',
    seen(at({ fqdn: 'web-1.example.org' })),
    { ip_address: '2001:db8::1', fqdn: 'web-1.example.org' },
  ],
  [
    'an external key',
    seen(at({ external_key: 'k-1', hostname: 'old', mac_address: A })),
    away({ external_key: 'k-1', hostname: 'new', mac_address: B }),
  ],
  [
    'a new board below the same external key',
    seen(at({ external_key: 'k-1', serial_number: 'SN-1' })),
    at({ external_key: 'k-1', serial_number: 'SN-2' }),
  ],
  [
    'an id of a cloud where there was a key of ours',
    seen(at({ external_key: 'k-1', hostname: 'web-1' })),
    at({ external_key: 'i-0abcdef1', hostname: 'web-1' }),
  ],
  [
    'ids of two clouds',
    seen(at({ hostname: 'web-1', attributes: { instance_id: 'i-0abcdef1' } })),
    at({ hostname: 'web-1', attributes: { vm_id: '4c4c4544-0042-3010-8051-b4c04f4d4e32' } }),
  ],
  [
    'the ARN of an instance whose id is known',
    seen(at({ hostname: 'a', attributes: { instance_id: 'i-0abcdef1' } })),
    at({ hostname: 'a', attributes: { arn: 'arn:aws:ec2:eu-west-1:1:instance/i-0abcdef1' } }),
  ],
  ['localhost as its name', seen(at({ hostname: 'web-1' })), at({ hostname: 'localhost.localdomain' })],
  ['localhost where it was localhost', seen(at({ hostname: 'localhost' })), at({ hostname: 'web-1' })],
  ['the same default name at the same address', seen(at({ hostname: 'raspberrypi' })), at({ hostname: 'raspberrypi' })],
  ['a default name that got a real one', seen(at({ hostname: 'raspberrypi' })), at({ hostname: 'cam-1' })],
  [
    'a default name with a domain of its own',
    seen(at({ hostname: 'router.example.org' })),
    away({ hostname: 'router.example.org' }),
  ],
  [
    'a name of the pool',
    seen(at({ mac_address: A, hostname: 'web-1' })),
    at({ hostname: 'dhcp-10-0-0-5.example.net' }),
  ],
  [
    'another name of the pool, known by MAC',
    seen(at({ mac_address: A, hostname: 'dhcp-10-0-0-5' })),
    away({ mac_address: A, hostname: 'dhcp-10-0-0-9' }),
  ],
  ['a name of EC2', seen(at({ hostname: 'ip-10-0-0-5.ec2.internal' })), at({ hostname: 'ip-10-0-0-5' })],
  [
    'a MAC address of VRRP',
    seen(at({ mac_address: A, hostname: 'gw' })),
    at({ mac_address: '00:00:5e:00:01:07', hostname: 'gw' }),
  ],
  ['a serial number of nobody', seen(at({ serial_number: 'SN-1' })), at({ serial_number: 'To be filled by O.E.M.' })],
  [
    'a CI by hand with the address',
    hand({ ip_address: IP, name: 'Web server' }),
    at({ mac_address: A, hostname: 'web-1' }),
  ],
  ['a CI by hand of that name', hand({ name: 'web-1' }), at({ hostname: 'web-1', mac_address: A })],
  ['short name and full name', seen(at({ hostname: 'web-1' })), at({ fqdn: 'web-1.example.org' })],
];

const NEW: readonly Row[] = [
  ['an address that DHCP gave to another', seen(at({ mac_address: A })), at({ mac_address: B })],
  [
    'the same, where the other had a name',
    seen(at({ mac_address: A, hostname: 'laptop-ann' })),
    at({ mac_address: B }),
  ],
  [
    'the same, and both have names',
    seen(at({ mac_address: A, hostname: 'laptop-ann' })),
    at({ mac_address: B, hostname: 'phone-bob' }),
  ],
  [
    'the same, and both have the name of the pool',
    seen(at({ mac_address: A, fqdn: 'dhcp-10-0-0-5.example.net' })),
    at({ mac_address: B, fqdn: 'dhcp-10-0-0-5.example.net' }),
  ],
  [
    'the same with the numbers the other way round',
    seen(at({ mac_address: A, fqdn: '5.0.0.10.isp.example' })),
    at({ mac_address: B, fqdn: '5.0.0.10.isp.example' }),
  ],
  [
    'the same with numbers of three digits',
    seen(at({ mac_address: A, hostname: 'x010000000005' })),
    at({ mac_address: B, hostname: 'x010000000005' }),
  ],
  [
    'the same in hexadecimal',
    seen(at({ mac_address: A, hostname: 'c-0a000005' })),
    at({ mac_address: B, hostname: 'c-0a000005' }),
  ],
  [
    'the same with the last number only',
    seen(at({ mac_address: A, hostname: 'pool-5' })),
    at({ mac_address: B, hostname: 'pool-5' }),
  ],
  [
    'the same, and both are localhost',
    seen(at({ mac_address: A, hostname: 'localhost' })),
    at({ mac_address: B, hostname: 'localhost' }),
  ],
  [
    'the same, and both have a default name',
    seen(at({ mac_address: A, hostname: 'iphone' })),
    at({ mac_address: B, hostname: 'iPhone' }),
  ],
  ['another serial number at the address', seen(at({ serial_number: 'SN-1' })), at({ serial_number: 'SN-2' })],
  [
    'another instance at the address',
    seen(at({ attributes: { instance_id: 'i-0abcdef1' } })),
    at({ attributes: { instance_id: 'i-0abcdef2' } }),
  ],
  [
    'two devices with a default name',
    seen(at({ mac_address: A, hostname: 'raspberrypi' })),
    away({ mac_address: B, hostname: 'raspberrypi' }),
  ],
  ['two of them behind a router', seen(at({ hostname: 'openwrt.lan' })), away({ hostname: 'openwrt.lan' })],
  [
    'two names of a pool without a number',
    seen(at({ fqdn: 'customer.isp.example' })),
    away({ fqdn: 'customer.isp.example' }),
  ],
  ['one short name in two domains', seen(at({ fqdn: 'web-1.a.example' })), away({ fqdn: 'web-1.b.example' })],
  ['nothing in common', seen(at({ mac_address: A, hostname: 'a' })), away({ mac_address: B, hostname: 'b' })],
  [
    'one virtual MAC address',
    seen(at({ mac_address: '00:00:5e:00:01:07' })),
    away({ mac_address: '00:00:5e:00:01:07' }),
  ],
  [
    'one serial number of nobody',
    seen(at({ serial_number: 'None', hostname: 'a' })),
    away({ serial_number: 'None', hostname: 'b' }),
  ],
  ['localhost in two places', seen(at({ hostname: 'localhost' })), away({ hostname: 'localhost' })],
];

const ASK: readonly Row[] = [
  [
    'two machines with one host name',
    seen(at({ mac_address: A, hostname: 'app' })),
    away({ mac_address: B, hostname: 'app' }),
  ],
  [
    'two machines with one full name',
    seen(at({ mac_address: A, fqdn: 'app.example.org' })),
    away({ mac_address: B, fqdn: 'app.example.org' }),
  ],
  [
    'a new card without a serial number',
    seen(at({ mac_address: A, hostname: 'app' })),
    at({ mac_address: B, hostname: 'app' }),
  ],
  [
    'a cloned machine',
    seen(at({ serial_number: 'VMware-1', mac_address: A, hostname: 'app' })),
    away({ serial_number: 'VMware-2', mac_address: B, hostname: 'app' }),
  ],
  [
    'a cloned machine with the same MAC address',
    seen(at({ serial_number: 'VMware-1', mac_address: A })),
    away({ serial_number: 'VMware-2', mac_address: A }),
  ],
  [
    'a machine built anew under its name',
    seen(at({ serial_number: 'SN-1', fqdn: 'db.example.org' })),
    at({ serial_number: 'SN-2', fqdn: 'db.example.org' }),
  ],
  [
    'another instance of a cloud under one name',
    seen(at({ hostname: 'app', external_key: 'i-0abcdef1' })),
    away({ hostname: 'app', external_key: 'i-0abcdef2' }),
  ],
  [
    'instances of one cloned serial number',
    seen(at({ serial_number: 'SN-1', attributes: { instance_id: 'i-0abcdef1' } })),
    away({ serial_number: 'SN-1', attributes: { instance_id: 'i-0abcdef2' } }),
  ],
  [
    'a serial number of a chassis: cards and names differ',
    seen(at({ serial_number: 'SN-1', mac_address: A, hostname: 'node-1' })),
    away({ serial_number: 'SN-1', mac_address: B, hostname: 'node-2' }),
  ],
  [
    'a virtual address with a name, on the card of a node',
    seen(at({ mac_address: A, hostname: 'node-1' })),
    away({ mac_address: A, hostname: 'vip' }),
  ],
  [
    'a card that has moved to another machine',
    seen(at({ mac_address: A, serial_number: 'SN-1' })),
    at({ mac_address: A, serial_number: 'SN-2' }),
  ],
  ['another name at the address, behind a router', seen(at({ hostname: 'web-1' })), at({ hostname: 'db-1' })],
  [
    'another domain at the address',
    seen(at({ fqdn: 'web-1.a.example' })),
    at({ hostname: 'web-1', fqdn: 'web-1.b.example' }),
  ],
  ['an address that a person has written', hand({ ip_address: IP, mac_address: A }), at({ mac_address: B })],
  ['an address that another scanner has seen', agent(at({ mac_address: A })), at({ mac_address: B })],
  [
    'an address that a custom list has, too',
    seen(at({ mac_address: A, attributes: { service_ips: [IP] } })),
    at({ mac_address: B }),
  ],
];

/** Marks of the CI that was there. */
const marks = ({ name, attributes: { mac_address, serial_number, hostname, fqdn } }: Ci) => ({
  name,
  mac_address,
  serial_number,
  hostname,
  fqdn,
});

describe('What is stored, and what a scan says', () => {
  const play = async ([, stored, said]: Row) => {
    using world = openRecordWorld();
    const { ports, clock } = world;
    await store(ports, stored);
    const [before] = (await cisOf(ports)) as [Ci];
    clock.advance(3_600_000);
    const [first] = await scanned(ports, [said]);
    const [after, ...others] = (await cisOf(ports)) as [Ci, ...Ci[]];
    clock.advance(3_600_000);
    const [again] = await scanned(ports, [said]);
    return { before, after, others, first: first as HostOutcome, again: again as HostOutcome, all: await cisOf(ports) };
  };

  test('has more than sixty rows', () => expect([...SAME, ...NEW, ...ASK].length).toBeGreaterThan(60));

  test.each(SAME)('one machine: %s', async (...row) => {
    const { before, first, others } = await play(row);
    expect([first.ci, first.reason, others]).toEqual([before.id, null, []]);
    expect(['updated', 'unchanged']).toContain(first.action);
  });

  test.each(NEW)('another machine: %s', async (...row) => {
    const { before, after, first, again, all } = await play(row);
    expect([first.action, again.ci, all.length]).toEqual(['created', first.ci, 2]);
    const { mac_address, serial_number } = before.attributes;
    expect(after.attributes).toMatchObject({
      ...(mac_address !== undefined && { mac_address }),
      ...(serial_number !== undefined && { serial_number }),
    });
    expect([after.id, after.name]).toEqual([before.id, before.name]);
  });

  test.each(ASK)('a question: %s', async (...row) => {
    const { before, after, first, again, others } = await play(row);
    expect([first.action, first.ci, again.review]).toEqual(['ambiguous', null, first.review]);
    expect([after, others]).toEqual([before, []]);
    expect(marks(after)).toEqual(marks(before));
  });
});

describe('An address that moves', () => {
  test('is no longer that of the machine that had it, which stays as it was', async () => {
    using world = openRecordWorld();
    const { ports, clock } = world;
    await scanned(ports, [at({ mac_address: A, hostname: 'laptop' }), away({ mac_address: B })]);
    clock.advance(1_000);
    // The laptop is off; the other machine, which is known, has its address now.
    await scanned(ports, [at({ mac_address: B })]);
    const shown = (await cisOf(ports)).map(({ attributes }) => attributes);
    expect(shown).toEqual([
      { mac_address: A, hostname: 'laptop', former_ip_address: IP },
      { mac_address: B, ip_address: IP },
    ]);
    clock.advance(1_000);
    await scanned(ports, [away({ mac_address: A, hostname: 'laptop' })]);
    expect((await cisOf(ports))[0]?.attributes).toMatchObject({ ip_address: OTHER, hostname: 'laptop' });
  });

  test('goes round among machines in one scan', async () => {
    using world = openRecordWorld();
    const { ports, clock } = world;
    const macs = [A, B, C];
    const round = (shift: number) =>
      macs.map((mac_address, i) => ({ mac_address, ip_address: `10.0.1.${(i + shift) % 3}` }));
    await scanned(ports, round(0));
    for (const shift of [1, 2, 0]) {
      clock.advance(1_000);
      await scanned(ports, round(shift));
      const shown = (await cisOf(ports)).map(({ attributes: { mac_address, ip_address } }) => ({
        mac_address,
        ip_address,
      }));
      expect(shown).toEqual(round(shift));
    }
  });

  test('of two machines at once asks', async () => {
    using world = openRecordWorld();
    const { ports } = world;
    const outcomes = await scanned(ports, [at({ mac_address: A }), at({ mac_address: B })]);
    expect(outcomes.map(({ action }) => action)).toEqual(['created', 'ambiguous']);
    expect((await cisOf(ports)).map(({ attributes }) => attributes)).toEqual([at({ mac_address: A })]);
  });
});

describe('Machines of one scan', () => {
  const named = (n: number, fqdn: string) => ({ ip_address: `10.0.2.${n}`, fqdn });
  test('with one reverse name are as many CIs, named by their addresses, in whatever order', async () => {
    using world = openRecordWorld();
    const { ports, clock } = world;
    const hosts = [1, 2, 3].map((n) => named(n, 'gen.example.org'));
    await scanned(ports, hosts);
    clock.advance(1_000);
    const again = await scanned(ports, hosts.toReversed());
    expect(again.map(({ action }) => action)).toEqual(['unchanged', 'unchanged', 'unchanged']);
    expect((await cisOf(ports)).map(({ name, attributes }) => [name, attributes.dns_name])).toEqual(
      [1, 2, 3].map((n) => [`10.0.2.${n}`, 'gen.example.org']),
    );
  });

  test('two with one name are a CI and a question, in whatever order', async () => {
    using world = openRecordWorld();
    const { ports, clock } = world;
    const hosts = [1, 2].map((n) => named(n, 'twice.example.org'));
    await scanned(ports, hosts);
    for (const order of [hosts.toReversed(), hosts]) {
      clock.advance(1_000);
      const outcomes = await scanned(ports, order);
      expect(outcomes.map(({ ipAddress, action }) => `${ipAddress} ${action}`).sort()).toEqual([
        '10.0.2.1 unchanged',
        '10.0.2.2 ambiguous',
      ]);
      const cis = await cisOf(ports);
      expect(cis.map(({ attributes }) => attributes.ip_address)).toEqual(['10.0.2.1']);
    }
  });

  test('named once per port, per card or per address are one, with all of them', async () => {
    using world = openRecordWorld();
    const { ports } = world;
    const outcomes = await scanned(ports, [
      at({ open_ports: [22], listening_processes: [{ name: 'ssh', port: 22, protocol: 'tcp' }] }),
      at({ open_ports: [443], listening_processes: [{ name: 'web', port: 443, protocol: 'tcp' }] }),
      { ip_address: '10.0.3.1', mac_address: A },
      { ip_address: '10.0.3.2', mac_address: A },
      { ip_address: '10.0.4.1', serial_number: 'SN-1', mac_address: B },
      { ip_address: '10.0.4.2', serial_number: 'SN-1', mac_address: C },
    ]);
    const cis = await cisOf(ports);
    expect(outcomes.map(({ action, ci }) => `${action} ${cis.findIndex(({ id }) => id === ci)}`)).toEqual(
      [0, 1, 2].flatMap((n) => [`created ${n}`, `unchanged ${n}`]),
    );
    expect(
      cis.map(({ attributes: { ip_address, open_ports, interfaces } }) => ({ ip_address, open_ports, interfaces })),
    ).toEqual([
      { ip_address: IP, open_ports: [22, 443] },
      { ip_address: '10.0.3.1', interfaces: [card(A, '10.0.3.1', '10.0.3.2')] },
      { ip_address: '10.0.4.1', interfaces: [card(B, '10.0.4.1'), card(C, '10.0.4.2')] },
    ]);
    const network = await ports.records.get<{ listeners: readonly { port: number }[] }>(
      TENANT,
      DISCOVERY_KINDS.network,
      cis[0]?.id ?? '',
    );
    expect(network?.body.listeners.map(({ port }) => port)).toEqual([22, 443]);
  });

  test('add up when they come in different parts of one scan', async () => {
    using world = openRecordWorld();
    const { ports, clock } = world;
    const filler = Array.from({ length: 120 }, (_, i) => ({ ip_address: `10.1.0.${i + 1}` }));
    const hosts = [at({ open_ports: [22] }), ...filler, at({ open_ports: [443] })];
    await scanned(ports, hosts);
    expect((await cisOf(ports))[0]?.attributes.open_ports).toEqual([22, 443]);
    clock.advance(1_000);
    await scanned(ports, [at({ open_ports: [443] })]);
    expect((await cisOf(ports))[0]?.attributes.open_ports).toEqual([443]);
  });
});
