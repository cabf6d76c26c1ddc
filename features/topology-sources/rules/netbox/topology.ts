/** CIs and relationships of a NetBox server. */
import { BuiltSet } from '#features/topology-sources/rules/built-set.ts';
import { fieldIn, textOf } from '#features/topology-sources/rules/fields.ts';
import type { WantedSet } from '#features/topology-sources/rules/wanted.ts';
import { foreignType } from '#features/transfer/rules/foreign-types.ts';
import { addressOf, idIn, isInUse } from './fields.ts';
import type { NetboxList, NetboxRow } from './lists.ts';
import { CabledDevices } from './network.ts';
import { PowerPaths } from './power.ts';
import { networkRank } from './roles.ts';

/** Roles of addresses that several machines share. */
const SHARED: ReadonlySet<string> = new Set(['anycast', 'vip', 'vrrp', 'hsrp', 'glbp', 'carp']);
/** Maximum number of further addresses per machine. */
const MAX_ADDRESSES = 64;

interface MachineNames {
  readonly addresses: string[];
  fqdn: string | null;
}

export class NetboxTopology {
  readonly #set = new BuiltSet();
  readonly #power = new PowerPaths();
  readonly #cables = new CabledDevices();
  readonly #roles = new Map<number, string>();
  readonly #names = new Map<string, MachineNames>();
  readonly #source: string;
  readonly #order: readonly string[];

  /** `order`: device role slugs from upstream to downstream; empty: by common names. */
  constructor(source: string, order: readonly string[]) {
    this.#source = source;
    this.#order = order;
  }

  get size(): number {
    return this.#set.size + this.#cables.size;
  }

  add(list: NetboxList, row: NetboxRow): void {
    const id = idIn(row);
    if (id !== null && isInUse(row)) this.#adders[list](id, row);
  }

