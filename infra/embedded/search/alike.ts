import { isNearly } from '#domain/search/nearly.ts';
import type { Reading } from '#infra/embedded/journal/connections.ts';

const SHORTEST = 3;
/** Shorter words have too few parts: one error may change them all. */
const BY_PARTS = 6;
/** Words looked at, and words taken. */
const LOOKED_AT = 200;
const TAKEN = 10;

const PARTS = `SELECT w.word FROM search_word_parts p JOIN search_word w ON w.n = p.rowid
  WHERE search_word_parts MATCH ? AND w.tenant = ? ORDER BY p.rank LIMIT ${LOOKED_AT}`;
const LETTER = `SELECT word FROM search_word INDEXED BY search_word_word
  WHERE tenant = ? AND word >= ? AND word < ? AND length(word) BETWEEN ? AND ?`;

const partsOf = (word: string): string =>
  Array.from({ length: word.length - 2 }, (_, at) => `"${word.slice(at, at + 3)}"`).join(' OR ');

function candidates(reading: Reading, tenant: string, word: string): string[] {
  const letter = word.charAt(0);
  const rows =
    word.length >= BY_PARTS
      ? reading.arrays<[string]>(PARTS).all(partsOf(word), tenant)
      : reading.arrays<[string]>(LETTER).all(tenant, letter, `${letter}\u{10ffff}`, word.length - 1, word.length + 1);
  return rows.map(([found]) => found);
}

/** Words of the tenant that may be meant by one of small letters that has typing errors. */
export function alike(reading: Reading, tenant: string, word: string): readonly string[] {
  if (word.length < SHORTEST || /\d/.test(word)) return [];
  return candidates(reading, tenant, word)
    .filter((found) => isNearly(word, found))
    .slice(0, TAKEN);
}
