/** Columns of exports of NetBox and ServiceNow: their names there, and the fields for their cells here. */
import { foreignType, wordOf, words } from '#features/transfer/rules/foreign-types.ts';

/** Converts a cell to a value of its target column; empty is absent. */
type CellReader = (cell: string) => string;
export interface ForeignColumn {
  readonly to: string;
  readonly read: CellReader;
  /** Text regardless of the form of its cells. */
  readonly isText?: boolean;
}
type ColumnsByWord = ReadonlyMap<string, readonly ForeignColumn[]>;
/** Columns of a kind of file, by the words of their headers. */
export interface ForeignColumns {
  readonly columns: ColumnsByWord;
  /** Columns that mean something else, also than here, in files that have one of the signs. */
  readonly dialects: readonly { readonly signs: readonly string[]; readonly columns: ColumnsByWord }[];
  /** Columns of ours whose cells others write otherwise. */
  readonly own: ReadonlyMap<string, CellReader>;
  /** One of each list is needed. */
  readonly needed: readonly (readonly string[])[];
  /** The type where no column contains it. */
  readonly typeOf: (header: ReadonlySet<string>) => string;
}

const NOTHING = /^(?:|-|—|–|none|null|n\/a|undefined|\(empty\))$/i;
const plain: CellReader = (cell) => (NOTHING.test(cell.trim()) ? '' : cell.trim());

/** NetBox writes addresses with the length of their network. */
const address: CellReader = (cell) => plain(cell).replace(/\/\d{1,3}(?: .*)?$/, '');
const quantity: CellReader = (cell) => plain(cell).replaceAll(',', '');

const STATUSES = words({
  active: 'active installed operational online failed dr_standby ready in_use up production live',
  inactive:
    'inactive offline planned staged inventory decommissioning decommissioned retired on_order in_stock stolen absent pending_install pending_repair non_operational pipeline disposed missing down',
  maintenance: 'maintenance in_maintenance repair_in_progress under_maintenance',
});
/** Unknown words stay: the row is refused with them. */
const status: CellReader = (cell) => STATUSES.get(wordOf(plain(cell))) ?? plain(cell);
const numbered =
  (numbers: Readonly<Record<string, string>>): CellReader =>
  (cell) =>
    numbers[cell.trim()] ?? status(cell);
const installStatus = numbered({
  1: 'active',
  2: 'inactive',
  3: 'maintenance',
  4: 'inactive',
  5: 'inactive',
  6: 'inactive',
  7: 'inactive',
  8: 'inactive',
  100: 'inactive',
});
const operationalStatus = numbered({
  1: 'active',
  2: 'inactive',
  3: 'maintenance',
  4: 'active',
  5: 'active',
  6: 'inactive',
  7: 'inactive',
});

const type: CellReader = (cell) => foreignType(plain(cell));

const to = (target: string, read: CellReader = plain): ForeignColumn => ({ to: target, read });
const attribute = (name: string, read: CellReader = plain): ForeignColumn => ({
  to: `attributes.${name}`,
  read,
  isText: read !== quantity,
});
const byWord = (list: readonly (readonly [words: string, ...to: ForeignColumn[]])[]) =>
  new Map(list.flatMap(([own, ...targets]) => own.split(' ').map((word) => [word, targets] as const)));

const SAME_NAME =
  'asset_tag manufacturer os_version mac_address fqdn site location region tenant tenant_group rack position face cluster platform environment department owner assigned_to support_group managed_by company cost_center serial_number ip_address os model hostname';
const CI = byWord([
  ...SAME_NAME.split(' ').map((word) => [word, attribute(word, word === 'ip_address' ? address : plain)] as const),
  ['name device device_name virtual_machine vm vm_name display_name ci_name', to('name')],
  ['sys_class_name class ci_class ci_type', to('type', type)],
  ['role device_role', to('type', type), attribute('role')],
  ['status', to('status', status)],
  ['install_status', to('status', installStatus)],
  ['operational_status', to('status', operationalStatus)],
  ['sys_id', to('external_key')],
  ['description short_description comments', to('description')],
  [
    'ip primary_ip primary_ipv4 primary_ip4 primary_ip_address ipv4_address management_ip',
    attribute('ip_address', address),
  ],
  ['primary_ipv6 primary_ip6 ipv6_address', attribute('ipv6_address', address)],
  ['serial serialnumber', attribute('serial_number')],
  ['mac', attribute('mac_address')],
  ['host_name', attribute('hostname')],
  ['dns_name fully_qualified_domain_name', attribute('fqdn')],
  ['operating_system', attribute('os')],
  ['vendor', attribute('manufacturer')],
  ['model_id model_number device_type', attribute('model')],
  ['owned_by', attribute('owner')],
  ['vcpus cpu_count cpu_core_count', attribute('cpu_cores', quantity)],
  ['memory_mb ram', attribute('memory_mb', quantity)],
  ['disk_gb disk_space', attribute('disk_gb', quantity)],
]);
/** Beside a role, the type of a device is its model. */
const NETBOX = { signs: ['role', 'device_role'], columns: byWord([['type', attribute('model')]]) };

export const CI_FOREIGN: ForeignColumns = {
  columns: CI,
  dialects: [NETBOX],
  own: new Map([['status', status]]),
  needed: [['name', 'external_key']],
  typeOf: (header) => (['vcpus', 'virtual_machine'].some((word) => header.has(word)) ? 'virtual_machine' : 'server'),
};

/** ServiceNow writes both directions: "Depends on::Used by". */
const relation: CellReader = (cell) => wordOf(plain(cell).replace(/::.*$/s, ''));
const SIDES = ['device_a', 'side_a_device', 'termination_a_device'];
const NETBOX_CABLES = {
  signs: SIDES,
  columns: byWord([
    [SIDES.join(' '), to('source_ci')],
    ['device_b side_b_device termination_b_device', to('target_ci')],
    ['type', attribute('cable_type')],
    ['side_a termination_a', attribute('source_port')],
    ['side_b termination_b', attribute('target_port')],
    ['label', attribute('label')],
  ]),
};
const SERVICENOW = {
  signs: ['parent'],
  columns: byWord([
    ['parent', to('source_ci')],
    ['child', to('target_ci')],
    ['type', to('type', relation)],
  ]),
};

export const RELATIONSHIP_FOREIGN: ForeignColumns = {
  columns: new Map(),
  dialects: [NETBOX_CABLES, SERVICENOW],
  own: new Map(),
  needed: [['source_ci'], ['target_ci']],
  typeOf: () => 'connects_to',
};
