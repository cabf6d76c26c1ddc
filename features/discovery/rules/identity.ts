/** Marks that distinguish two machines: of a scan, and of a CI. */

import { firstItem } from '#domain/assert.ts';
import { canonicalHost } from '#domain/event/identity/system.ts';
import { macsOf, serialsOf } from '#domain/topology/hardware.ts';
import { addressFields } from '#domain/topology/lookup.ts';
import { MATCH_KEYS, type MachineKeys, type MatchKey } from '#domain/topology/match.ts';
import type { Ci } from '#domain/topology/topology.ts';
import { isDefaultName, isNameOfAddress, isNameOfAll } from './generic-names.ts';
import type { Host } from './host.ts';
import { isAddressOfAll, machineKeys } from './machine.ts';

export interface Identity {
  readonly cloudIds: readonly string[];
  readonly serials: readonly string[];
  readonly macs: readonly string[];
  /** Names with a domain, and hostnames; without names that many machines share. */
  readonly fullNames: readonly string[];
  readonly labels: readonly string[];
  readonly addresses: readonly string[];
}

/** A mark that differs in two machines. */
export type MachineConflict = 'cloud id' | 'serial_number' | 'mac_address' | 'fqdn' | 'hostname';

/** Ids that clouds give, by the cloud: those of one and of another cannot be compared. */
const CLOUD_IDS: readonly (readonly [cloud: string, RegExp])[] = [
  ['aws', /^i-[\da-f]{8,17}$/],
  ['arn', /^arn:aws[\w-]*:ec2:[\w-]*:\d*:instance\/i-[\da-f]{8,17}$/],
  ['azure', /^\/subscriptions\/[^/]+\/resourcegroups\/.+\/virtualmachines\/[^/]+$/],
  ['gcp', /^projects\/[^/]+\/zones\/[^/]+\/instances\/[^/]+$/],
  ['uuid', /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/],
  ['digitalocean', /^do:\/\/\d+$/],
];
const CLOUD_FIELDS = ['instance_id', 'cloud_id', 'cloud_instance_id', 'resource_id', 'vm_id', 'arn'] as const;

const cloudIdsOf = (texts: readonly unknown[]): string[] =>
  texts.flatMap((text) => {
    if (typeof text !== 'string' || text.length > 512) return [];
    const id = text.trim().toLowerCase();
    const cloud = CLOUD_IDS.find(([, form]) => form.test(id))?.[0];
    if (cloud === undefined) return [];
    return [cloud === 'arn' ? `aws ${id.slice(id.lastIndexOf('/') + 1)}` : `${cloud} ${id}`];
  });
const cloudFields = (attributes: Readonly<Record<string, unknown>> = {}): unknown[] =>
  CLOUD_FIELDS.map((field) => attributes[field]);

const isGeneric = (name: string, addresses: readonly string[]): boolean =>
  isNameOfAll(name) || isDefaultName(name) || isNameOfAddress(name, addresses);

export function identityOfHost(host: Host, keys: MachineKeys = machineKeys(host)): Identity {
  const own = (name: string): boolean => !isGeneric(name, keys.ip_address);
  /** True if the label begins a generic name. */
  const isBegun = (label: string): boolean => keys.fqdn.some((name) => name.startsWith(`${label}.`) && !own(name));
  return {
    cloudIds: cloudIdsOf([host.externalKey, ...cloudFields(host.attributes)]),
    serials: keys.serial_number,
    macs: keys.mac_address,
    fullNames: keys.fqdn.filter(own),
    labels: keys.hostname.filter((name) => !name.includes('.') && own(name) && !isBegun(name)),
    addresses: keys.ip_address,
  };
}

const text = (value: unknown): string[] =>
  typeof value === 'string' && value.trim() !== '' ? [canonicalHost(value)] : [];

export function identityOfCi(ci: Ci): Identity {
  const { name, attributes, customFields, externalKey } = ci;
  const addresses = addressFields(ci)
    .map(({ address }) => address)
    .filter((address) => !isAddressOfAll(address));
  const own = (one: string): boolean => !isGeneric(one, addresses);
  // The name of a CI may be any words: it counts where it has a domain.
  const names = [...text(attributes.hostname), ...text(attributes.fqdn)].filter(own);
  const full = [...text(name).filter(own), ...names].filter((one) => one.includes('.') && !one.includes(' '));
  return {
    cloudIds: cloudIdsOf([externalKey, ...cloudFields(attributes), ...cloudFields(customFields)]),
    serials: serialsOf(ci),
    macs: macsOf(ci),
    fullNames: full,
    labels: names.map((one) => firstItem(one.split('.', 1))),
    addresses,
  };
}

export const disjoint = (one: readonly string[], other: readonly string[]): boolean =>
  one.length > 0 && other.length > 0 && !one.some((value) => other.includes(value));

/** Only ids of one cloud speak against each other. */
const otherCloudId = (one: readonly string[], other: readonly string[]): boolean => {
  const cloudOf = (id: string): string => firstItem(id.split(' ', 1));
  const shared = one.map(cloudOf).filter((cloud) => other.some((id) => cloudOf(id) === cloud));
  return shared.some((cloud) => {
    const of = (ids: readonly string[]): string[] => ids.filter((id) => cloudOf(id) === cloud);
    return disjoint(of(one), of(other));
  });
};

/** A machine may have an address of each family, and a scan see one of them. */
export const elsewhere = (one: readonly string[], other: readonly string[]): boolean => {
  const family = (addresses: readonly string[], isV6: boolean): string[] =>
    addresses.filter((address) => address.includes(':') === isV6);
  const [v4, v6] = [false, true].map((isV6) => [family(one, isV6), family(other, isV6)] as const) as [
    readonly [string[], string[]],
    readonly [string[], string[]],
  ];
  const shares = [v4, v6].some(([a, b]) => a.some((address) => b.includes(address)));
  return !shares && (disjoint(...v4) || disjoint(...v6));
};

const isAfter = (key: MatchKey, other: MatchKey): boolean => MATCH_KEYS.indexOf(key) > MATCH_KEYS.indexOf(other);

/** True if hardware or a cloud distinguishes two machines that share the key. */
export function hardConflict(one: Identity, other: Identity, by: MatchKey): MachineConflict | null {
  if (by === 'external_key') return null;
  if (otherCloudId(one.cloudIds, other.cloudIds)) return 'cloud id';
  if (isAfter(by, 'serial_number') && disjoint(one.serials, other.serials)) return 'serial_number';
  if (isAfter(by, 'mac_address') && disjoint(one.macs, other.macs))
    return sharesSerial(one, other) ? null : 'mac_address';
  return null;
}
const sharesSerial = (one: Identity, other: Identity): boolean =>
  one.serials.some((serial) => other.serials.includes(serial));

/** The mark that speaks against two machines with the same key being one, or null. */
export function conflictOf(one: Identity, other: Identity, by: MatchKey): MachineConflict | null {
  const hard = hardConflict(one, other, by);
  if (hard !== null || by === 'external_key') return hard;
  const otherNames = disjoint(one.labels, other.labels);
  // A new network card, or a new name; both at once, and the serial number may be one that many have.
  if (by === 'serial_number') return otherNames && disjoint(one.macs, other.macs) ? 'mac_address' : null;
  // A new name or a new address; both at once, and it may be a virtual address, or a card that has moved.
  if (by === 'mac_address') return otherNames && elsewhere(one.addresses, other.addresses) ? 'hostname' : null;
  if (by !== 'ip_address') return null;
  if (otherNames) return 'hostname';
  return disjoint(one.fullNames, other.fullNames) ? 'fqdn' : null;
}
