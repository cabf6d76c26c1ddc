import { pipeline, Readable } from 'node:stream';
import { type CsvError, type CsvErrorCode, parse } from 'csv-parse';
import { checkJsonShape, parseJson, utf8Body } from '#api/http/input/body.ts';
import { firstItem, itemAt } from '#domain/assert.ts';
import { Fault, invalid } from '#domain/fault.ts';
import { delimiterOf } from '#features/transfer/rules/delimiter.ts';
import { wordOf } from '#features/transfer/rules/foreign-types.ts';
import type { TransferFormat } from '#features/transfer/schemas/transfer.ts';
import { rowOfCells } from './cells.ts';
import type { ForeignColumn, ForeignColumns } from './foreign-columns.ts';

/** One row as it was read; `error` when it cannot be. Rows are counted from 1, without the header. */
export interface ReadRow {
  readonly row: number;
  readonly value?: unknown;
  readonly error?: string;
}

const ROW_BYTES = 1024 * 1024;
const NEWLINE = 0x0a;
const MAX_COLUMNS = 2_000;

/** Columns of a file, and bags whose keys are columns of their own (`attributes.cpu_cores`). */
export interface FileColumns {
  readonly names: readonly string[];
  readonly bags: readonly string[];
  /** Columns whose cells are always texts. */
  readonly texts: ReadonlySet<string>;
  readonly foreign: ForeignColumns;
}

/** Options for reading a CSV file, and a callback for its header. */
export interface CsvReading {
  /** Fields by the names of their columns. */
  readonly columns: ReadonlyMap<string, string>;
  readonly header: (ignored: readonly string[], warning: string | null) => void;
}

/** The header of a file that is one quoted text, as JSON has texts. */
const isJsonText = (name: string): boolean => /\\n|\n/.test(name) || (name.includes(',') && name.includes('\\'));

/** A single column that no file of ours would have. */
function assertOwnFormat(name: string): void {
  if (isJsonText(name)) throw invalid('body', 'expected raw CSV, found a quoted JSON string');
}

/** Returns our name of the column, regardless of case; a key of a bag retains its own. */
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
const clipped = (names: readonly string[]): string => {
  const shown = names.slice(0, SHOWN_COLUMNS).map((name) => name.slice(0, 80));
  const more = names.length > SHOWN_COLUMNS ? ` and ${names.length - SHOWN_COLUMNS} more` : '';
  return shown.join(', ') + more;
};
const knownText = ({ names, bags }: FileColumns): string =>
  [...names, ...bags.map((bag) => `${bag}.<name>`)].join(', ');

/** Fields that a column fills. */
interface Column {
  readonly name: string;
  readonly isOwn: boolean;
  readonly targets: readonly ForeignColumn[];
}

const asItIs = (cell: string): string => cell;
const ownColumn = (name: string, field: string, { foreign }: FileColumns): Column => ({
  name,
  isOwn: true,
  targets: [{ to: field, read: foreign.own.get(field) ?? asItIs }],
});

/** Maps columns by the caller, by names of another product, or by our names; without targets it is ignored. */
function columnsOf(given: readonly string[], known: FileColumns, { columns: asked }: CsvReading): Column[] {
  const header = new Set(given.map(wordOf));
  const { dialects, columns } = known.foreign;
  const dialect = dialects.find(({ signs }) => signs.some((word) => header.has(word)));
  return given.map((name): Column => {
    const field = asked.get(name.toLowerCase());
    if (field !== undefined) return ownColumn(name, field, known);
    const word = wordOf(name);
    const otherwise = name === '' ? undefined : dialect?.columns.get(word);
    if (otherwise !== undefined) return { name, isOwn: false, targets: otherwise };
    const own = columnOf(name, known);
    if (own !== null) return ownColumn(name, own, known);
    return { name, isOwn: false, targets: columns.get(word) ?? [] };
  });
}

function requireNeeded(columns: readonly Column[], known: FileColumns): void {
  const filled = new Set(columns.flatMap(({ targets }) => targets.map(({ to }) => to)));
  const lacks = known.foreign.needed.find((fields) => !fields.some((field) => filled.has(field)));
  if (lacks === undefined) return;
  const unknown = columns.filter(({ targets }) => targets.length === 0).map(({ name }) => name);
  const told = unknown.length > 0 ? `unknown column ${clipped(unknown)}; ` : '';
  throw invalid('header', `no column for ${lacks.join(' or ')}; ${told}expected ${knownText(known)}`);
}

/** The fields that the caller names, in the form in which columns have them. Throws Fault `invalid`. */
function askedColumns({ columns, header }: CsvReading, known: FileColumns): CsvReading {
  const fields = [...columns].map(([name, field]): [string, string] => {
    const own = columnOf(field, known);
    if (own === null || own === '')
      throw invalid('columns', `unknown field ${field.slice(0, 80)}; expected ${knownText(known)}`);
    return [name.trim().toLowerCase(), own];
  });
  return { columns: new Map(fields), header };
}

