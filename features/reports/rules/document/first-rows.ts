import { itemAt } from '#domain/assert.ts';
import { count } from '#features/reports/rules/values/values.ts';
import type { ReportDocument, Table } from './document.ts';

/** Removes columns intended for programs only. */
const forPeople = (table: Table): Table => {
  const kept = table.columns.flatMap(({ isForPrograms }, n) => (isForPrograms ? [] : [n]));
  if (kept.length === table.columns.length) return table;
  const rows = table.rows.map((row) => kept.map((n) => row[n] ?? null));
  return { ...table, columns: kept.map((n) => itemAt(table.columns, n)), rows };
};

/** Limits the total number of rows; rows of the details are omitted first. */
export const firstRows = (document: ReportDocument, most: number): ReportDocument => {
  let room = most;
  const short = (table: Table): Table => {
    const rows = table.rows.slice(0, room);
    room -= rows.length;
    return forPeople(rows.length === table.rows.length ? table : { ...table, rows });
  };
  const sections = document.sections.map((section) => ({ ...section, tables: section.tables.map(short) }));
  return { ...document, sections, details: short(document.details) };
};

/** Returns the note below a shortened table, or null. */
export const leftOut = ({ rows, total }: Table, isInCsv: boolean): string | null => {
  if (total <= rows.length) return null;
  const shown = `The first ${count(rows.length)} of ${count(total)} rows are shown.`;
  return isInCsv ? `${shown} The CSV file of this report (format csv) contains all rows.` : shown;
};
