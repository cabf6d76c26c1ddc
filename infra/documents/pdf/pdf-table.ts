import type { Content, Layout, Text } from 'pdfmake';
import { INK } from '#domain/reports/charts/palette.ts';
import type { Column, Table } from '#domain/reports/document/document.ts';
import { leftOut } from '#domain/reports/document/first-rows.ts';
import { type LocalClock, shown } from '#domain/reports/values/values.ts';

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

/** Fixed widths, so that long words are broken and no column grows. */
const widthsOf = (columns: readonly Column[]): number[] => {
  const shares = columns.map(({ width = 1 }) => width);
  const all = shares.reduce((sum, share) => sum + share, 0);
  const room = PAGE_WIDTH - columns.length * 2 * PADDING;
  return shares.map((share) => (room * share) / all);
};

const isNumber = ({ kind }: Column): boolean => kind !== 'text' && kind !== 'time' && kind !== 'day';

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
    ...{ text: text(column.label), style: 'tableHead' },
    alignment: isNumber(column) ? 'right' : 'left',
  }));

const bodyRow = (columns: readonly Column[], row: Table['rows'][number], { clock, text }: Writing): Content[] =>
  columns.map((column, n) => ({
    text: text(shown(row[n] ?? null, column.kind, clock)),
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
  const body = [
    titleRow(table, writing),
    headRow(table, writing),
    ...rows.map((row) => bodyRow(columns, row, writing)),
  ];
  const left = leftOut(table, isInCsv);
  return [
    {
      table: { headerRows: HEAD, keepWithHeaderRows: 1, dontBreakRows: true, widths: widthsOf(columns), body },
      ...{ layout, style: 'table' },
    },
    ...(left === null ? [] : [{ text: left, style: 'note' }]),
  ];
};
