import { float64At, itemAt } from '#domain/assert.ts';
import { isCutOtherwise, plainWords } from '#domain/plain-words.ts';
import type { RowReader } from '#infra/embedded/redo-log/connections.ts';
import { onlyRow } from '#infra/embedded/sqlite/rows.ts';
import { type Sql, sql } from '#infra/embedded/sqlite/sql.ts';
import { hostsWith } from './hosts.ts';
import { tenantWord } from './rows.ts';

/* Sets of numbers in ascending order, without duplicates. */

/** The union. */
export function unionOf(a: Float64Array, b: Float64Array): Float64Array {
  const both = new Float64Array(a.length + b.length);
  let [i, k, n] = [0, 0, 0];
  while (i < a.length || k < b.length) {
    const [x, y] = [a[i] ?? Number.POSITIVE_INFINITY, b[k] ?? Number.POSITIVE_INFINITY];
    both[n++] = Math.min(x, y);
    if (x <= y) i++;
    if (y <= x) k++;
  }
  return both.subarray(0, n);
}

/** The intersection. */
export function intersectionOf(a: Float64Array, b: Float64Array): Float64Array {
  const common = new Float64Array(Math.min(a.length, b.length));
  let [i, k, n] = [0, 0, 0];
  while (i < a.length && k < b.length) {
    const [x, y] = [float64At(a, i), float64At(b, k)];
    if (x === y) common[n++] = x;
    if (x <= y) i++;
    if (y <= x) k++;
  }
  return common.subarray(0, n);
}

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
const numbersIn = (reading: RowReader, query: string, asked: string): number[] =>
  JSON.parse(
    onlyRow(reading.arrays<[string]>(`SELECT json_group_array(seq) FROM (${query})`).get(asked))[0],
  ) as number[];

/** Returns ids in ascending order; sorts only where there are too many, which is slower than finding them. */
function newest(reading: RowReader, query: string, asked: string): Float64Array {
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
  reading: RowReader,
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
  // Each word is looked up once, regardless of other conditions. SQLite accepts sorted ids twice as fast.
  const seqs = found.reduce(intersectionOf);
  return { words: { ...sql('e.seq IN (SELECT value FROM json_each(?))', `[${seqs.join()}]`), count: seqs.length } };
}
