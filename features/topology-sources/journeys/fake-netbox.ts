import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  NETBOX_LIST_NAMES,
  NETBOX_LISTS,
  type NetboxList,
  type NetboxRow,
} from '#features/topology-sources/rules/netbox/lists.ts';

export type FakeRows = Readonly<Partial<Record<NetboxList, readonly NetboxRow[]>>>;

/** Serves pages of lists as the REST API of NetBox 4 does. */
export interface FakeNetbox {
  readonly url: string;
  readonly requests: {
    readonly path: string;
    readonly query: URLSearchParams;
    readonly authorization: string | undefined;
  }[];
  rows: FakeRows;
  /** Statuses of the next requests; afterwards 200. */
  statuses: number[];
  /** False: only offsets, as before 4.6. */
  hasCursor: boolean;
  /** Maximum page size, a setting of NetBox. */
  pageSize: number;
  stop(): Promise<void>;
}

const valid = /^(?:Token [0-9a-f]{40}|Bearer nbt_[A-Za-z0-9]{12}\.[A-Za-z0-9]{40})$/;

function pageOf(fake: FakeNetbox, list: NetboxList, asked: URL) {
  const limit = Math.min(Number(asked.searchParams.get('limit') ?? 50), fake.pageSize);
  const all = [...(fake.rows[list] ?? [])].sort((a, b) => Number(a.id) - Number(b.id));
  const start = fake.hasCursor ? asked.searchParams.get('start') : null;
  const offset = Number(asked.searchParams.get('offset') ?? 0);
  const left = start === null ? all.slice(offset) : all.filter(({ id }) => Number(id) >= Number(start));
  const results = left.slice(0, limit);
  const next = new URL(asked);
  // NetBox builds links from the request, which behind a proxy has another host.
  next.host = 'netbox.internal:8001';
  next.searchParams.set('limit', String(limit));
  if (start === null) next.searchParams.set('offset', String(offset + limit));
  else next.searchParams.set('start', String(Number(results.at(-1)?.id) + 1));
  const isLast = start === null ? offset + limit >= all.length : results.length < limit;
  return { count: start === null ? all.length : null, next: isLast ? null : next.href, previous: null, results };
}

