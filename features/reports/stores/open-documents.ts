import { accessSync, constants } from 'node:fs';
import { Fault } from '#domain/fault.ts';
import {
  type DocumentFormat,
  MOST_FILE_BYTES,
  type ReportDocument,
} from '#features/reports/rules/document/document.ts';
import type { Documents } from '#features/reports/rules/documents.ts';
import { csvFile } from './csv-file.ts';
import { htmlFile } from './html-file.ts';
import { jsonFile } from './json-file.ts';
import { PdfWriter } from './pdf/pdf-writer.ts';

const tooLarge = (): Fault =>
  new Fault('unprocessable', `The file would have more than ${MOST_FILE_BYTES} bytes: ask for less`);

const TEXTS = { csv: csvFile, json: jsonFile, html: htmlFile } as const;

/** Puts the pieces of a text together; each is written in a turn of the loop of its own. */
const fileOf = async (pieces: AsyncIterable<string>, signal: AbortSignal): Promise<Uint8Array> => {
  const all: Buffer[] = [];
  let bytes = 0;
  for await (const piece of pieces) {
    if (signal.aborted) throw new Fault('unavailable', 'The report was given up before it was written');
    const more = Buffer.from(piece);
    bytes += more.length;
    if (bytes > MOST_FILE_BYTES) throw tooLarge();
    all.push(more);
  }
  return Buffer.concat(all, bytes);
};

/** Finds at the start what would fail the first PDF. */
const requireFile = (path: string): void => {
  try {
    accessSync(path, constants.R_OK);
  } catch (error) {
    throw new Error(`FAULTLINE_REPORT_FONTS: ${path} cannot be read`, { cause: error });
  }
};

export interface OpenedDocuments {
  readonly documents: Documents;
  close(): Promise<void>;
}

/** `otherFonts`: files of fonts for the characters of PDFs that Roboto lacks. */
export const openDocuments = (otherFonts: readonly string[]): OpenedDocuments => {
  for (const path of otherFonts) requireFile(path);
  const pdf = new PdfWriter(otherFonts);
  const render = async (document: ReportDocument, format: DocumentFormat, signal: AbortSignal) => {
    if (format !== 'pdf') return fileOf(TEXTS[format](document), signal);
    const file = await pdf.write(document, signal);
    if (file.length > MOST_FILE_BYTES) throw tooLarge();
    return file;
  };
  return { documents: { render }, close: () => pdf.close() };
};
