import { Buffer } from 'node:buffer';
import type { Reading } from '#infra/embedded/journal/database.ts';
import { all, type Sql, sql } from '#infra/embedded/sqlite/sql.ts';
import { hostsWith } from './hosts.ts';

const WORD = /[\p{L}\p{N}]/u;
/** Shorter words are found whole only: nearly every text has a word that begins with a given letter. */
const BEGINNING = /[\p{L}\p{N}].*[\p{L}\p{N}]/u;

/** The tenant as one search word: names hold hyphens, which would split it. */
export const tenantWord = (tenant: string): string => `t${Buffer.from(tenant).toString('hex')}`;

/** Quoted, so that none is query syntax. */
const quoted = (word: string): string => `"${word.replaceAll('"', '""')}"${BEGINNING.test(word) ? ' *' : ''}`;
const wordsOf = (typed: string): string[] => typed.split(/[\s\0]+/).filter((word) => WORD.test(word));
const phrases = (words: readonly string[]): string => words.map(quoted).join(' AND ');

const IN_TEXT = 'SELECT rowid FROM event_text WHERE event_text MATCH ?';
const ON_HOST = `SELECT h.seq FROM json_each(?) n CROSS JOIN event_facet h INDEXED BY event_facet_host WHERE h.host = n.value`;

/** What is searched: an expression over titles and descriptions when no host name has one of the words; null: no words. */
export function searchConditions(
  reading: Reading,
  tenant: string,
  typed: string,
): { readonly search: string | null } | { readonly words: Sql } {
  const words = wordsOf(typed);
  if (words.length === 0) return { search: null };
  const inText = (some: readonly string[]): string =>
    `tenant : ${tenantWord(tenant)} AND {title description} : (${phrases(some)})`;
  const hosts = words.map((word) => hostsWith(reading, `scope : ${tenantWord(tenant)} AND host : (${quoted(word)})`));
  if (hosts.every((found) => found.length === 0)) return { search: inText(words) };
  const conditions = words.map((word, i) =>
    hosts[i]!.length === 0
      ? sql(`e.seq IN (${IN_TEXT})`, inText([word]))
      : sql(`e.seq IN (${IN_TEXT} UNION ALL ${ON_HOST})`, inText([word]), JSON.stringify(hosts[i])),
  );
  return { words: all(conditions) };
}
