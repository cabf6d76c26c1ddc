import { lastItem } from '#domain/assert.ts';
import { isCutOtherwise, plainWords } from '#domain/plain-words.ts';
import type {
  DocumentListOptions,
  DocumentPart,
  KeywordQuery,
  SearchHit,
  SearchQuery,
} from '#domain/ports/search/search-index.ts';
import type { SearchKind } from '#domain/search/document.ts';
import { isNearly } from '#domain/search/nearly.ts';
import type { RowReader } from '#infra/embedded/redo-log/connections.ts';
import { interruptible } from '#infra/embedded/redo-log/interrupt.ts';
import { COLUMNS, conceptWord, type DocumentRow, documentOf, scopeWord } from './row.ts';

const SHORTEST = 3;
/** Shorter words have too few parts: one error may change them all. */
const BY_PARTS = 6;
/** Maximum of words scanned, and of words used. */
const LOOKED_AT = 200;
const TAKEN = 10;

const PARTS = `SELECT w.word FROM search_word_parts p JOIN search_word w ON w.n = p.rowid
  WHERE search_word_parts MATCH ? AND w.tenant = ? ORDER BY p.rank LIMIT ${LOOKED_AT}`;
const LETTER = `SELECT word FROM search_word INDEXED BY search_word_word
  WHERE tenant = ? AND word >= ? AND word < ? AND length(word) BETWEEN ? AND ?`;

const partsOf = (word: string): string =>
  Array.from({ length: word.length - 2 }, (_, at) => `"${word.slice(at, at + 3)}"`).join(' OR ');

function candidates(reading: RowReader, tenant: string, word: string): string[] {
  const letter = word.charAt(0);
  const rows =
    word.length >= BY_PARTS
      ? reading.arrays<[string]>(PARTS).all(partsOf(word), tenant)
      : reading.arrays<[string]>(LETTER).all(tenant, letter, `${letter}\u{10ffff}`, word.length - 1, word.length + 1);
  return rows.map(([found]) => found);
}

/** Words of the tenant that may be meant by one of small letters that has typing errors. */
function alike(reading: RowReader, tenant: string, word: string): readonly string[] {
  if (word.length < SHORTEST || /\d/.test(word)) return [];
  return candidates(reading, tenant, word)
    .filter((found) => isNearly(word, found))
    .slice(0, TAKEN);
}

export interface FindDocuments {
  readonly tenant: string;
  readonly query: SearchQuery;
}
export interface TaggedDocuments {
  readonly tenant: string;
  readonly query: KeywordQuery;
}
export interface ListDocuments {
  readonly tenant: string;
  readonly options: DocumentListOptions;
}

/** The weight of a match in each column: scope, title, text, concepts. */
const WEIGHTS = '0.0, 3.0, 1.0, 2.0';

const COLUMNS_OF_D = COLUMNS.split(', ')
  .map((column) => `d.${column}`)
  .join(', ');

const FOUND = `SELECT ${COLUMNS_OF_D}, f.score FROM (
    SELECT rowid AS n, bm25(search_text, ${WEIGHTS}) AS score FROM search_text
    WHERE search_text MATCH ? AND ${interruptible('rowid')} ORDER BY score, rowid DESC LIMIT ?
  ) f JOIN search_document d ON d.n = f.n WHERE d.tenant = ? ORDER BY f.score, d.at DESC, d.n`;

const TAGGED = `SELECT ${COLUMNS_OF_D}, count(*) AS score FROM search_keyword k JOIN search_document d ON d.n = k.n
  WHERE k.tenant = ? AND k.keyword IN (SELECT value FROM json_each(?)) AND ${interruptible('k.n')}
  AND d.tenant = k.tenant AND d.kind IN (SELECT value FROM json_each(?))
  GROUP BY k.n ORDER BY score DESC, d.at DESC, d.n LIMIT ?`;

const LISTED = `SELECT ${COLUMNS} FROM search_document INDEXED BY search_document_at
  WHERE tenant = ? AND kind = ? AND (at, id) < (?, ?) ORDER BY at DESC, id DESC LIMIT ?`;

/**
 * Quotes the text, so that no part of it is query syntax; null when it has no word. Words that SQLite splits
 * differently are behind the concepts, and unchanged in title and text.
 */
const quoted = (typed: string): string | null => {
  const words = plainWords(typed);
  if (words === '') return null;
  return isCutOtherwise(typed) ? `("${words}" OR "${typed.replace(/["\0]/g, ' ')}")` : `"${words}"`;
};

const present = <T>(items: readonly (T | null)[]): T[] => items.filter((item) => item !== null);
const anyOf = (terms: readonly string[]): string => `(${terms.join(' OR ')})`;

const wordsOf = (reading: RowReader, tenant: string, { words, alike: mistyped = [] }: SearchQuery): string[] => {
  const near = mistyped.flatMap((word) => alike(reading, tenant, plainWords(word)));
  return [...new Set(present([...words, ...near].map(quoted)))];
};

/** Null when nothing can be found. */
function matchOf(reading: RowReader, { tenant, query }: FindDocuments): string | null {
  const { concepts = [], phrases = [], kinds } = query;
  const words = wordsOf(reading, tenant, query);
  const wanted = [
    ...(words.length > 0 ? [`{title text concepts} : ${anyOf(words)}`] : []),
    ...(concepts.length > 0 ? [`concepts : ${anyOf(concepts.map(conceptWord))}`] : []),
  ];
  const needed = present(phrases.map(quoted)).map((phrase) => `{title text concepts} : ${phrase}`);
  if (kinds.length === 0 || wanted.length + needed.length === 0) return null;
  const scopes = kinds.map((kind: SearchKind) => scopeWord(tenant, kind));
  return [`scope : ${anyOf(scopes)}`, ...(wanted.length > 0 ? [anyOf(wanted)] : []), ...needed].join(' AND ');
}

type ScoredRow = readonly [...DocumentRow, score: number];
const hitOf = (row: ScoredRow, sign: 1 | -1): SearchHit => ({
  document: documentOf(row),
  score: sign * (row.at(-1) as number),
});

export function findDocuments(reading: RowReader, asked: FindDocuments): SearchHit[] {
  const match = matchOf(reading, asked);
  if (match === null) return [];
  const rows = reading.arrays<ScoredRow>(FOUND).all(match, asked.query.limit, asked.tenant);
  // SQLite's score is the lower the better.
  return rows.map((row) => hitOf(row, -1));
}

export function taggedDocuments(reading: RowReader, { tenant, query }: TaggedDocuments): SearchHit[] {
  const { keywords, kinds, limit } = query;
  const rows = reading.arrays<ScoredRow>(TAGGED).all(tenant, JSON.stringify(keywords), JSON.stringify(kinds), limit);
  return rows.map((row) => hitOf(row, 1));
}

const cursorOf = ({ at, id }: { readonly at: number; readonly id: string }): string => `${at} ${id}`;
const END: readonly [number, string] = [Number.MAX_SAFE_INTEGER, ''];
const placeOf = (after: string | undefined): readonly [at: number, id: string] => {
  if (after === undefined) return END;
  const space = after.indexOf(' ');
  return [Number(after.slice(0, space)), after.slice(space + 1)];
};

export function listDocuments(reading: RowReader, { tenant, options }: ListDocuments): DocumentPart {
  const { kind, after, limit } = options;
  const rows = reading.arrays<DocumentRow>(LISTED).all(tenant, kind, ...placeOf(after), limit);
  const documents = rows.map(documentOf);
  return { documents, next: documents.length < limit ? null : cursorOf(lastItem(documents)) };
}