  #key(kind: string, id: number): string {
    return `netbox:${this.#source}/${kind}/${id}`;
  }

  #edge(type: string, source: string, kind: string, target: number | null, group?: string): void {
    if (target !== null) this.#set.edge(type, source, this.#key(kind, target), group === undefined ? {} : { group });
  }

  #place(kind: string, type: string, id: number, row: NetboxRow, parent: string): string {
    const key = this.#key(kind, id);
    const place = fieldIn(row[parent], 'name') ?? undefined;
    this.#set.ci({ key, name: textOf(row.name) ?? key, type, attributes: {}, place });
    return key;
  }

  #machine(
    kind: string,
    type: string,
    id: number,
    row: NetboxRow,
    attributes: Readonly<Record<string, unknown>>,
  ): string {
    const key = this.#key(kind, id);
    const [ip4, ip6] = [row.primary_ip4, row.primary_ip6];
    this.#set.ci({
      key,
      name: textOf(row.name) ?? textOf(row.display) ?? key,
      type,
      place: fieldIn(row.site, 'name') ?? fieldIn(row.cluster, 'name') ?? undefined,
      isMachine: true,
      attributes: {
        ...attributes,
        os: fieldIn(row.platform, 'name'),
        ip_address: addressOf(fieldIn(ip4, 'address')) ?? addressOf(fieldIn(ip6, 'address')),
        fqdn: fieldIn(ip4, 'dns_name') ?? fieldIn(ip6, 'dns_name'),
        ip_addresses: null,
      },
    });
    return key;
  }

  #addDevice(id: number, row: NetboxRow): void {
    const role = fieldIn(row.role, 'slug') ?? 'device';
    this.#roles.set(id, role);
    const key = this.#machine('device', foreignType(role), id, row, {
      role,
      model: fieldIn(row.device_type, 'model'),
      serial_number: textOf(row.serial),
      position: typeof row.position === 'number' ? row.position : null,
    });
    const rack = idIn(row.rack);
    if (rack === null) this.#edge('located_in', key, 'site', idIn(row.site));
    else this.#edge('located_in', key, 'rack', rack);
    this.#edge('hosted_on', key, 'device', idIn(row.parent_device));
    const cluster = idIn(row.cluster);
    if (cluster !== null) this.#set.edge('depends_on', this.#key('cluster', cluster), key, { group: 'hosts' });
  }

  #addMachine(id: number, row: NetboxRow): void {
    const key = this.#machine('vm', 'virtual_machine', id, row, {});
    const [device, cluster] = [idIn(row.device), idIn(row.cluster)];
    if (device !== null) this.#edge('runs_on', key, 'device', device);
    else if (cluster !== null) this.#edge('runs_on', key, 'cluster', cluster);
    else this.#edge('located_in', key, 'site', idIn(row.site));
  }

  #addAddress(row: NetboxRow): void {
    const address = addressOf(row.address);
    const at = row.assigned_object as NetboxRow | null;
    const device = idIn(at?.device);
    const machine = idIn(at?.virtual_machine);
    const key = device === null ? this.#key('vm', machine ?? 0) : this.#key('device', device);
    if (address === null || this.#set.get(key) === undefined || SHARED.has(fieldIn(row.role, 'value') ?? '')) return;
    const names = this.#names.get(key) ?? { addresses: [], fqdn: null };
    if (names.addresses.length < MAX_ADDRESSES) names.addresses.push(address);
    names.fqdn ??= textOf(row.dns_name);
    this.#names.set(key, names);
  }

  readonly #adders: Readonly<Record<NetboxList, (id: number, row: NetboxRow) => void>> = {
    sites: (id, row) => void this.#place('site', 'site', id, row, 'region'),
    racks: (id, row) => this.#edge('located_in', this.#place('rack', 'rack', id, row, 'site'), 'site', idIn(row.site)),
    panels: (id, row) =>
      this.#edge('located_in', this.#place('panel', 'power_panel', id, row, 'site'), 'site', idIn(row.site)),
    feeds: (id, row) => {
      const key = this.#place('feed', 'power_feed', id, row, 'power_panel');
      this.#edge('powered_by', key, 'panel', idIn(row.power_panel));
    },
    clusters: (id, row) => {
      const key = this.#place('cluster', 'cluster', id, row, 'type');
      if (row.scope_type === 'dcim.site' && typeof row.scope_id === 'number')
        this.#edge('located_in', key, 'site', row.scope_id);
    },
    devices: (id, row) => this.#addDevice(id, row),
    machines: (id, row) => this.#addMachine(id, row),
    ports: (id, row) => this.#power.addPort(id, row),
    outlets: (id, row) => this.#power.addOutlet(id, row),
    interfaces: (_, row) => this.#cables.add(row),
    addresses: (_, row) => this.#addAddress(row),
  };

  #connect(): void {
    for (const { low, high, isForwarding } of this.#cables.pairs()) {
      const [one, other] = [this.#roles.get(low), this.#roles.get(high)];
      if (one === undefined || other === undefined) continue;
      const lower = networkRank(one, this.#order) - networkRank(other, this.#order);
      const [from, to] = lower < 0 ? [high, low] : [low, high];
      if (lower === 0 || !isForwarding) this.#edge('connects_to', this.#key('device', low), 'device', high);
      else this.#edge('network_connection', this.#key('device', from), 'device', to, 'uplinks');
    }
  }

  #supply(): void {
    for (const { device, feeds, units, isIncomplete } of this.#power.supplies()) {
      const key = this.#key('device', device);
      for (const feed of feeds) this.#edge('powered_by', key, 'feed', feed, isIncomplete ? 'power' : 'feeds');
      for (const unit of units) this.#edge('powered_by', key, 'device', unit, isIncomplete ? 'power' : 'units');
    }
  }

  set(): WantedSet {
    this.#connect();
    this.#supply();
    for (const [key, { addresses, fqdn }] of this.#names) {
      const ci = this.#set.get(key);
      if (ci === undefined) continue;
      const { ip_address = null, fqdn: known } = ci.attributes;
      const others = addresses.filter((one) => one !== ip_address).sort();
      const [first = null] = others;
      this.#set.ci({
        ...ci,
        attributes: { ...ci.attributes, ip_address: ip_address ?? first, ip_addresses: others, fqdn: known ?? fqdn },
      });
    }
    return this.#set.set();
  }
}
