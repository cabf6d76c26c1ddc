/** Columns of a file: title and value. */
export type CsvField<Row> = readonly [title: string, value: (row: Row) => string | number | null | undefined];

/** Spreadsheets read texts that begin so as formulas. */
const FORMULA = /^[=+\-@\t\r]/;

const cell = (value: string | number | null | undefined): string => {
  if (value === null || value === undefined) return '';
  if (typeof value === 'number') return String(value);
  const text = FORMULA.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
};

/** RFC 4180, with a line of titles. */
export const csvOf = <Row>(rows: readonly Row[], fields: readonly CsvField<Row>[]): string =>
  [fields.map(([title]) => cell(title)), ...rows.map((row) => fields.map(([, value]) => cell(value(row))))]
    .map((line) => `${line.join(',')}\r\n`)
    .join('');

/** A column of a table; without `value` its cell is a text or a number. */
export interface FileColumn<Row> {
  readonly title: string;
  readonly cell: (row: Row) => unknown;
  readonly isNumber?: boolean;
  readonly value?: CsvField<Row>[1];
}

const NONE = '–';
const plainCell = (cell: unknown, isNumber: boolean): string | number | null => {
  if (typeof cell !== 'string') return typeof cell === 'number' ? cell : null;
  if (cell === NONE) return null;
  return isNumber ? cell.replaceAll(',', '') : cell;
};

/** The columns of a table as those of a file. */
export const fieldsOf = <Row>(columns: readonly FileColumn<Row>[]): readonly CsvField<Row>[] =>
  columns.map(({ title, cell, isNumber = false, value }) => [
    title,
    value ?? ((row) => plainCell(cell(row), isNumber)),
  ]);

/** A page of a list, as lists of the API are; without `nextCursor` it is the last. */
export interface CsvPage<Row> {
  readonly data: readonly Row[];
  readonly pagination: { readonly nextCursor?: string | null | undefined };
}

/** Rows that are a whole list. */
export const wholeList = <Row>(data: readonly Row[]): CsvPage<Row> => ({ data, pagination: {} });

/** Reads pages until there are none, or as many rows as allowed. */
export const readAll = async <Row>(
  read: (cursor: string | undefined) => Promise<CsvPage<Row>>,
  most: number,
): Promise<{ readonly rows: readonly Row[]; readonly isCut: boolean }> => {
  const rows: Row[] = [];
  let cursor: string | undefined;
  for (;;) {
    const page = await read(cursor);
    const next = page.pagination.nextCursor ?? null;
    rows.push(...page.data);
    if (rows.length > most) return { rows: rows.slice(0, most), isCut: true };
    if (next === null || page.data.length === 0) return { rows, isCut: false };
    if (rows.length === most) return { rows, isCut: true };
    cursor = next;
  }
};
