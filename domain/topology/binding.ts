/** Finds the CI that an event is about (docs/specification.md §3). */

import { firstItem, itemAt } from '#domain/assert.ts';
import type { BindingMethod } from '#domain/event/binding.ts';
import { canonicalHost } from '#domain/event/identity/system.ts';
import { canonicalAddress } from './address.ts';
import type { Lookup } from './lookup.ts';
import type { CiMaintenance } from './maintenance.ts';

const METHODS = ['external_key', 'name', 'hostname', 'fqdn', 'short_name', 'ip'] as const;
type MatchMethod = (typeof METHODS)[number];
const METHOD_COUNT = 8;

/** An entry packs the node and the kind of match; several nodes of one key are a list. */
type IndexEntry = number;
type Index = Map<string, IndexEntry | IndexEntry[]>;

/** Names of the CIs of one tenant; nodes are numbers of the graph. */
export interface Directory {
  readonly external: Index;
  /** Names, host names and FQDNs, whole. */
  readonly whole: Index;
  readonly short: Index;
  readonly addresses: Index;
  /** Domains in the names of a node, separated by a blank; absent: none. */
  readonly domains: Map<number, string>;
  /** One text for each of these, as many nodes share it. */
  readonly shared: Map<string, string>;
}

export const emptyDirectory = (): Directory => ({
  external: new Map(),
  whole: new Map(),
  short: new Map(),
  addresses: new Map(),
  domains: new Map(),
  shared: new Map(),
});

const nodeOf = (entry: IndexEntry): number => Math.floor(entry / METHOD_COUNT);
const methodOf = (entry: IndexEntry): MatchMethod => itemAt(METHODS, entry % METHOD_COUNT);

function put(index: Index, key: string, entry: IndexEntry): void {
  const known = index.get(key);
  if (known === undefined) index.set(key, entry);
  else if (typeof known === 'number') index.set(key, [known, entry]);
  else known.push(entry);
}

function drop(index: Index, key: string, node: number): void {
  const known = index.get(key);
  if (known === undefined) return;
  const left = (typeof known === 'number' ? [known] : known).filter((entry) => nodeOf(entry) !== node);
  if (left.length === 0) index.delete(key);
  else index.set(key, left.length === 1 ? firstItem(left) : left);
}

const ADDRESS_LIKE = /^[\d.]+$|:/;

/** The first label of a host name; null for an address. */
const shortOf = (host: string): string | null => {
  const dot = host.indexOf('.');
  if (ADDRESS_LIKE.test(host)) return null;
  return dot > 0 ? host.slice(0, dot) : host;
};

/** Domains common to many networks, so that they identify none. */
const NO_DOMAIN = /^(?:local(?:domain|host)?|lan|home|internal|intranet|workgroup)$/;

/** Returns the labels after the first one; null where they are meaningless. */
const domainOf = (host: string): string | null => {
  const dot = host.indexOf('.');
  if (dot <= 0 || ADDRESS_LIKE.test(host)) return null;
  const domain = host.slice(dot + 1);
  return domain === '' || NO_DOMAIN.test(domain) ? null : domain;
};

/** The same, or one is the beginning of the other: `db-1.fra` is `db-1.fra.example.org`. */
const isWithin = (one: string, other: string): boolean => one === other || `${other}.`.startsWith(`${one}.`);
const agree = (one: string, other: string): boolean => isWithin(one, other) || isWithin(other, one);

const domainsOf = ({ name, hostname, fqdn }: Lookup): string => {
  const domains = [name, hostname, fqdn].map((host) => (host === null ? null : domainOf(host)));
  return [...new Set(domains.filter((domain) => domain !== null))].join(' ');
};

type Visit = (index: Index, key: string, method: MatchMethod) => void;

function visit(directory: Directory, known: Lookup, each: Visit): void {
  if (known.externalKey !== null) each(directory.external, known.externalKey.toLowerCase(), 'external_key');
  for (const text of known.formerly ?? []) each(directory.external, text, 'external_key');
  const hosts = [known.name, known.hostname, known.fqdn] as const;
  const shorts = new Set<string>();
  hosts.forEach((host, i) => {
    if (host === null || hosts.indexOf(host) !== i) return;
    each(directory.whole, host, itemAt(METHODS, 1 + i));
    const short = shortOf(host);
    if (short !== null) shorts.add(short);
  });
  for (const short of shorts) each(directory.short, short, 'short_name');
  for (const address of known.addresses) each(directory.addresses, address, 'ip');
}

export const addToDirectory = (directory: Directory, node: number, known: Lookup): void => {
  visit(directory, known, (index, key, method) => put(index, key, node * METHOD_COUNT + METHODS.indexOf(method)));
  const domains = domainsOf(known);
  if (domains === '') return;
  const shared = directory.shared.get(domains) ?? domains;
  directory.shared.set(shared, shared);
  directory.domains.set(node, shared);
};

