/** Finds CIs by the identifiers of a machine, in any implementation of the indexes. */
import { recordOf } from '#domain/record-of.ts';
import { MAC_MARK, SERIAL_MARK } from './hardware.ts';

/** Index for the lookup of a text; `hardware` holds marked texts. */
export type MatchIndex = 'external' | 'hardware' | 'whole' | 'short' | 'addresses';
/** Ids of the CIs that an index has under a text. */
export type FindCis = (index: MatchIndex, text: string) => readonly string[];

type KeyMatcher = (find: FindCis, texts: readonly string[]) => readonly string[];
const everyIn =
  (index: MatchIndex, mark = ''): KeyMatcher =>
  (find, texts) =>
    texts.flatMap((text) => find(index, mark + text));

/** A short name may be the beginning of a longer one. */
const named: KeyMatcher = (find, texts) => {
  const whole = everyIn('whole')(find, texts);
  if (whole.length > 0) return whole;
  return everyIn('short')(
    find,
    texts.filter((text) => !text.includes('.')),
  );
};

const BY_KEY: Readonly<Record<MatchKey, KeyMatcher>> = {
  external_key: (find, texts) => texts.flatMap((text) => find('external', text.toLowerCase())),
  serial_number: everyIn('hardware', SERIAL_MARK),
  mac_address: everyIn('hardware', MAC_MARK),
  fqdn: everyIn('whole'),
  hostname: named,
  ip_address: everyIn('addresses'),
};

export const matchOne = (find: FindCis, machine: MachineKeys): MatchedCis =>
  recordOf(MATCH_KEYS, (key) => [...new Set(BY_KEY[key](find, machine[key]))].sort().slice(0, MATCHED_CIS));

/** Identifiers of a machine, best first: the first that finds a CI decides (docs/specification.md §11). */
export const MATCH_KEYS = ['external_key', 'serial_number', 'mac_address', 'fqdn', 'hostname', 'ip_address'] as const;

export type MatchKey = (typeof MATCH_KEYS)[number];

/** Texts by key, in their canonical form (`features/discovery/rules/machine.ts`). */
export type MachineKeys = Readonly<Record<MatchKey, readonly string[]>>;

export const NO_KEYS: MachineKeys = {
  external_key: [],
  serial_number: [],
  mac_address: [],
  fqdn: [],
  hostname: [],
  ip_address: [],
};

/** Ids of the CIs that the texts of each key find. */
export type MatchedCis = Readonly<Record<MatchKey, readonly string[]>>;

/** CIs shown per key; two are enough to know that there are several. */
const MATCHED_CIS = 10;
