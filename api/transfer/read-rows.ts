import { pipeline, Readable } from 'node:stream';
import { type CsvError, type CsvErrorCode, parse } from 'csv-parse';
import { checkJsonShape, parseJson, utf8Body } from '#api/http/input/body.ts';
import { Fault, invalid } from '#domain/fault.ts';
import { firstItem } from '#domain/known.ts';
import type { TransferFormat } from '#schemas/http/cmdb/transfer.ts';
import { rowOfCells } from './cells.ts';

/** One row as it was read; `error` when it cannot be. Rows are counted from 1, without the header. */
export interface ReadRow {
  readonly row: number;
  readonly value?: unknown;
  readonly error?: string;
}

const ROW_BYTES = 1024 * 1024;
const MAX_COLUMNS = 2_000;

/** Columns of a file, and bags whose keys are columns of their own (`attributes.cpu_cores`). */
export interface FileColumns {
  readonly names: readonly string[];
  readonly bags: readonly string[];
  /** Columns whose cells are texts, whatever they look like. */
  readonly texts: ReadonlySet<string>;
}

/** The header of a file that is one quoted text, as JSON has texts. */
const isJsonText = (name: string): boolean => /\\n|\n/.test(name) || (name.includes(',') && name.includes('\\'));

/** A single column that no file of ours would have. */
function refuseForeign(name: string): void {
  if (/[;\t]/.test(name))
    throw invalid('header', 'expected columns that are separated by commas, found semicolons or tabs');
  if (isJsonText(name))
    throw invalid(
      'body',
      'expected CSV as it is, found all of it in quotes: a JSON text; send the file itself, unquoted',
    );
}

/** As the column is called here, whatever its case; a key of a bag keeps its own. */
function columnOf(name: string, { names, bags }: FileColumns): string | null {
  if (name === '') return name;
  const lower = name.toLowerCase();
  const bag = bags.find((one) => lower.startsWith(`${one.toLowerCase()}.`));
  if (bag !== undefined && name.length > bag.length + 1) return bag + name.slice(bag.length);
  return (
    [...names, ...bags].find((one) => one === name) ??
    [...names, ...bags].find((one) => one.toLowerCase() === lower) ??
    null
  );
}

const SHOWN_COLUMNS = 10;
const refuseUnknown = (unknown: readonly string[], { names, bags }: FileColumns): never => {
  const shown = unknown
    .slice(0, SHOWN_COLUMNS)
    .map((name) => name.slice(0, 80))
    .join(', ');
  const more = unknown.length > SHOWN_COLUMNS ? ` and ${unknown.length - SHOWN_COLUMNS} more` : '';
  const known = [...names, ...bags.map((bag) => `${bag}.<name>`)].join(', ');
  throw invalid('header', `unknown column ${shown}${more}; expected ${known}`);
};

const checkedHeader = (header: readonly string[], columns: FileColumns): string[] => {
  const given = header.map((name) => name.trim());
  if (given.length === 1) refuseForeign(firstItem(given));
  if (given.length > MAX_COLUMNS) throw invalid('header', `expected at most ${MAX_COLUMNS} columns`);
  const unknown = given.filter((name) => columnOf(name, columns) === null);
  if (unknown.length > 0) refuseUnknown(unknown, columns);
  const names = given.flatMap((name) => columnOf(name, columns) ?? []);
  const twice = names.find((name, i) => name !== '' && names.indexOf(name) !== i);
  if (twice !== undefined) throw invalid('header', `the column ${twice} stands twice`);
  return names;
};

const WHOLE_FILE: ReadonlySet<CsvErrorCode> = new Set(['CSV_QUOTE_NOT_CLOSED', 'CSV_MAX_RECORD_SIZE']);

/** The error of one record; errors after which the rest cannot be trusted are thrown. */
const skipReason = (error: CsvError): string => {
  if (WHOLE_FILE.has(error.code))
    throw invalid('body', `line ${error.lines}: a quote is not closed, or a row is too long`);
  return error.code.startsWith('CSV_RECORD_INCONSISTENT') || error.code.startsWith('CSV_INCONSISTENT')
    ? 'has another number of cells than the header'
    : error.message;
};

async function* csvRows(body: AsyncIterable<Uint8Array>, known: FileColumns): AsyncGenerator<ReadRow> {
  const skipped: string[] = [];
  const parser = parse({
    bom: true,
    columns: (header: string[]) => checkedHeader(header, known),
    max_record_size: ROW_BYTES,
    skip_empty_lines: true,
    skip_records_with_error: true,
    on_skip: (error) => {
      if (error) skipped.push(skipReason(error));
    },
  });
  // Ends the body too when the parser gives up, so that what is left of it is read off the connection; the loop below throws the error.
  pipeline(Readable.from(body, { objectMode: false }), parser, () => {});
  let row = 0;
  for await (const cells of parser as AsyncIterable<Record<string, string>>) {
    for (const error of skipped.splice(0)) yield { row: ++row, error };
    yield { row: ++row, value: rowOfCells(cells, known.texts) };
  }
  for (const error of skipped) yield { row: ++row, error };
}

const lineValue = (bytes: Uint8Array, row: number): ReadRow => {
  try {
    checkJsonShape(bytes);
    return { row, value: parseJson(new TextDecoder().decode(bytes)) };
  } catch (error) {
    if (error instanceof Fault) return { row, error: error.message };
    throw error;
  }
};

const NEWLINE = 0x0a;
async function* jsonRows(body: AsyncIterable<Uint8Array>): AsyncGenerator<ReadRow> {
  let rest = Buffer.alloc(0);
  let row = 0;
  const isBlank = (line: Buffer): boolean => line.every((byte) => byte <= 0x20);
  for await (const chunk of body) {
    rest = Buffer.concat([rest, chunk]);
    for (let end = rest.indexOf(NEWLINE); end !== -1; end = rest.indexOf(NEWLINE)) {
      const line = rest.subarray(0, end);
      rest = rest.subarray(end + 1);
      if (!isBlank(line)) yield lineValue(line, ++row);
    }
    if (rest.length > ROW_BYTES) throw invalid('body', `line ${row + 1}: expected at most ${ROW_BYTES} bytes`);
  }
  if (!isBlank(rest)) yield lineValue(rest, ++row);
}

/** The rows of a file, in order. Throws Fault `invalid` when nothing that follows could be trusted. */
export const readRows = (
  format: TransferFormat,
  body: AsyncIterable<Uint8Array>,
  columns: FileColumns,
): AsyncGenerator<ReadRow> => (format === 'csv' ? csvRows(utf8Body(body), columns) : jsonRows(utf8Body(body)));

/** By `format`, else by the content type. Throws Fault `invalid`. */
export const formatOf = (format: TransferFormat | undefined, contentType: string | undefined): TransferFormat => {
  if (format !== undefined) return format;
  const type = contentType?.split(';')[0]?.trim().toLowerCase() ?? 'none';
  if (type === 'text/csv') return 'csv';
  if (['application/x-ndjson', 'application/jsonl', 'application/ndjson'].includes(type)) return 'jsonl';
  throw invalid(
    'Content-Type',
    `expected text/csv or application/x-ndjson, or ?format=csv|jsonl; got ${type.slice(0, 80)}`,
  );
};
