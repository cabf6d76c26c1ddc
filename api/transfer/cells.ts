/** How values stand in the cells of a CSV file, so that an export can be imported again and gives the same. */

const BAGS = ['attributes', 'custom_fields'] as const;
/** A text that a spreadsheet would take for a formula has an apostrophe before it. */
const ESCAPED_FORMULA = /^'(?=[=+\-@\t\r])/;
const MAYBE_JSON = /^(?:true|false|null|-?\d|\{|\[|")/;

/** JSON where the text is JSON in the form that we would write it in, else the text itself: `007` stays a text. */
export const cellValue = (cell: string): unknown => {
  const text = cell.replace(ESCAPED_FORMULA, '');
  if (!MAYBE_JSON.test(text)) return text;
  try {
    const value: unknown = JSON.parse(text);
    return typeof value !== 'object' && typeof value !== 'string' && String(value) !== text ? text : value;
  } catch {
    return text;
  }
};

/** The text that `cellValue` reads as this value. */
export const cellOf = (value: unknown): string => {
  if (value === undefined) return '';
  if (typeof value !== 'string') return JSON.stringify(value);
  return value === '' || cellValue(value) !== value ? JSON.stringify(value) : value;
};

const bagOf = (column: string): (typeof BAGS)[number] | undefined =>
  BAGS.find((bag) => column.startsWith(`${bag}.`) && column.length > bag.length + 1);

const isBag = (column: string): boolean => (BAGS as readonly string[]).includes(column);

/** A whole bag in one cell; what is no JSON object is left for the schema to refuse. */
const jsonObject = (cell: string): Readonly<Record<string, unknown>> => {
  const value = cellValue(cell);
  return typeof value === 'object' && value !== null ? { ...value } : { [cell]: undefined };
};

/** A record of cells by column as a row: empty cells are absent, `attributes.x` goes into `attributes`. */
export const rowOfCells = (cells: Readonly<Record<string, string>>): Readonly<Record<string, unknown>> => {
  const row: Record<string, unknown> = {};
  const bags: Record<string, Record<string, unknown>> = {};
  for (const [column, cell] of Object.entries(cells)) {
    if (cell === '') continue;
    const bag = bagOf(column);
    if (bag !== undefined) {
      bags[bag] = { ...bags[bag], [column.slice(bag.length + 1)]: cellValue(cell) };
    } else if (isBag(column)) bags[column] = { ...bags[column], ...jsonObject(cell) };
    else row[column] = plainCell(column, cell);
  }
  return { ...row, ...bags };
};

/** Columns that are texts stay texts, whatever they look like. */
const plainCell = (column: string, cell: string): unknown => {
  const text = cell.replace(ESCAPED_FORMULA, '');
  if (column === 'confidence') return cellValue(text);
  return column === 'description' && text === 'null' ? null : text;
};
