/** An address that another machine has by now. */

import { canonicalHost } from '#domain/event/identity/system.ts';
import { isRecord } from '#domain/record-of.ts';
import { canonicalAddress } from '#domain/topology/address.ts';
import { addressFields } from '#domain/topology/lookup.ts';
import type { Ci } from '#domain/topology/topology.ts';
import { isNameOfAddress } from './generic-names.ts';
import { type Authority, absorbed, isOldWordOf, type StandingCi, writtenByScanner } from './provenance.ts';
import type { HostSighting, Reconciled } from './reconcile.ts';

/** Interfaces without the address; the same list when none has it. */
function withoutInterface(interfaces: unknown, address: string): unknown {
  if (!Array.isArray(interfaces)) return interfaces;
  return interfaces.map((one: unknown) => {
    if (!isRecord(one) || !Array.isArray(one.ip_addresses)) return one;
    const left = one.ip_addresses.filter(
      (text: unknown) => typeof text !== 'string' || canonicalAddress(text.replace(/\/\d+$/, '')) !== address,
    );
    return left.length === one.ip_addresses.length ? one : { ...one, ip_addresses: left };
  });
}

/** Returns the attributes that contain the address: `ip_address`, `interfaces`; null when another does, such as a custom field. */
function saying(ci: Ci, address: string): readonly string[] | null {
  const fields = addressFields(ci).filter((field) => field.address === address);
  const names = fields.map(({ field }) => /^attributes\.(ip_address$|interfaces\[)/.exec(field)?.[1]?.replace('$', ''));
  if (names.some((name) => name === undefined)) return null;
  return [...new Set(names.map((name) => (name === 'interfaces[' ? 'interfaces' : 'ip_address')))];
}

const isNamedAfter = (value: unknown, address: string): boolean =>
  typeof value === 'string' && isNameOfAddress(canonicalHost(value), [address]);

/** The CI without an address that another machine certainly has now; null when another source, or this scan, gives it to the CI. */
export function withoutAddress(standing: StandingCi, sighting: HostSighting, authority: Authority): Reconciled | null {
  const { ci } = standing;
  const address = canonicalAddress(sighting.host.ipAddress ?? '');
  const names = address === null ? null : saying(ci, address);
  if (address === null || names === null || names.length === 0) return null;
  const claims = absorbed(standing, authority);
  if (!names.every((name) => isOldWordOf(claims, name, sighting))) return null;
  const isNamed = (name: string): boolean =>
    isNamedAfter(ci.attributes[name], address) && isOldWordOf(claims, name, sighting);
  const named = ['hostname', 'fqdn'].filter(isNamed);
  const gone = [...(names.includes('ip_address') ? ['ip_address'] : []), ...named];
  const attributes: Record<string, unknown> = Object.fromEntries(
    Object.entries(ci.attributes).filter(([name]) => !gone.includes(name)),
  );
  if (names.includes('interfaces')) attributes.interfaces = withoutInterface(attributes.interfaces, address);
  attributes.former_ip_address = address;
  const [seenAt, by] = [sighting.seenAt, sighting.scanner];
  const told = (value: unknown) => [{ source: 'discovery', by, value, seenAt } as const];
  const kept = Object.fromEntries(Object.entries(claims).filter(([name]) => !gone.includes(name)));
  const provenance = {
    ...kept,
    ...(names.includes('interfaces') && { interfaces: told(attributes.interfaces) }),
    former_ip_address: told(address),
  };
  const changed: Ci = {
    ...ci,
    attributes,
    updatedAt: sighting.at,
    updatedBy: writtenByScanner(sighting.scanner),
    revision: ci.revision + 1,
  };
  return { action: 'updated', ci: changed, provenance };
}
