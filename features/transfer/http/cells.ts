import { FORMULA } from '#domain/text.ts';

/** Format of values in the cells of a CSV file, so that an export can be imported again with the same result. */

const BAGS = ['attributes', 'custom_fields', 'customFields'] as const;
/** Texts outside of bags that would be trimmed, or interpreted as a removal, are escaped in the same way. */
const GUARDED = new RegExp(`${FORMULA.source}|^'*(?:\\s|null$)|\\s$`);
const MAYBE_JSON = /^(?:true|false|null|-?\d|\{|\[|")/;

/** JSON where the text is JSON in the form that we would write it in, else the text itself: `007` stays a text. */
const jsonOr = (text: string): unknown => {
  if (!MAYBE_JSON.test(text)) return text;
  try {
    const value: unknown = JSON.parse(text);
    return typeof value !== 'object' && typeof value !== 'string' && String(value) !== text ? text : value;
  } catch {
    return text;
  }
};

const withApostrophe = (text: string, marked: RegExp): string => (marked.test(text) ? `'${text}` : text);
const withoutApostrophe = (cell: string, marked: RegExp): string | null =>
  cell.startsWith("'") && marked.test(cell.slice(1)) ? cell.slice(1) : null;

/** The value of a cell in a bag. */
export const cellValue = (cell: string): unknown => jsonOr(withoutApostrophe(cell, FORMULA) ?? cell);

/** The cell that `cellValue` reads as this value. */
export const cellOf = (value: unknown): string => {
  if (value === undefined) return '';
  const isPlain = typeof value === 'string' && value !== '' && jsonOr(value) === value;
  return withApostrophe(isPlain ? value : JSON.stringify(value), FORMULA);
};

const OWNER = 'owner';
/** Several owners as a list; JSON is a single value. */
const withOwners = (key: string, cell: string, value: unknown): unknown => {
  if (key !== OWNER || typeof value !== 'string' || !value.includes(';') || cell.startsWith('"')) return value;
  const owners = value.split(';').map((name) => name.trim());
  return owners.filter((name) => name !== '');
};

/** The cell of a key in a bag; an owner with a semicolon is no list. */
export const keyCellOf = (key: string, value: unknown): string =>
  key === OWNER && typeof value === 'string' && value.includes(';') ? JSON.stringify(value) : cellOf(value);

/** The cell that `plainCell` reads as this text. */
export const plainCellOf = (text: string): string => withApostrophe(text, GUARDED);

/** True if a key of a bag can be in the header, where columns are trimmed. */
export const isColumnKey = (key: string): boolean => key !== '' && key === key.trim();

const bagOf = (column: string): (typeof BAGS)[number] | undefined =>
  BAGS.find((bag) => column.startsWith(`${bag}.`) && column.length > bag.length + 1);

const isBag = (column: string): boolean => (BAGS as readonly string[]).includes(column);

/** A whole bag in one cell; a value other than a JSON object is left for the schema to refuse. */
const jsonObject = (cell: string): Readonly<Record<string, unknown>> => {
  const value = cellValue(cell);
  return typeof value === 'object' && value !== null ? { ...value } : { [cell]: undefined };
};

/**
 * Returns a record of cells by column as a row: empty cells are absent, `attributes.x` is added to `attributes`. Cells
 * of `textColumns` are always texts; `null` removes.
 */
export const rowOfCells = (
  cells: Readonly<Record<string, string>>,
  textColumns: ReadonlySet<string>,
): Readonly<Record<string, unknown>> => {
  const row: Record<string, unknown> = {};
  const bags: Record<string, Record<string, unknown>> = {};
  for (const [column, cell] of Object.entries(cells)) {
    if (cell === '') continue;
    const bag = bagOf(column);
    if (bag !== undefined) {
      const value = textColumns.has(column) ? textValue(cell) : cellValue(cell);
      const key = column.slice(bag.length + 1);
      bags[bag] = { ...bags[bag], [key]: withOwners(key, cell, value) };
    } else if (isBag(column)) bags[column] = { ...bags[column], ...jsonObject(cell) };
    else row[column] = plainCell(column, cell);
  }
  return { ...row, ...bags };
};

const textValue = (cell: string): string | null => {
  const value = cellValue(cell);
  return typeof value === 'string' || value === null ? value : cell;
};

/** Text columns stay texts, for any content. */
const plainCell = (column: string, cell: string): unknown => {
  if (column === 'confidence') return cellValue(cell);
  if (column === 'description' && cell === 'null') return null;
  return withoutApostrophe(cell, GUARDED) ?? (column === 'description' ? cell : cell.trim());
};
