import { setImmediate as nextTurn } from 'node:timers/promises';
import { stringify } from 'csv-stringify/sync';
import { slices } from '#domain/slices.ts';
import { FORMULA } from '#domain/text.ts';
import type { ReportColumn, ReportDocument } from '#features/reports/rules/document/document.ts';
import { plain } from '#features/reports/rules/values/values.ts';

/** Rows written within one turn of the loop: some milliseconds. */
const ROWS_PER_TURN = 500;

/** Numbers are written as numbers, also below zero. */
const cellOf = (value: string | number | null): string => {
  if (typeof value !== 'string') return value === null ? '' : String(value);
  return FORMULA.test(value) ? `'${value}` : value;
};

const lineOf =
  (columns: readonly ReportColumn[]) =>
  (row: ReportDocument['details']['rows'][number]): string[] =>
    columns.map(({ kind }, n) => cellOf(plain(row[n] ?? null, kind)));

/** The details of a report: a head, then a line per row; RFC 4180 in UTF-8. */
export async function* csvFile({ details: { columns, rows } }: ReportDocument): AsyncGenerator<string> {
  // Spreadsheets take a file without the mark for one of their own character set.
  yield `\uFEFF${stringify([columns.map(({ key }) => key)], { record_delimiter: 'windows' })}`;
  for (const some of slices(rows, ROWS_PER_TURN)) {
    const lines = some.map(lineOf(columns));
    yield stringify(lines, { record_delimiter: 'windows' });
    await nextTurn();
  }
}