function checkedHeader(header: readonly string[], known: FileColumns, reading: CsvReading): FileHeader {
  const given = header.map((name) => name.trim());
  if (given.length === 1) assertOwnFormat(firstItem(given));
  if (given.length > MAX_COLUMNS) throw invalid('header', `expected at most ${MAX_COLUMNS} columns`);
  const asked = askedColumns(reading, known);
  const absent = [...asked.columns.keys()].find((name) => !given.some((one) => one.toLowerCase() === name));
  if (absent !== undefined) throw invalid('columns', `the file has no column ${absent.slice(0, 80)}`);
  const columns = columnsOf(given, known, asked);
  const own = columns.flatMap(({ isOwn, targets }) => (isOwn ? targets.map(({ to }) => to) : []));
  const twice = own.find((name, i) => name !== '' && own.indexOf(name) !== i);
  if (twice !== undefined) throw invalid('header', `duplicate column ${twice}`);
  requireNeeded(columns, known);
  const isForeign = columns.some(({ isOwn, targets }) => !isOwn && targets.length > 0);
  const hasType = columns.some(({ targets }) => targets.some(({ to }) => to === 'type'));
  const type = isForeign ? known.foreign.typeOf(new Set(given.map(wordOf))) : null;
  const warning = hasType || type === null ? null : `no type column; using ${type}`;
  reading.header(
    columns.filter(({ targets }) => targets.length === 0).map(({ name }) => name),
    warning,
  );
  const texts = columns.flatMap(({ isOwn, targets }) => (isOwn ? [] : targets.filter(({ isText }) => isText)));
  return { columns, type, hasType, texts: new Set([...known.texts, ...texts.map(({ to }) => to)]) };
}

/** Parsed columns of a file. */
interface FileHeader {
  readonly columns: readonly Column[];
  /** The type of a row that names none; null: none. */
  readonly type: string | null;
  readonly hasType: boolean;
  readonly texts: ReadonlySet<string>;
}

/** Returns cells by field: of two columns for one field, the first non-empty one. */
function fieldsOf(cells: readonly string[], { columns, type, hasType }: FileHeader): Record<string, string> {
  const fields: Record<string, string> = {};
  columns.forEach(({ targets }, i) => {
    for (const { to, read } of targets) if (!fields[to]) fields[to] = read(itemAt(cells, i));
  });
  const isKnownByKey = hasType && Boolean(fields.external_key);
  if (type !== null && !fields.type && !isKnownByKey) fields.type = type;
  return fields;
}

const WHOLE_FILE: ReadonlySet<CsvErrorCode> = new Set(['CSV_QUOTE_NOT_CLOSED', 'CSV_MAX_RECORD_SIZE']);

/** Returns the error of one record; errors after which the rest cannot be trusted are thrown. */
const skipReason = (error: CsvError): string => {
  if (WHOLE_FILE.has(error.code)) throw invalid('body', `line ${error.lines}: unclosed quote, or row too long`);
  return error.code.startsWith('CSV_RECORD_INCONSISTENT') || error.code.startsWith('CSV_INCONSISTENT')
    ? 'cell count differs from the header'
    : error.message;
};

/** The body from its start, with the delimiter of its first line. */
async function delimited(body: AsyncIterable<Uint8Array>) {
  const chunks = body[Symbol.asyncIterator]();
  const begun: Uint8Array[] = [];
  for (let size = 0; size < ROW_BYTES && !begun.at(-1)?.includes(NEWLINE); ) {
    const { value, done } = await chunks.next();
    if (done) break;
    begun.push(value);
    size += value.length;
  }
  async function* whole(): AsyncGenerator<Uint8Array> {
    yield* begun;
    yield* { [Symbol.asyncIterator]: () => chunks };
  }
  const [line = ''] = Buffer.concat(begun).toString().trimStart().split('\n', 1);
  return { delimiter: delimiterOf(line), body: whole() };
}

async function* csvRows(
  given: AsyncIterable<Uint8Array>,
  known: FileColumns,
  reading: CsvReading,
): AsyncGenerator<ReadRow> {
  const skipped: string[] = [];
  let header: FileHeader | null = null;
  const { delimiter, body } = await delimited(given);
  const parser = parse({
    bom: true,
    delimiter,
    max_record_size: ROW_BYTES,
    skip_empty_lines: true,
    skip_records_with_error: true,
    on_skip: (error) => {
      if (error) skipped.push(skipReason(error));
    },
  });
  // Ends the body too when the parser fails, so that the remainder is read off the connection; the loop below throws
  // the error.
  pipeline(Readable.from(body, { objectMode: false }), parser, () => {});
  let row = 0;
  for await (const cells of parser as AsyncIterable<string[]>) {
    for (const error of skipped.splice(0)) yield { row: ++row, error };
    if (header === null) header = checkedHeader(cells, known, reading);
    else yield { row: ++row, value: rowOfCells(fieldsOf(cells, header), header.texts) };
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
  reading: CsvReading,
): AsyncGenerator<ReadRow> => (format === 'csv' ? csvRows(utf8Body(body), columns, reading) : jsonRows(utf8Body(body)));

/** Returns `format`, else the format of the content type. Throws Fault `invalid`. */
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
