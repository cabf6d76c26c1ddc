/** Identifiers of a machine: the texts of a scan in the form in which CIs are found. */

import { firstItem } from '#domain/assert.ts';
import { canonicalHost } from '#domain/event/identity/system.ts';
import { canonicalAddress } from '#domain/topology/address.ts';
import { canonicalMac, canonicalSerial } from '#domain/topology/hardware.ts';
import { MATCH_KEYS, type MachineKeys } from '#domain/topology/match.ts';
import { isNameOfAll } from './generic-names.ts';
import type { Host } from './host.ts';

/** Every machine has these (RFC 5735, 4291), and Docker's bridge. */
const NO_ADDRESS = /^(127\.|0\.0\.0\.0$|169\.254\.|172\.17\.0\.1$|::1?$|fe80:)/;

export const isAddressOfAll = (address: string): boolean => NO_ADDRESS.test(address);

const known = <T>(values: readonly (T | null | undefined)[]): T[] => [
  ...new Set(values.filter((value) => value !== null && value !== undefined)),
];

const hostName = (text: string | undefined): string | null => {
  const name = text === undefined ? '' : canonicalHost(text);
  return name === '' || isNameOfAll(name) || /^[\d.]+$|:/.test(name) ? null : name;
};

const firstLabel = (name: string): string => firstItem(name.split('.', 1));

/** Names with a domain are whole ones, wherever the scanner wrote them. */
const fullNames = (host: Host): string[] =>
  known([hostName(host.fqdn), hostName(host.hostname)]).filter((name) => name.includes('.'));

const hostNames = (host: Host): string[] => {
  const names = known([hostName(host.hostname), hostName(host.fqdn)]);
  return known([...names, ...names.map(firstLabel)]).filter((name) => !isNameOfAll(name));
};

const addressOf = (text: string): string | null => {
  const address = canonicalAddress(text.replace(/\/\d+$/, ''));
  return address === null || NO_ADDRESS.test(address) ? null : address;
};

/** Keys in canonical form, without texts that many machines share. */
export const machineKeys = (host: Host): MachineKeys => {
  const interfaces = host.interfaces ?? [];
  const macs = [host.macAddress, ...interfaces.map(({ mac_address }) => mac_address)];
  const addresses = [host.ipAddress, ...interfaces.flatMap(({ ip_addresses }) => ip_addresses ?? [])];
  return {
    external_key: known([host.externalKey]),
    serial_number: known([host.serialNumber === undefined ? null : canonicalSerial(host.serialNumber)]),
    mac_address: known(macs.map((mac) => (mac === undefined ? null : canonicalMac(mac)))),
    fqdn: fullNames(host),
    hostname: hostNames(host),
    ip_address: known(addresses.map((text) => (text === undefined ? null : addressOf(text)))),
  };
};

/** Places of a list in parts, in order, so that no two machines of a part share a text: the second may be the first again. */
export const apart = (machines: readonly MachineKeys[]): number[][] => {
  const parts: { readonly places: number[]; readonly taken: Set<string> }[] = [];
  machines.forEach((machine, place) => {
    const texts = MATCH_KEYS.flatMap((key) => machine[key].map((text) => `${key} ${text.toLowerCase()}`));
    // Placed after the last matching part, so that records of one machine stay in order.
    const last = parts.findLastIndex(({ taken }) => texts.some((text) => taken.has(text)));
    const part = parts[last + 1] ?? { places: [], taken: new Set() };
    if (last + 1 === parts.length) parts.push(part);
    part.places.push(place);
    for (const text of texts) part.taken.add(text);
  });
  return parts.map(({ places }) => places);
};
