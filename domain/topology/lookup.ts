/** Names and addresses under which an event may refer to a CI. */

import { composed } from '#domain/text.ts';
import { canonicalAddress } from './address.ts';
import { hardwareOf } from './hardware.ts';
import { keyWords } from './key-words.ts';
import type { Ci } from './topology.ts';

export interface Lookup {
  readonly externalKey: string | null;
  /** Lower case; null when the CI has none. */
  readonly name: string;
  readonly hostname: string | null;
  readonly fqdn: string | null;
  /** Canonical, without repeats, the main address first. */
  readonly addresses: readonly string[];
  /** Lower case; absent when nothing was merged into it. */
  readonly formerly?: readonly string[];
  /** Serial numbers and hardware addresses (`hardware.ts`); absent when there are none. */
  readonly hardware?: readonly string[];
}

const MAX_DEPTH = 6;
const MAX_ADDRESSES = 256;
/** `ip`, `ip_address`, `allIpAddresses`, `primary_ip4`, `ipaddr`, `addresses` …, in words. */
const ADDRESS_WORDS = /^(ips?|ip_?v?[46]|ipv[46]|addr|addrs|address|addresses|ip_?v?[46]?addr(s|ess|esses)?)$/;
/** Cheap test that excludes most keys. */
const MAYBE_ADDRESS = /ip|addr/i;
/** Words for addresses of other machines. */
const FOREIGN_WORDS =
  /^(gateway|gw|dns|nameservers?|mask|netmask|broadcast|ntp|peer|remote|former|neighbor|neighbour|mac|email)$/;
/** Addresses of every machine, so that they identify none. */
const SHARED = /^(127\.|169\.254\.|0\.0\.0\.0$|::1?$|fe80:)/;

const namesAddress = (key: string): boolean => {
  const words = keyWords(key);
  return words.some((word) => ADDRESS_WORDS.test(word)) && !words.some((word) => FOREIGN_WORDS.test(word));
};

const namesForeign = (key: string): boolean => keyWords(key).some((word) => FOREIGN_WORDS.test(word));

/** A text in a place that names addresses. */
interface AddressText {
  readonly field: string;
  readonly text: string;
}

/** Collects texts below keys that name addresses; `inside` when a key above did. */
function collect(value: unknown, field: string, inside: boolean, depth: number, found: AddressText[]): void {
  if (typeof value === 'string') {
    if (inside) found.push({ field, text: value });
  } else if (Array.isArray(value)) {
    if (depth < MAX_DEPTH)
      for (let i = 0; i < value.length; i++) collect(value[i], `${field}[${i}]`, inside, depth + 1, found);
  } else if (typeof value === 'object' && value !== null && depth < MAX_DEPTH) {
    for (const [key, member] of Object.entries(value)) {
      if (typeof member !== 'object' && !inside && !MAYBE_ADDRESS.test(key)) continue;
      if (!namesForeign(key)) collect(member, `${field}.${key}`, inside || namesAddress(key), depth + 1, found);
    }
  }
}

const lower = (value: unknown): string | null =>
  typeof value === 'string' && value.trim() !== '' ? composed(value).trim().toLowerCase().replace(/\.$/, '') : null;

/** Keys that find a CI by its name. */
export const nameKey = (name: string): string => lower(name) ?? '';

/** `10.0.0.1/24`; several in one text are separated by commas, semicolons or blanks. */
const SEPARATORS = /[\s,;]+/;
function parsedTexts(text: string): string[] {
  const whole = canonicalAddress(text);
  if (whole !== null) return [whole];
  return text.split(SEPARATORS).flatMap((part) => canonicalAddress(part.replace(/\/\d+$/, '')) ?? []);
}

type Bags = Pick<Ci, 'attributes' | 'customFields'>;
const MAIN = 'ip_address';
const placed = (field: string, value: unknown): AddressField[] =>
  typeof value === 'string' ? parsedTexts(value).map((address) => ({ field, address })) : [];

/** One place of a CI that holds an address, as a caller would write it: `attributes.interfaces[0].ip`. */
export interface AddressField {
  readonly field: string;
  readonly address: string;
}

/** Returns the fields `ip_address`, with any content; empty when there are none. */
export const mainAddresses = ({ attributes, customFields }: Bags): AddressField[] => [
  ...placed(`attributes.${MAIN}`, attributes[MAIN]),
  ...placed(`custom_fields.${MAIN}`, customFields[MAIN]),
];

/** Every place that holds an address of the CI, the main ones first. */
export function addressFields(ci: Bags): AddressField[] {
  const texts: AddressText[] = [];
  collect(ci.attributes, 'attributes', false, 0, texts);
  collect(ci.customFields, 'custom_fields', false, 0, texts);
  const main = mainAddresses(ci);
  const others = texts
    .filter(({ field }) => !main.some((one) => one.field === field))
    .flatMap(({ field, text }) => placed(field, text))
    .filter(({ address }) => !SHARED.test(address));
  return [...main, ...others];
}

const addressesOf = (ci: Bags): string[] =>
  [...new Set(addressFields(ci).map(({ address }) => address))].slice(0, MAX_ADDRESSES);

/** `ip_address` always counts; further addresses only where they identify a machine. */
export const lookupOf = (ci: Ci): Lookup => {
  const hardware = hardwareOf(ci);
  return {
    externalKey: ci.externalKey ?? null,
    name: nameKey(ci.name),
    hostname: lower(ci.attributes.hostname),
    fqdn: lower(ci.attributes.fqdn),
    addresses: addressesOf(ci),
    ...(ci.formerly !== undefined &&
      ci.formerly.length > 0 && { formerly: ci.formerly.map((text) => composed(text).toLowerCase()) }),
    ...(hardware.length > 0 && { hardware }),
  };
};
