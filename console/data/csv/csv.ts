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

export interface CsvPage<Row> {
  readonly rows: readonly Row[];
  /** Cursor of the next page; null: it is the last. */
  readonly next: string | null;
}

/** Reads pages until there are none, or as many rows as allowed. */
export const readAll = async <Row>(
  read: (cursor: string | undefined) => Promise<CsvPage<Row>>,
  most: number,
): Promise<{ readonly rows: readonly Row[]; readonly isCut: boolean }> => {
  const rows: Row[] = [];
  let cursor: string | undefined;
  for (;;) {
    const page = await read(cursor);
    rows.push(...page.rows);
    if (rows.length > most) return { rows: rows.slice(0, most), isCut: true };
    if (page.next === null || page.rows.length === 0) return { rows, isCut: false };
    if (rows.length === most) return { rows, isCut: true };
    cursor = page.next;
  }
};
