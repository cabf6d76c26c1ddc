import { globMatches, globPrefix, isGlob } from '#domain/glob.ts';
import type { Reading } from '#infra/embedded/journal/connections.ts';
import { kindNumber, numbersOf } from './rows.ts';

const FROM = 'SELECT n, value FROM facet_value WHERE tenant = ? AND kind = ? AND value >= ? AND value < ?';
/** Behind every text that begins with the other. */
const END = '\u{10FFFF}';

/** Numbers of the host names that one of the patterns matches; names with its beginning are looked at. */
export function hostNumbers(reading: Reading, tenant: string, patterns: readonly string[]): number[] {
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
export const hostsWith = (reading: Reading, expression: string): number[] =>
  reading
    .arrays<[number]>('SELECT rowid FROM facet_host WHERE facet_host MATCH ?')
    .all(expression)
    .map(([n]) => n);
