import { accessSync, constants } from 'node:fs';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { stringify } from 'csv-stringify/sync';
import { Fault } from '#domain/fault.ts';
import { slices } from '#domain/slices.ts';
import { FORMULA } from '#domain/text.ts';
import {
  type DocumentFormat,
  MAX_FILE_BYTES,
  type ReportColumn,
  type ReportDocument,
} from '#features/reports/rules/document/document.ts';
import type { Documents } from '#features/reports/rules/documents.ts';
import { plain } from '#features/reports/rules/values/values.ts';
import { htmlFile } from './html-file.ts';
import { jsonFile } from './json-file.ts';
import { markdownFile } from './markdown-file.ts';
import { PdfWriter } from './pdf/pdf-writer.ts';

/** Number of rows written per turn of the event loop, a few milliseconds. */
const ROWS_PER_TURN = 500;

/** Protects texts against formulas in spreadsheets; negative numbers remain numbers. */
const cellOf = (value: string | number | null): string => {
  if (typeof value !== 'string') return value === null ? '' : String(value);
  return FORMULA.test(value) ? `'${value}` : value;
};

const lineOf =
  (columns: readonly ReportColumn[]) =>
  (row: ReportDocument['details']['rows'][number]): string[] =>
    columns.map(({ kind }, n) => cellOf(plain(row[n] ?? null, kind)));

/** Writes the details with a header line; RFC 4180 in UTF-8. */
async function* csvFile({ details: { columns, rows } }: ReportDocument): AsyncGenerator<string> {
  // Spreadsheets assume a local character set without a byte order mark.
  yield `\uFEFF${stringify([columns.map(({ key }) => key)], { record_delimiter: 'windows' })}`;
  for (const some of slices(rows, ROWS_PER_TURN)) {
    const lines = some.map(lineOf(columns));
    yield stringify(lines, { record_delimiter: 'windows' });
    await nextTurn();
  }
}

const tooLarge = (): Fault =>
  new Fault('unprocessable', `The file would exceed ${MAX_FILE_BYTES} bytes. Reduce the time range or the scope`);

const TEXTS = { csv: csvFile, json: jsonFile, html: htmlFile, md: markdownFile } as const;

/** Joins the parts of a text, each written in its own turn of the event loop. */
const fileOf = async (pieces: AsyncIterable<string>, signal: AbortSignal): Promise<Uint8Array> => {
  const all: Buffer[] = [];
  let bytes = 0;
  for await (const piece of pieces) {
    if (signal.aborted) throw new Fault('unavailable', 'The report was canceled before it was written');
    const more = Buffer.from(piece);
    bytes += more.length;
    if (bytes > MAX_FILE_BYTES) throw tooLarge();
    all.push(more);
  }
  return Buffer.concat(all, bytes);
};

/** Fails at startup rather than with the first PDF. */
const requireFile = (path: string): void => {
  try {
    accessSync(path, constants.R_OK);
  } catch (error) {
    throw new Error(`FAULTLINE_REPORT_FONTS: ${path} can't be read`, { cause: error });
  }
};

export interface OpenedDocuments {
  readonly documents: Documents;
  close(): Promise<void>;
}

/** `otherFonts`: font files for characters in PDFs that Roboto lacks. */
export const openDocuments = (otherFonts: readonly string[]): OpenedDocuments => {
  for (const path of otherFonts) requireFile(path);
  const pdf = new PdfWriter(otherFonts);
  const render = async (document: ReportDocument, format: DocumentFormat, signal: AbortSignal) => {
    if (format !== 'pdf') return fileOf(TEXTS[format](document), signal);
    const file = await pdf.write(document, signal);
    if (file.length > MAX_FILE_BYTES) throw tooLarge();
    return file;
  };
  return { documents: { render }, close: () => pdf.close() };
};
