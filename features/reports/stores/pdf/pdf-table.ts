import type { Content, Layout, Text } from 'pdfmake';
import { itemAt } from '#domain/assert.ts';
import { INK } from '#features/reports/rules/charts/palette.ts';
import { textWidth, wrapped } from '#features/reports/rules/charts/text-width.ts';
import type { ReportColumn, Table } from '#features/reports/rules/document/document.ts';
import { leftOut } from '#features/reports/rules/document/first-rows.ts';
import { type LocalClock, shown } from '#features/reports/rules/values/values.ts';
import { MAIN } from './fonts.ts';

/** Font size of tables, points. */
export const TABLE_FONT = 8;
/**
 * Maximum share of the width for the longest word of a column; reduced until all columns fit, so that IDs of 200
 * characters are broken.
 */
const MAX_FOR_A_WORD = 0.28;
const LESS = 0.85;
const NO_BREAK = '\u00a0';
const PIECES = 50;

/** Prevents breaks within numbers with units and within days: `3 min 20 s`; `24 Nov 2026,` above `13:14`. */
export const unbroken = (text: string): string => text.replaceAll(/(?<!,) /g, NO_BREAK);

const widestWord = (text: string): number =>
  text.split(' ').reduce((most, word) => Math.max(most, textWidth(word.replaceAll(NO_BREAK, ' '), TABLE_FONT)), 0);

/** Returns the width of the longest word of each column; if space is short, the longest words are broken first. */
function leastWidths(words: readonly number[], room: number): number[] {
  for (let most = MAX_FOR_A_WORD * room; ; most *= LESS) {
    const least = words.map((word) => Math.min(most, word));
    if (least.reduce((sum, one) => sum + one, 0) <= room) return least;
  }
}

/**
 * Divides the width (points) by the shares of the columns, but gives each the width of its longest word if possible.
 * `texts`: header and rows as written.
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

/** Breaks words that are wider than the column, after punctuation if possible. Returns lines. */
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

/** Width between the margins of a page. */
export const PAGE_WIDTH = 515;
const PADDING = 4;
/** Number of header rows repeated on every page: title and column names. */
const HEAD = 2;

export interface Writing {
  readonly clock: LocalClock;
  readonly text: (text: string) => Text;
  readonly picture: (svg: string) => string;
}

const isNumber = ({ kind }: ReportColumn): boolean => kind !== 'text' && kind !== 'time' && kind !== 'day';

const layout: Layout = {
  hLineWidth: (row, { table }) => {
    if (row < HEAD) return 0;
    return row === HEAD || row === table.body.length ? 0.8 : 0.4;
  },
  vLineWidth: () => 0,
  hLineColor: (row) => (row === HEAD ? INK.axis : INK.grid),
  paddingLeft: () => PADDING,
  paddingRight: () => PADDING,
  paddingTop: () => 3.5,
  paddingBottom: () => 2,
};

const titleRow = ({ title, columns }: Table, { text }: Writing): Content[] => [
  { text: text(title), style: 'tableTitle', colSpan: columns.length, margin: [-PADDING, 4, 0, 2] },
  ...columns.slice(1).map(() => ''),
];

const headRow = ({ columns }: Table, { text }: Writing): Content[] =>
  columns.map((column) => ({
    text: text(column.label),
    style: 'tableHead',
    alignment: isNumber(column) ? 'right' : 'left',
  }));

const cellTexts = (columns: readonly ReportColumn[], row: Table['rows'][number], clock: LocalClock): string[] =>
  columns.map((column, n) => {
    const value = shown(row[n] ?? null, column.kind, clock);
    return column.kind === 'text' ? value : unbroken(value);
  });

/** Joins lines with line breaks in the main font. */
const linesOf = (lines: readonly string[], { text }: Writing): Text => {
  const [first = ''] = lines;
  if (lines.length <= 1) return text(first);
  const runs = lines.map((line) => text(line));
  if (runs.every((run) => typeof run === 'string')) return runs.join('\n');
  return runs.flatMap((run, n) => [
    ...(n === 0 ? [] : [{ text: '\n', font: MAIN }]),
    ...(typeof run === 'string' ? [{ text: run, font: MAIN }] : run),
  ]);
};

const bodyRow = (
  columns: readonly ReportColumn[],
  cells: readonly string[],
  { widths, writing }: { readonly widths: readonly number[]; readonly writing: Writing },
): Content[] =>
  columns.map((column, n) => ({
    // Numbers and times have non-breaking spaces, and only characters of the main font.
    text:
      column.kind !== 'text' ? itemAt(cells, n) : linesOf(brokenWords(itemAt(cells, n), itemAt(widths, n)), writing),
    alignment: isNumber(column) ? 'right' : 'left',
  }));

/** Repeats the header on each page, and never separates it from the first row. */
export const pdfTable = (table: Table, writing: Writing, isInCsv: boolean): Content[] => {
  const { title, columns, rows, empty } = table;
  const { text } = writing;
  if (rows.length === 0)
    return [
      {
        stack: [
          { text: text(title), style: 'tableTitle' },
          { text: text(empty), style: 'note' },
        ],
        unbreakable: true,
      },
    ];
  const cells = rows.map((row) => cellTexts(columns, row, writing.clock));
  const room = PAGE_WIDTH - columns.length * 2 * PADDING;
  const widths = columnWidths(columns, [columns.map(({ label }) => label), ...cells], room);
  const body = [
    titleRow(table, writing),
    headRow(table, writing),
    ...cells.map((row) => bodyRow(columns, row, { widths, writing })),
  ];
  const left = leftOut(table, isInCsv);
  return [
    { table: { headerRows: HEAD, keepWithHeaderRows: 1, dontBreakRows: true, widths, body }, layout, style: 'table' },
    ...(left === null ? [] : [{ text: left, style: 'note' }]),
  ];
};
