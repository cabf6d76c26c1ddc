import { itemAt } from '#domain/known.ts';
import { isCutOtherwise, plainWords } from '#domain/plain-words.ts';
import type { Reading } from '#infra/embedded/journal/connections.ts';
import { onlyRow } from '#infra/embedded/sqlite/rows.ts';
import { type Sql, sql } from '#infra/embedded/sqlite/sql.ts';
import { hostsWith } from './hosts.ts';
import { tenantWord } from './rows.ts';
import { intersectionOf, unionOf } from './sorted-numbers.ts';

const WORD = /[\p{L}\p{N}]/u;
/** Shorter words are found whole only: nearly every text has a word that begins with a given letter. */
const BEGINNING = /[\p{L}\p{N}].*[\p{L}\p{N}]/u;

/** Quoted, so that none is query syntax. */
const exactly = (word: string): string => `"${word.replaceAll('"', '""')}"${BEGINNING.test(word) ? ' *' : ''}`;
const inTexts = (word: string): string => exactly(isCutOtherwise(word) ? plainWords(word) : word);
/** Host names are stored as they are. */
const inHosts = (word: string): string =>
  isCutOtherwise(word) ? `(${inTexts(word)} OR ${exactly(word)})` : exactly(word);
const wordsOf = (typed: string): string[] => typed.split(/[\s\0]+/).filter((word) => WORD.test(word));
const phrases = (words: readonly string[]): string => words.map(inTexts).join(' AND ');

/** Events that have one word; of more the newest. */
const MOST = 1_000_000;
const IN_TEXT = 'SELECT rowid AS seq FROM event_text WHERE event_text MATCH ?';
const ON_HOST = `SELECT h.seq AS seq FROM event_facet h INDEXED BY event_facet_host
  WHERE h.host IN (SELECT value FROM json_each(?))`;

/** SQLite writes numbers as one text far faster than it hands over rows. */
const numbersIn = (reading: Reading, query: string, asked: string): number[] =>
  JSON.parse(
    onlyRow(reading.arrays<[string]>(`SELECT json_group_array(seq) FROM (${query})`).get(asked))[0],
  ) as number[];

/** In ascending order; sorted only where there are too many, which takes longer than to find them. */
function newest(reading: Reading, query: string, asked: string): Float64Array {
  const some = numbersIn(reading, `${query} LIMIT ${MOST + 1}`, asked);
  const found = some.length <= MOST ? some : numbersIn(reading, `${query} ORDER BY seq DESC LIMIT ${MOST}`, asked);
  return Float64Array.from(found).sort();
}

/** Events with words that were looked up, and how many they are. */
export interface FoundWords extends Sql {
  readonly count: number;
}

/** The search: an expression over titles and descriptions when no host name has one of the words; null: no words. */
export function searchConditions(
  reading: Reading,
  tenant: string,
  typed: string,
): { readonly search: string | null } | { readonly words: FoundWords } {
  const words = wordsOf(typed);
  if (words.length === 0) return { search: null };
  const inText = (some: readonly string[]): string =>
    `tenant : ${tenantWord(tenant)} AND {title description} : (${phrases(some)})`;
  const hosts = words.map((word) => hostsWith(reading, `scope : ${tenantWord(tenant)} AND host : (${inHosts(word)})`));
  if (hosts.every((found) => found.length === 0)) return { search: inText(words) };
  const found = words.map((word, i) => {
    const texts = newest(reading, IN_TEXT, inText([word]));
    return itemAt(hosts, i).length === 0 ? texts : unionOf(texts, newest(reading, ON_HOST, JSON.stringify(hosts[i])));
  });
  // Each word is looked up once, whatever else the events have to be. SQLite takes them in twice as fast in their order.
  const seqs = found.reduce(intersectionOf);
  return { words: { ...sql('e.seq IN (SELECT value FROM json_each(?))', `[${seqs.join()}]`), count: seqs.length } };
}
