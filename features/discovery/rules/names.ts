/** Hostnames and addresses that events may use for CIs. */

import { firstItem } from '#domain/assert.ts';
import { ciKey } from '#domain/event/identity/unbound.ts';
import { lookupOf } from '#domain/topology/lookup.ts';
import type { Ci } from '#domain/topology/topology.ts';

/** Names of CIs as such (`ciKey`) are among both, as events keep them where they have room. */
export interface SpokenOf {
  readonly hostnames: readonly string[];
  readonly addresses: readonly string[];
}

const firstLabel = (name: string): string => firstItem(name.split('.', 1));

/** Includes first labels, as an event may contain a shorter name of a host than its CI. */
export function spokenOf(cis: readonly Ci[]): SpokenOf {
  const hostnames = new Set<string>();
  const addresses = new Set<string>();
  const names = new Set<string>();
  for (const ci of cis) {
    const { name, hostname, fqdn, externalKey, addresses: own } = lookupOf(ci);
    for (const text of [name, hostname, fqdn]) if (text) hostnames.add(text).add(firstLabel(text));
    for (const address of own) addresses.add(address);
    for (const text of [ci.id, externalKey, name, hostname, fqdn]) if (text) names.add(ciKey(text));
  }
  return {
    // An event may give an address as the name of its host.
    hostnames: [...hostnames, ...addresses, ...names],
    addresses: [...addresses, ...names],
  };
}
