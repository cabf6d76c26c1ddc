/** What a CI is known by: the names and addresses under which an event may speak of it. */
import type { Ci } from './topology.ts';

export interface Lookup {
  readonly externalKey: string | null;
  /** Lower case; null when the CI has none. */
  readonly name: string;
  readonly hostname: string | null;
  readonly fqdn: string | null;
  /** Canonical, without repeats, the main address first. */
  readonly addresses: readonly string[];
}

/** One text per address, or null when the text is no address. */
export type ParseAddress = (text: string) => string | null;

const MAX_DEPTH = 6;
const MAX_ADDRESSES = 64;
/** `ip`, `ip_address`, `allIpAddresses`, `primary_ip4`, `addresses` …, in words. */
const ADDRESS_WORDS = /^(ips?|ip_?v?[46]|ipv[46]|addr|addrs|address|addresses)$/;
/** Most keys are told apart by this alone. */
const MAYBE_ADDRESS = /ip|addr/i;
/** Addresses of somebody else. */
const FOREIGN_WORDS =
  /^(gateway|gw|dns|nameservers?|mask|netmask|broadcast|ntp|peer|remote|neighbor|neighbour|mac|email)$/;
/** Every machine has these, so they tell none apart. */
const SHARED = /^(127\.|169\.254\.|0\.0\.0\.0$|::1?$|fe80:)/;

const wordsOf = (key: string): string[] =>
  key
    .replace(/([a-z])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .split(/[_\s.-]+/);

const namesAddress = (key: string): boolean => {
  const words = wordsOf(key);
  return words.some((word) => ADDRESS_WORDS.test(word)) && !words.some((word) => FOREIGN_WORDS.test(word));
};

const namesForeign = (key: string): boolean => wordsOf(key).some((word) => FOREIGN_WORDS.test(word));

/** Collects texts below keys that name addresses; `inside` when a key above did. */
function collect(value: unknown, inside: boolean, depth: number, found: string[]): void {
  if (typeof value === 'string') {
    if (inside) found.push(value);
  } else if (typeof value === 'object' && value !== null && depth < MAX_DEPTH) {
    const isList = Array.isArray(value);
    for (const [key, member] of Object.entries(value)) {
      if (isList) collect(member, inside, depth + 1, found);
      else if (typeof member === 'object' || inside || MAYBE_ADDRESS.test(key)) {
        if (!namesForeign(key)) collect(member, inside || namesAddress(key), depth + 1, found);
      }
    }
  }
}

const lower = (value: unknown): string | null =>
  typeof value === 'string' && value.trim() !== '' ? value.trim().toLowerCase().replace(/\.$/, '') : null;

const parsed = (value: unknown, parse: ParseAddress): string | null =>
  typeof value === 'string' ? parse(value.replace(/\/\d+$/, '')) : null;

function addressesOf(ci: Pick<Ci, 'attributes' | 'customFields'>, parse: ParseAddress): string[] {
  const main = [ci.attributes.ip_address, ci.customFields.ip_address].map((value) => parsed(value, parse));
  const texts: string[] = [];
  collect(ci.attributes, false, 0, texts);
  collect(ci.customFields, false, 0, texts);
  const others = texts
    .map((text) => parsed(text, parse))
    .filter((address) => address !== null && !SHARED.test(address));
  const all = [...main, ...others].filter((address) => address !== null);
  return [...new Set(all)].slice(0, MAX_ADDRESSES);
}

/** `ip_address` counts whatever it is; further addresses only where they tell machines apart. */
export const lookupOf = (ci: Ci, parse: ParseAddress): Lookup => ({
  externalKey: ci.externalKey ?? null,
  name: lower(ci.name) ?? '',
  hostname: lower(ci.attributes.hostname),
  fqdn: lower(ci.attributes.fqdn),
  addresses: addressesOf(ci, parse),
});
