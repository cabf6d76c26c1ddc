/** Common types, and probable typing errors. */
import { itemAt } from '#domain/assert.ts';
import { KNOWN_RELATIONSHIPS } from './topology.ts';

/** Known types of CIs; any other is accepted as well. */
export const KNOWN_CI_TYPES = [
  'server',
  'virtual_machine',
  'vm',
  'hypervisor',
  'container',
  'pod',
  'node',
  'cluster',
  'host',
  'switch',
  'router',
  'firewall',
  'load_balancer',
  'access_point',
  'network',
  'network_device',
  'subnet',
  'storage',
  'database',
  'application',
  'service',
  'business_service',
  'web_server',
  'queue',
  'cache',
  'api',
  'ups',
  'pdu',
  'rack',
  'site',
  'datacenter',
  'room',
  'printer',
  'workstation',
  'laptop',
  'sensor',
  'camera',
] as const;

const MAX_COMPARED = 40;
/** Shorter words differ by a letter all the time. */
const SHORTEST = 4;
/** Length from which two different letters are probably typing errors. */
const LONG = 8;

const letters = (type: string): string => type.toLowerCase().replace(/[-_\s]/g, '');

/** Counts insertions, deletions, replacements and swaps of neighbors between two texts. */
export function slips(one: string, other: string): number {
  let before: number[] = [];
  let row = Array.from({ length: other.length + 1 }, (_, i) => i);
  for (let i = 1; i <= one.length; i++) {
    const next = [i];
    for (let j = 1; j <= other.length; j++) {
      const same = one[i - 1] === other[j - 1] ? 0 : 1;
      const isSwap = i > 1 && j > 1 && one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1];
      const least = Math.min(itemAt(row, j) + 1, itemAt(next, j - 1) + 1, itemAt(row, j - 1) + same);
      next.push(isSwap ? Math.min(least, itemAt(before, j - 2) + 1) : least);
    }
    before = row;
    row = next;
  }
  return itemAt(row, other.length);
}

/** The known word that was probably meant; null for a known word, and for one of its own. */
function meantBy(type: string, known: readonly string[]): string | null {
  const text = letters(type);
  if (text.length < SHORTEST || text.length > MAX_COMPARED) return null;
  const forms = known.map((word) => ({ word, slips: slips(text, letters(word)) }));
  if (forms.some((one) => one.slips === 0)) return null;
  const allowed = text.length >= LONG ? 2 : 1;
  const [nearest] = forms.filter((one) => one.slips <= allowed).sort((a, b) => a.slips - b.slips);
  return nearest?.word ?? null;
}

const warning = (type: string, known: readonly string[]): string | null => {
  const meant = meantBy(type, known);
  return meant === null ? null : `unknown type ${type} accepted; did you mean ${meant}?`;
};

/** A warning about the type of a CI, or null. */
export const ciTypeWarning = (type: string): string | null => warning(type, KNOWN_CI_TYPES);
/** A warning about the type of a relationship in its stored form, or null. */
export const relationshipTypeWarning = (type: string): string | null => warning(type, KNOWN_RELATIONSHIPS);
