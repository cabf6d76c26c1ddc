import { itemAt } from '#domain/known.ts';
import { textWidth, wrapped } from '#features/reports/rules/charts/text-width.ts';
import type { ReportColumn } from '#features/reports/rules/document/document.ts';

/** Points of the font of tables. */
export const TABLE_FONT = 8;
/** A column gets no more of the room than this for its longest word, and ever less until all have room: an id of 200 characters is broken. */
const MOST_FOR_A_WORD = 0.28;
const LESS = 0.85;
const NO_BREAK = '\u00a0';
const PIECES = 50;

/** Numbers with their units stay on one line, and so do days: `3 min 20 s`; `24 Nov 2026,` above `13:14`. */
export const unbroken = (text: string): string => text.replaceAll(/(?<!,) /g, NO_BREAK);

const widestWord = (text: string): number =>
  text.split(' ').reduce((most, word) => Math.max(most, textWidth(word.replaceAll(NO_BREAK, ' '), TABLE_FONT)), 0);

/** Room for the longest word of each column; where there is not enough for all, the longest are broken first. */
function leastWidths(words: readonly number[], room: number): number[] {
  for (let most = MOST_FOR_A_WORD * room; ; most *= LESS) {
    const least = words.map((word) => Math.min(most, word));
    if (least.reduce((sum, one) => sum + one, 0) <= room) return least;
  }
}

/**
 * Widths of columns that have so much room together, points: by their shares, but none narrower than its longest word where there is
 * room for it. `texts`: rows, the head among them, as they are written.
 */
export function columnWidths(
  columns: readonly Pick<ReportColumn, 'width'>[],
  texts: readonly (readonly string[])[],
  room: number,
): number[] {
  const shares = columns.map(({ width = 1 }) => width);
  const words = columns.map((_, n) => texts.reduce((most, row) => Math.max(most, widestWord(row[n] ?? '')), 0));
  const least = leastWidths(words, room);
  const fixed = new Set<number>();
  for (;;) {
    const taken = [...fixed].reduce((sum, n) => sum + itemAt(least, n), 0);
    const sharing = shares.reduce((sum, share, n) => sum + (fixed.has(n) ? 0 : share), 0);
    const widthOf = (n: number): number =>
      fixed.has(n) ? itemAt(least, n) : (itemAt(shares, n) * (room - taken)) / sharing;
    const narrow = shares.flatMap((_, n) => (!fixed.has(n) && widthOf(n) < itemAt(least, n) ? [n] : []));
    if (narrow.length === 0) return shares.map((_, n) => widthOf(n));
    for (const n of narrow) fixed.add(n);
  }
}

/** The lines that a text must have so that none of its words is wider than the column: words are broken behind their signs, not at random. */
export function brokenWords(text: string, width: number): string[] {
  const lines: string[] = [];
  let line: string[] = [];
  for (const word of text.split(' ')) {
    if (textWidth(word.replaceAll(NO_BREAK, ' '), TABLE_FONT) <= width) {
      line.push(word);
      continue;
    }
    if (line.length > 0) lines.push(line.join(' '));
    const pieces = wrapped(word, width, TABLE_FONT, PIECES);
    lines.push(...pieces.slice(0, -1));
    line = pieces.slice(-1);
  }
  return [...lines, line.join(' ')];
}
