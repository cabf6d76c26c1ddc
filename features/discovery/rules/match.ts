/** Matches a scanned machine to a CI. A user decides ambiguous cases. */

import { itemAt } from '#domain/assert.ts';
import { MATCH_KEYS, type MachineKeys, type MatchedCis, type MatchKey } from '#domain/topology/match.ts';
import type { Ci } from '#domain/topology/topology.ts';
import type { Host } from './host.ts';
import {
  conflictOf,
  disjoint,
  elsewhere,
  hardConflict,
  type Identity,
  identityOfCi,
  identityOfHost,
} from './identity.ts';

export type MatchDecision =
  | { readonly kind: 'new' }
  /** No scan could find it again. */
  | { readonly kind: 'unknowable'; readonly reason: string }
  | { readonly kind: 'known'; readonly ci: string; readonly by: MatchKey }
  /** Another machine than the previous owners of its address: a new one when they have lost it, else a question. */
  | ({ readonly kind: 'taken' } & MatchQuestion)
  | ({ readonly kind: 'unsure' } & MatchQuestion);

export interface MatchQuestion {
  /** The key that should have decided. */
  readonly by: MatchKey;
  readonly candidates: readonly string[];
  readonly reason: string;
}

/** The CIs that keys have found, by id. */
export type KnownCis = ReadonlyMap<string, Ci>;

/** A machine of a scan with its lookup keys. */
export interface SeenMachine {
  readonly host: Host;
  readonly machine: MachineKeys;
}

type IdentityOf = (id: string) => Identity | null;
const identities = (cis: KnownCis): IdentityOf => {
  const known = new Map<string, Identity | null>();
  return (id) => {
    const ci = cis.get(id);
    if (!known.has(id)) known.set(id, ci === undefined ? null : identityOfCi(ci));
    return known.get(id) ?? null;
  };
};

/** Drops CIs with a weak name match only: the same short name in another domain, or a name that many share. */
function withoutNamesakes(own: Identity, matched: MatchedCis, identityOf: IdentityOf): MatchedCis {
  const isNamed = own.fullNames.length > 0 || own.labels.length > 0;
  const isNamesake = (id: string, key: 'fqdn' | 'hostname'): boolean => {
    const other = identityOf(id);
    if (other === null) return false;
    if (key === 'hostname' && disjoint(own.fullNames, other.fullNames)) return true;
    return !isNamed && (hardConflict(own, other, key) !== null || elsewhere(own.addresses, other.addresses));
  };
  return {
    ...matched,
    fqdn: matched.fqdn.filter((id) => !isNamesake(id, 'fqdn')),
    hostname: matched.hostname.filter((id) => !isNamesake(id, 'hostname')),
  };
}

const isAfter = (key: MatchKey, other: MatchKey): boolean => MATCH_KEYS.indexOf(key) > MATCH_KEYS.indexOf(other);

/** Another key than the deciding one, but for addresses, which move, that finds other CIs only. */
const otherVoice = (matched: MatchedCis, by: MatchKey, ci: string): MatchKey | null =>
  MATCH_KEYS.find(
    (key) => isAfter(key, by) && key !== 'ip_address' && matched[key].length > 0 && !matched[key].includes(ci),
  ) ?? null;

const NO_KEY =
  'no unique identifier: expected a hostname, IP address, MAC address, serial number or external_key not shared with other hosts';

/** Returns CIs with its address that are certainly other machines. */
const strangers = (own: Identity, ids: readonly string[], identityOf: IdentityOf): string[] =>
  ids.filter((id) => {
    const other = identityOf(id);
    return other !== null && hardConflict(own, other, 'ip_address') !== null;
  });

/**
 * The first key that finds a CI decides: one is it, several are for a person to choose from. Where a stronger key contradicts, an equal
 * weaker one only asks.
 */
export function decide({ host, machine }: SeenMachine, found: MatchedCis, cis: KnownCis): MatchDecision {
  if (MATCH_KEYS.every((key) => machine[key].length === 0)) return { kind: 'unknowable', reason: NO_KEY };
  const own = identityOfHost(host, machine);
  const identityOf = identities(cis);
  const matched = withoutNamesakes(own, found, identityOf);
  const by = MATCH_KEYS.find((key) => matched[key].length > 0);
  if (by === undefined) return { kind: 'new' };
  const others = by === 'ip_address' ? strangers(own, matched[by], identityOf) : [];
  const candidates = matched[by].filter((id) => !others.includes(id));
  if (candidates.length === 0)
    return { kind: 'taken', by, candidates: others, reason: `the CI with this ${by} is a different host` };
  if (candidates.length > 1)
    return { kind: 'unsure', by, candidates, reason: `${candidates.length} CIs have this ${by}` };
  const ci = itemAt(candidates, 0);
  const other = otherVoice(matched, by, ci);
  if (other !== null) {
    const both = [...new Set([ci, ...matched[other]])];
    return { kind: 'unsure', by, candidates: both, reason: `${by} and ${other} match different CIs` };
  }
  const theirs = identityOf(ci);
  const conflict = theirs === null ? null : conflictOf(own, theirs, by);
  if (conflict !== null)
    return { kind: 'unsure', by, candidates, reason: `the CI with this ${by} has a different ${conflict}` };
  return { kind: 'known', ci, by };
}

/** CIs that had the main address of a machine which is another one for sure. */
export function formerHolders({ host, machine }: SeenMachine, found: MatchedCis, cis: KnownCis): readonly string[] {
  return strangers(identityOfHost(host, machine), found.ip_address, identities(cis));
}

/** Known by its name alone, at another address than the CI has. */
export const isElsewhere = ({ host, machine }: SeenMachine, ci: Ci): boolean =>
  elsewhere(identityOfHost(host, machine).addresses, identityOfCi(ci).addresses);

export const hasOneOf = (ci: Ci, addresses: readonly string[]): boolean =>
  addresses.length > 0 && identityOfCi(ci).addresses.some((address) => addresses.includes(address));
