import { stringify } from 'csv-stringify/sync';
import type { Page } from '#domain/page.ts';
import type { TransferFormat } from '#features/transfer/schemas/transfer.ts';
import { cellOf, isColumnKey, keyCellOf, plainCellOf } from './cells.ts';

/** A record as it leaves: plain fields, and bags (`attributes`, `custom_fields`). */
type Exported = Readonly<Record<string, unknown>>;
/** All records from the start, page by page. */
export type Pages = () => AsyncIterable<readonly Exported[]>;

/** Maximum of columns: beyond, the rest of a bag is JSON in one, and so are keys that no header can contain. */
const MAX_COLUMNS = 500;

/** Reads a list to its end. */
export async function* everyPage<T>(read: (cursor: string | null) => Promise<Page<T>>): AsyncGenerator<readonly T[]> {
  let cursor: string | null = null;
  do {
    const page: Page<T> = await read(cursor);
    yield page.items;
    cursor = page.nextCursor;
  } while (cursor !== null);
}

async function* jsonLines(pages: Pages): AsyncGenerator<string> {
  for await (const records of pages()) yield records.map((record) => `${JSON.stringify(record)}\n`).join('');
}

const isBag = (value: unknown): value is Exported =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Columns of all records: the plain fields, then those of the bags by name. */
const columnsOf = async (plain: readonly string[], pages: Pages): Promise<string[]> => {
  const inner = new Set<string>();
  const rest = new Set<string>();
  for await (const records of pages())
    for (const [name, value] of records.flatMap((record) => Object.entries(record))) {
      if (!isBag(value)) continue;
      for (const key of Object.keys(value))
        if (isColumnKey(key) && (inner.size < MAX_COLUMNS || inner.has(`${name}.${key}`))) inner.add(`${name}.${key}`);
        else rest.add(name);
    }
  return [...plain, ...[...inner].sort(), ...rest];
};

/** Returns cells in the order of the columns: by name the writer would interpret a period as a path. */
const cells = (record: Exported, columns: ReadonlySet<string>): string[] => {
  const row = new Map<string, string>();
  for (const [name, value] of Object.entries(record)) {
    if (!isBag(value)) {
      row.set(name, typeof value === 'string' ? plainCellOf(value) : cellOf(value));
      continue;
    }
    const rest: [string, unknown][] = [];
    for (const [key, inner] of Object.entries(value)) {
      if (columns.has(`${name}.${key}`)) row.set(`${name}.${key}`, keyCellOf(key, inner));
      else rest.push([key, inner]);
    }
    if (rest.length > 0) row.set(name, JSON.stringify(Object.fromEntries(rest)));
  }
  return [...columns].map((column) => row.get(column) ?? '');
};

async function* csvLines(plain: readonly string[], pages: Pages): AsyncGenerator<string> {
  const columns = new Set(await columnsOf(plain, pages));
  yield stringify([[...columns]]);
  for await (const records of pages()) yield stringify(records.map((record) => cells(record, columns)));
}

/** `plain`: the fields that every record has, which a CSV file begins with. */
export const exportLines = (format: TransferFormat, plain: readonly string[], pages: Pages): AsyncIterable<string> =>
  format === 'csv' ? csvLines(plain, pages) : jsonLines(pages);
