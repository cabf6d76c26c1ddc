import type { CiRow } from '#console/api/cmdb/cmdb.ts';
import { type CiDraft, EMPTY_DRAFT } from '#console/cis/ci-draft.ts';
import { fieldWords, valueText } from '#console/cis/ci-words.ts';
import type { CsvField } from '#console/data/csv/csv.ts';
import { number } from '#console/text/counts.ts';
import type { ReviewData, ScannerToken, ScanSummaryData, UnboundHost } from './api.ts';

type OutcomeCounts = Pick<ScanSummaryData, 'created' | 'updated' | 'unchanged' | 'ambiguous' | 'failed'>;

export const OUTCOME_WORDS = {
  created: 'created',
  updated: 'updated',
  unchanged: 'unchanged',
  ambiguous: 'to review',
  failed: 'failed',
} as const;

/** `2 created, 40 unchanged, 1 to review`. */
export const outcomeWords = (counts: OutcomeCounts): string => {
  const said = (Object.keys(OUTCOME_WORDS) as (keyof OutcomeCounts)[]).flatMap((key) =>
    counts[key] === 0 ? [] : [`${number(counts[key])} ${OUTCOME_WORDS[key]}`],
  );
  return said.length === 0 ? 'no results yet' : said.join(', ');
};

export interface FieldComparison {
  readonly field: string;
  readonly host: string;
  /** Text of each candidate, in their order. */
  readonly cis: readonly { readonly text: string; readonly isSame: boolean }[];
}

/** A scanned machine beside the CIs that it may be. */
export const compared = (
  host: ReviewData['host'],
  candidates: readonly Pick<CiRow, 'name' | 'attributes'>[],
): FieldComparison[] =>
  Object.entries(host).map(([key, value]) => {
    const said = valueText(value);
    const known = candidates.map(({ attributes }) => valueText(attributes[key]));
    return {
      field: fieldWords(key),
      host: said,
      cis: known.map((text) => ({ text, isSame: text !== '' && text.toLowerCase() === said.toLowerCase() })),
    };
  });

type CiCandidate = Pick<CiRow, 'name' | 'attributes'> & { readonly id: string };
const MARKS = ['ip_address', 'serial_number', 'mac_address', 'fqdn', 'location'] as const;

/** A mark behind the name of a candidate where another one has the same name: the first attribute that differs, else its id. */
export const toldApart = (candidates: readonly CiCandidate[], at: number): string => {
  const own = candidates[at];
  if (own === undefined) return '';
  const namesakes = candidates.filter((one) => one !== own && one.name.toLowerCase() === own.name.toLowerCase());
  if (namesakes.length === 0) return '';
  const mark = MARKS.map((key) => ({ key, text: valueText(own.attributes[key]) })).find(
    ({ key, text }) => text !== '' && namesakes.every((one) => valueText(one.attributes[key]) !== text),
  );
  return ` (${mark?.text ?? own.id})`;
};

export const hostName = ({ hostname, ip_address: address }: Pick<UnboundHost, 'hostname' | 'ip_address'>): string =>
  hostname ?? address ?? 'unknown host';

export const HOST_FIELDS: readonly CsvField<UnboundHost>[] = [
  ['Hostname', ({ hostname }) => hostname],
  ['IP address', ({ ip_address: address }) => address],
  ['Events', ({ events }) => events],
  ['Last event', ({ last_event: last }) => last.title],
  ['Last seen', ({ last_event: last }) => last.lastOccurrence],
];

export const SCAN_FIELDS: readonly CsvField<ScanSummaryData>[] = [
  ['Scan ID', ({ scan_id: id }) => id],
  ['Scanner', ({ scanner_id: scanner }) => scanner],
  ['Type', ({ scan_type: type }) => type],
  ['Submitted', ({ submitted_at: at }) => at],
  ['Status', ({ status }) => status],
  ['Hosts', ({ hosts_total: hosts }) => hosts],
  ['Results', outcomeWords],
];

export const REVIEW_FIELDS: readonly CsvField<ReviewData>[] = [
  ['Hostname', ({ host }) => valueText(host.hostname)],
  ['IP address', ({ host }) => valueText(host.ip_address)],
  ['Scanner', ({ scanner_id: scanner }) => scanner],
  ['Seen', ({ seen_at: at }) => at],
  ['Reason', ({ reason }) => reason],
  ['Candidates', ({ candidates }) => candidates.map(({ name }) => name).join('; ')],
];

export const TOKEN_FIELDS: readonly CsvField<ScannerToken>[] = [
  ['Token', ({ name }) => name],
  ['Last used', ({ last_used_at: at }) => at],
  ['Expires', ({ expires_at: at }) => at],
];

/** A CI that events of this host would find. */
export const draftOfHost = (host: UnboundHost): CiDraft => ({
  ...EMPTY_DRAFT,
  name: hostName(host),
  attributes: [
    ...(host.hostname === null ? [] : [{ key: 'hostname', value: host.hostname }]),
    ...(host.ip_address === null ? [] : [{ key: 'ip_address', value: host.ip_address }]),
  ],
});

const KEYS = ['hostname', 'fqdn'] as const;
const isFree = (ci: Pick<CiRow, 'attributes'>, key: string): boolean => valueText(ci.attributes[key]).trim() === '';

/** Returns the field that binds events of this host to the CI: the name as free hostname or FQDN, else the address; null: all in use. */
export const bindingOf = (
  host: UnboundHost,
  ci: Pick<CiRow, 'attributes'>,
): Readonly<Record<string, string>> | null => {
  const { hostname, ip_address: address } = host;
  const key = KEYS.find((one) => isFree(ci, one));
  if (hostname !== null && key !== undefined) return { [key]: hostname };
  if (address !== null && isFree(ci, 'ip_address')) return { ip_address: address };
  return null;
};