export async function openFakeNetbox(rows: FakeRows): Promise<FakeNetbox> {
  const fake: FakeNetbox = {
    url: '',
    requests: [],
    rows,
    statuses: [],
    hasCursor: true,
    pageSize: 1_000,
    stop: async () => {},
  };
  const server = createServer((request, response) => {
    const asked = new URL(request.url ?? '', 'http://127.0.0.1');
    const { authorization } = request.headers;
    fake.requests.push({ path: asked.pathname, query: asked.searchParams, authorization });
    const list = NETBOX_LIST_NAMES.find((one) => `/netbox/api/${NETBOX_LISTS[one][0]}` === asked.pathname);
    const refused = valid.test(authorization ?? '') ? 200 : 403;
    const status = fake.statuses.shift() ?? (list === undefined ? 404 : refused);
    response.writeHead(status, { 'content-type': 'application/json' });
    const body = list === undefined || status !== 200 ? { detail: 'Invalid v1 token' } : pageOf(fake, list, asked);
    response.end(JSON.stringify(body));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return Object.assign(fake, {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/netbox/`,
    stop: () => {
      server.closeAllConnections();
      return new Promise<void>((resolve) => server.close(() => resolve()));
    },
  });
}

export const choice = (value: string) => ({ value, label: value[0]?.toUpperCase() + value.slice(1) });
const nested = (id: number, name: string, more: object = {}) => ({
  id,
  url: `http://netbox.internal:8001/netbox/api/x/${id}/`,
  display: name,
  name,
  description: '',
  ...more,
});
const role = (slug: string) => nested(1, slug, { slug, _depth: 0 });
const AMS = nested(1, 'ams1', { slug: 'ams1' });
const RACK = nested(1, 'R01');

const address = (id: number, text: string, dnsName = '') => ({
  id,
  display: text,
  family: { value: 4, label: 'IPv4' },
  address: text,
  dns_name: dnsName,
  nat_inside: null,
  nat_outside: [],
});

const device = (id: number, name: string | null, slug: string, more: object = {}) => ({
  id,
  name,
  display: name ?? `Model ${slug} (${id})`,
  role: role(slug),
  device_type: { id: 1, manufacturer: nested(1, 'Dell'), model: 'R650', slug: 'r650' },
  platform: null,
  serial: '',
  site: AMS,
  rack: RACK,
  position: null,
  parent_device: null,
  status: choice('active'),
  primary_ip4: null,
  primary_ip6: null,
  cluster: null,
  ...more,
});
const port = (id: number, of: number, type: string, ends: readonly object[]) => ({
  id,
  device: nested(of, `device-${of}`),
  connected_endpoints: ends,
  connected_endpoints_type: type,
});
const outlet = (id: number, unit: number, inlet: number) => ({
  id,
  device: nested(unit, `pdu-${unit}`),
  power_port: { id: inlet, device: nested(unit, `pdu-${unit}`), name: 'inlet' },
});
/** Both interfaces of a cable. */
const cable = (id: number, one: number, other: number, isManagement = false) =>
  [
    [one, other],
    [other, one],
  ].map(([of = 0, to = 0], side) => ({
    id: id + side,
    device: nested(of, `device-${of}`),
    mgmt_only: isManagement && side === 0,
    connected_endpoints: [{ id: id + 1 - side, name: 'eth0', device: nested(to, `device-${to}`), cable: { id } }],
    connected_endpoints_type: 'dcim.interface',
    connected_endpoints_reachable: true,
  }));

/** A rack with two servers on the feeds A and B, two switches, a router, a cluster with two VMs. */
export const DATA_CENTER: FakeRows = {
  sites: [
    { id: 1, name: 'ams1', status: choice('active') },
    { id: 2, name: 'fra9', status: choice('planned') },
  ],
  racks: [{ id: 1, name: 'R01', site: AMS, status: choice('active') }],
  panels: [{ id: 1, name: 'Panel 1', site: AMS }],
  feeds: [
    { id: 1, name: 'R01-A', power_panel: nested(1, 'Panel 1'), status: choice('active') },
    { id: 2, name: 'R01-B', power_panel: nested(1, 'Panel 1'), status: choice('active') },
  ],
  devices: [
    device(1, 'srv-1', 'server', {
      primary_ip4: address(1, '10.0.0.1/24', 'srv-1.example.com'),
      platform: nested(1, 'Debian 13', { slug: 'debian' }),
      serial: 'SN1',
      position: 12,
      cluster: nested(1, 'kvm'),
    }),
    device(2, 'srv-2', 'server', { cluster: nested(1, 'kvm') }),
    device(3, 'sw-1', 'access-switch'),
    device(4, 'sw-2', 'access-switch'),
    device(5, 'rt-1', 'edge-router'),
    device(6, 'pdu-a', 'pdu'),
    device(7, 'pdu-b', 'pdu'),
    device(8, null, 'patch-panel'),
    device(9, 'srv-3', 'server', { status: choice('planned') }),
    device(10, 'blade-1', 'server', { parent_device: nested(1, 'srv-1', { device_bay: nested(1, 'Bay 1') }) }),
  ],
  clusters: [
    { id: 1, name: 'kvm', type: nested(1, 'KVM'), status: choice('active'), scope_type: 'dcim.site', scope_id: 1 },
  ],
  machines: [
    {
      id: 1,
      name: 'vm-1',
      platform: null,
      site: null,
      cluster: nested(1, 'kvm'),
      device: null,
      status: choice('active'),
      primary_ip4: address(3, '10.0.1.1/24'),
      primary_ip6: null,
    },
    {
      id: 2,
      name: 'vm-2',
      platform: null,
      site: null,
      cluster: nested(1, 'kvm'),
      device: nested(2, 'srv-2'),
      status: choice('active'),
      primary_ip4: null,
      primary_ip6: null,
    },
  ],
  ports: [
    ...[1, 2, 3].flatMap((of) => [
      port(of * 10, of, 'dcim.poweroutlet', [{ id: of * 10, name: 'outlet', device: nested(6, 'pdu-a') }]),
      port(of * 10 + 1, of, 'dcim.poweroutlet', [{ id: of * 10 + 1, name: 'outlet', device: nested(7, 'pdu-b') }]),
    ]),
    port(40, 4, 'dcim.poweroutlet', [{ id: 40, name: 'outlet', device: nested(6, 'pdu-a') }]),
    port(60, 6, 'dcim.powerfeed', [{ id: 1, name: 'R01-A' }]),
    port(70, 7, 'dcim.powerfeed', [{ id: 2, name: 'R01-B' }]),
  ],
  outlets: [...[1, 2, 3].flatMap((of) => [outlet(of * 10, 6, 60), outlet(of * 10 + 1, 7, 70)]), outlet(40, 6, 60)],
  interfaces: [
    ...cable(101, 1, 3),
    ...cable(111, 1, 4),
    ...cable(121, 2, 3),
    ...cable(131, 3, 5),
    ...cable(141, 4, 5),
    ...cable(151, 3, 4),
    ...cable(161, 6, 3, true),
  ],
  addresses: [
    {
      ...address(1, '10.0.0.1/24', 'srv-1.example.com'),
      role: null,
      assigned_object_type: 'dcim.interface',
      assigned_object: { id: 101, name: 'eth0', device: nested(1, 'srv-1') },
    },
    {
      ...address(2, '192.168.7.1/24'),
      role: null,
      assigned_object_type: 'dcim.interface',
      assigned_object: { id: 102, name: 'eth1', device: nested(1, 'srv-1') },
    },
    {
      ...address(4, '10.0.0.250/24'),
      role: choice('vip'),
      assigned_object_type: 'dcim.interface',
      assigned_object: { id: 102, name: 'eth1', device: nested(1, 'srv-1') },
    },
    {
      ...address(5, '10.0.1.2/24', 'vm-2.example.com'),
      role: null,
      assigned_object_type: 'virtualization.vminterface',
      assigned_object: { id: 1, name: 'eth0', virtual_machine: nested(2, 'vm-2') },
    },
  ],
};