export const dropFromDirectory = (directory: Directory, node: number, known: Lookup): void => {
  visit(directory, known, (index, key) => drop(index, key, node));
  directory.domains.delete(node);
};

/** Nodes that are known by the key. */
export const nodesIn = (index: Index, key: string): number[] => {
  const entries = index.get(key);
  if (entries === undefined) return [];
  return (typeof entries === 'number' ? [entries] : entries).map(nodeOf);
};

/** Nodes that have the address. */
export const nodesAt = (directory: Directory, address: string): number[] => nodesIn(directory.addresses, address);

type Match = { readonly node: number; readonly method: NonNullable<Binding['method']> } | 'ambiguous' | null;

function lookIn(index: Index, key: string): Match {
  const entry = index.get(key);
  if (entry === undefined) return null;
  return typeof entry === 'number' ? { node: nodeOf(entry), method: methodOf(entry) } : 'ambiguous';
}

/** The node of a CI that exists now. */
export type NodeOfId = (id: string) => number | undefined;

/** External keys differ in case only by accident (ARM ids do); ids are exact. */
function byKey(directory: Directory, nodeOfId: NodeOfId, key: string): Match {
  const node = nodeOfId(key);
  if (node !== undefined) return { node, method: 'id' };
  return lookIn(directory.external, key.toLowerCase());
}

/** The first of them that something is known by. */
function firstOf(texts: readonly string[], look: (text: string) => Match): Match {
  for (const text of texts) {
    const match = look(text.trim());
    if (match !== null) return match;
  }
  return null;
}

/** Addresses are mostly written in their canonical form already. */
const byAddress = (directory: Directory, text: string): Match =>
  lookIn(directory.addresses, text) ?? lookIn(directory.addresses, canonicalAddress(text) ?? '');

/** Finds CIs by the first label, except CIs of another domain than the host: these are other machines. */
function byShort(directory: Directory, host: string, short: string): Match {
  const domain = domainOf(host);
  const known = directory.short.get(short);
  if (known === undefined || domain === null) return lookIn(directory.short, short);
  const entries = typeof known === 'number' ? [known] : known;
  const [first, second] = entries.filter((entry) => {
    const said = directory.domains.get(nodeOf(entry));
    return said === undefined || said.split(' ').some((one) => agree(one, domain));
  });
  if (first === undefined) return null;
  return second === undefined ? { node: nodeOf(first), method: methodOf(first) } : 'ambiguous';
}

/**
 * Cloud monitors name machines by ids, which are the external keys of their CIs. The part behind a slash is on the
 * host.
 */
function byHost(directory: Directory, host: string): Match {
  const whole = lookIn(directory.whole, host) ?? lookIn(directory.external, host);
  if (whole !== null) return whole;
  const slash = host.indexOf('/');
  if (slash > 0) return byHost(directory, host.slice(0, slash));
  const short = shortOf(host);
  if (short === null) return lookIn(directory.addresses, host);
  return byShort(directory, host, short);
}

/**
 * Id or external key, of the CI, then of hints; then the whole host name, its first label, the address, names among the hints. The first
 * that names exactly one CI decides; several are ambiguous, but for a first label.
 */
export function bindOne(directory: Directory, nodeOfId: NodeOfId, query: BindingQuery): Match {
  const { ciId, hints = [], hostname, ipAddress } = query;
  const known =
    (ciId ? byKey(directory, nodeOfId, ciId.trim()) : null) ??
    firstOf(hints, (hint) => byKey(directory, nodeOfId, hint));
  if (known !== null) return known;
  const host = hostname ? canonicalHost(hostname) : '';
  const named = host === '' ? null : byHost(directory, host);
  if (named !== null && (named !== 'ambiguous' || directory.whole.has(host))) return named;
  return (
    (ipAddress ? byAddress(directory, ipAddress) : null) ??
    firstOf(hints, (hint) => lookIn(directory.whole, hint.toLowerCase())) ??
    named
  );
}

/** Names of its machine in an event; tried in this order. */
export interface BindingQuery {
  /** Id or external key. */
  readonly ciId?: string;
  /** Further ids, external keys or names, best first. */
  readonly hints?: readonly string[];
  readonly hostname?: string;
  readonly ipAddress?: string;
}

export interface Binding {
  readonly ci: { readonly id: string; readonly name: string; readonly type: string } | null;
  readonly method: BindingMethod | null;
  readonly ambiguous: boolean;
  /** Absent: the CI has no data on maintenance. */
  readonly maintenance?: CiMaintenance;
}
