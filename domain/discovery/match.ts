/** Which CI a scanned machine is. Where the data does not say it for sure, a person does. */

import { canonicalHost } from '#domain/event/identity/system.ts';
import { firstItem } from '#domain/known.ts';
import { serialsOf } from '#domain/topology/hardware.ts';
import { MATCH_KEYS, type MachineKeys, type MatchedCis, type MatchKey } from '#domain/topology/match.ts';
import type { Ci } from '#domain/topology/topology.ts';

export type MatchDecision =
  | { readonly kind: 'new' }
  /** No scan could find it again. */
  | { readonly kind: 'unknowable'; readonly reason: string }
  | { readonly kind: 'known'; readonly ci: string; readonly by: MatchKey }
  | {
      readonly kind: 'unsure';
      /** The key that should have decided. */
      readonly by: MatchKey;
      readonly candidates: readonly string[];
      readonly reason: string;
    };

/** The CIs that keys have found, by id. */
export type KnownCis = ReadonlyMap<string, Ci>;

const text = (value: unknown): string[] =>
  typeof value === 'string' && value.trim() !== '' ? [canonicalHost(value)] : [];
const fullNamesOf = ({ name, attributes }: Ci): string[] =>
  [...text(name), ...text(attributes.hostname), ...text(attributes.fqdn)].filter((one) => one.includes('.'));
/** Names of the machine itself; the name of a CI may be any words. */
const ownLabels = ({ attributes }: Ci): string[] =>
  [...text(attributes.hostname), ...text(attributes.fqdn)].map((name) => firstItem(name.split('.', 1)));

const disjoint = (one: readonly string[], other: readonly string[]): boolean =>
  one.length > 0 && other.length > 0 && !one.some((value) => other.includes(value));

/** Of two machines with one short name, the one that has another full name is somebody else. */
const withoutNamesakes = (machine: MachineKeys, matched: MatchedCis, cis: KnownCis): MatchedCis => ({
  ...matched,
  hostname: matched.hostname.filter((id) => {
    const ci = cis.get(id);
    return ci === undefined || !disjoint(machine.fqdn, fullNamesOf(ci));
  }),
});

const isAfter = (key: MatchKey, other: MatchKey): boolean => MATCH_KEYS.indexOf(key) > MATCH_KEYS.indexOf(other);

/** A conflict between the machine and the CI; null when there is none. */
function contradiction(machine: MachineKeys, ci: Ci | undefined, by: MatchKey): MatchKey | null {
  if (ci === undefined) return null;
  if (isAfter(by, 'serial_number') && disjoint(machine.serial_number, serialsOf(ci))) return 'serial_number';
  const labels = machine.hostname.filter((name) => !name.includes('.'));
  return by === 'ip_address' && disjoint(labels, ownLabels(ci)) ? 'hostname' : null;
}

/** Another key than the deciding one, but for addresses, which move, that finds other CIs only. */
const otherVoice = (matched: MatchedCis, by: MatchKey, ci: string): MatchKey | null =>
  MATCH_KEYS.find(
    (key) => isAfter(key, by) && key !== 'ip_address' && matched[key].length > 0 && !matched[key].includes(ci),
  ) ?? null;

const NO_KEY =
  'has nothing of its own to be known by: expected a host name, IP address, MAC address, serial number or external_key that other machines do not have too';

/** The first key that finds a CI decides: one is it, several are for a person to choose from, and so is a contradiction. */
export function decide(machine: MachineKeys, found: MatchedCis, cis: KnownCis): MatchDecision {
  if (MATCH_KEYS.every((key) => machine[key].length === 0)) return { kind: 'unknowable', reason: NO_KEY };
  const matched = withoutNamesakes(machine, found, cis);
  const by = MATCH_KEYS.find((key) => matched[key].length > 0);
  if (by === undefined) return { kind: 'new' };
  const candidates = matched[by];
  const [ci] = candidates as readonly [string];
  if (candidates.length > 1)
    return { kind: 'unsure', by, candidates, reason: `${candidates.length} CIs have this ${by}` };
  const other = otherVoice(matched, by, ci);
  if (other !== null) {
    const both = [...new Set([ci, ...matched[other]])];
    return { kind: 'unsure', by, candidates: both, reason: `${by} and ${other} name different CIs` };
  }
  const against = contradiction(machine, cis.get(ci), by);
  if (against !== null)
    return { kind: 'unsure', by, candidates, reason: `the CI with this ${by} has another ${against}` };
  return { kind: 'known', ci, by };
}
