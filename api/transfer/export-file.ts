import { stringify } from 'csv-stringify/sync';
import type { Page } from '#domain/ports/event-store.ts';
import type { Format } from '#schemas/http/transfer.ts';
import { cellOf } from './cells.ts';

/** A record as it leaves: plain fields, and bags (`attributes`, `custom_fields`). */
export type Exported = Readonly<Record<string, unknown>>;
/** All records from the start, page by page. */
export type Pages = () => AsyncIterable<readonly Exported[]>;

/** Beyond so many columns the rest of a bag stands as JSON in one. */
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

/** Columns of all records: plain fields as they come, then those of the bags by name. */
const columnsOf = async (pages: Pages): Promise<string[]> => {
  const plain = new Set<string>();
  const inner = new Set<string>();
  const rest = new Set<string>();
  for await (const records of pages())
    for (const [name, value] of records.flatMap((record) => Object.entries(record))) {
      if (!isBag(value)) plain.add(name);
      else
        for (const key of Object.keys(value))
          if (inner.size < MAX_COLUMNS || inner.has(`${name}.${key}`)) inner.add(`${name}.${key}`);
          else rest.add(name);
    }
  return [...plain, ...[...inner].sort(), ...rest];
};

const cells = (record: Exported, columns: ReadonlySet<string>): Record<string, string> => {
  const row: Record<string, string> = {};
  for (const [name, value] of Object.entries(record)) {
    if (!isBag(value)) {
      row[name] = typeof value === 'string' ? value : cellOf(value);
      continue;
    }
    const rest: Record<string, unknown> = {};
    for (const [key, inner] of Object.entries(value)) {
      if (columns.has(`${name}.${key}`)) row[`${name}.${key}`] = cellOf(inner);
      else rest[key] = inner;
    }
    if (columns.has(name) && Object.keys(rest).length > 0) row[name] = JSON.stringify(rest);
  }
  return row;
};

async function* csvLines(pages: Pages): AsyncGenerator<string> {
  const columns = await columnsOf(pages);
  yield stringify([columns]);
  const known = new Set(columns);
  const options = { columns, escape_formulas: true };
  for await (const records of pages())
    yield stringify(
      records.map((record) => cells(record, known)),
      options,
    );
}

export const exportLines = (format: Format, pages: Pages): AsyncIterable<string> =>
  format === 'csv' ? csvLines(pages) : jsonLines(pages);
