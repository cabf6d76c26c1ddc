import { globMatches, globPrefix, isGlob } from '#domain/glob.ts';
import type { RowReader } from '#infra/embedded/redo-log/connections.ts';
import { kindNumber, numbersOf } from './rows.ts';

const FROM = 'SELECT n, value FROM facet_value WHERE tenant = ? AND kind = ? AND value >= ? AND value < ?';
/** Sorts after every text that begins with the other. */
const END = '\u{10FFFF}';

/** Returns the numbers of the host names that match one of the patterns; names with its prefix are scanned. */
export function hostNumbers(reading: RowReader, tenant: string, patterns: readonly string[]): number[] {
  const kind = kindNumber('host');
  const found = patterns.filter(isGlob).flatMap((pattern) => {
    const prefix = globPrefix(pattern);
    const rows = reading.arrays<[number, string]>(FROM).all(tenant, kind, prefix, prefix + END);
    return rows.filter(([, host]) => globMatches(pattern, host)).map(([n]) => n);
  });
  const exact = patterns.filter((pattern) => !isGlob(pattern));
  return [...new Set([...found, ...numbersOf(reading, tenant, 'host', exact)])];
}

/** Numbers of the host names that a full-text expression finds. */
export const hostsWith = (reading: RowReader, expression: string): number[] =>
  reading
    .arrays<[number]>('SELECT rowid FROM facet_host WHERE facet_host MATCH ?')
    .all(expression)
    .map(([n]) => n);
