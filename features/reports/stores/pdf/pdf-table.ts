import type { Content, Layout, Text } from 'pdfmake';
import { itemAt } from '#domain/known.ts';
import { INK } from '#features/reports/rules/charts/palette.ts';
import type { ReportColumn, Table } from '#features/reports/rules/document/document.ts';
import { leftOut } from '#features/reports/rules/document/first-rows.ts';
import { type LocalClock, shown } from '#features/reports/rules/values/values.ts';
import { brokenWords, columnWidths, unbroken } from './column-widths.ts';
import { MAIN } from './fonts.ts';

/** Between the margins of a page. */
export const PAGE_WIDTH = 515;
const PADDING = 4;
/** Rows of the head: the title and the names of the columns stand on every page. */
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

/** The cells of a row. */
const cellTexts = (columns: readonly ReportColumn[], row: Table['rows'][number], clock: LocalClock): string[] =>
  columns.map((column, n) => {
    const value = shown(row[n] ?? null, column.kind, clock);
    return column.kind === 'text' ? value : unbroken(value);
  });

/** One line per text; what stands between is a break. */
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
    // Numbers and times hold blanks that do not break, and no characters of others.
    text:
      column.kind !== 'text' ? itemAt(cells, n) : linesOf(brokenWords(itemAt(cells, n), itemAt(widths, n)), writing),
    alignment: isNumber(column) ? 'right' : 'left',
  }));

/** A table whose head is repeated on each page, and never stands alone at the end of one. */
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
