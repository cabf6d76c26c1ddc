import { createReadStream, type ReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { parse } from 'csv-parse';
import { CliError } from '#cli/client/client.ts';
import { errorMessage } from '#domain/fault.ts';

/** A part of a file that can be imported by itself. */
export interface FilePart {
  readonly text: string;
  readonly rows: number;
  /** Read of the file since the part before. */
  readonly bytes: number;
}

interface Raw {
  readonly raw: string;
}

/** Yields the raw records of the file, the header first; cells may contain line breaks. */
async function* csvRecords(input: ReadStream): AsyncGenerator<string> {
  const parser = parse({ bom: true, raw: true, relax_column_count: true, skip_empty_lines: true });
  const records = input.on('error', (error) => parser.destroy(error)).pipe(parser) as AsyncIterable<Raw>;
  for await (const { raw } of records) yield raw.replace(/\r?\n?$/, '');
}

async function* lines(input: ReadStream): AsyncGenerator<string> {
  for await (const line of createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY }))
    if (line.trim() !== '') yield line;
}

const unreadable = (file: string, error: unknown): CliError =>
  new CliError(`${file} can't be read: ${errorMessage(error)}`);

/** Throws CliError for another encoding, whose letters would arrive ruined; before anything is sent. */
async function requireUtf8(file: string): Promise<void> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  try {
    for await (const piece of createReadStream(file)) decoder.decode(piece as Buffer, { stream: true });
    decoder.decode();
  } catch (error) {
    throw unreadable(file, error);
  }
}

/**
 * Yields parts of up to a maximum of rows, each with the header of a CSV file. Throws CliError when the file cannot be
 * read.
 */
export async function* partsOf(file: string, format: 'csv' | 'jsonl', rows: number): AsyncGenerator<FilePart> {
  await requireUtf8(file);
  const header: string[] = [];
  let part: string[] = [];
  const input = createReadStream(file);
  let told = 0;
  const finished = (): FilePart => {
    const bytes = input.bytesRead - told;
    told = input.bytesRead;
    return { text: `${[...header, ...part].join('\n')}\n`, rows: part.length, bytes };
  };
  try {
    for await (const record of format === 'csv' ? csvRecords(input) : lines(input)) {
      if (format === 'csv' && header.length === 0) {
        header.push(record);
        continue;
      }
      part.push(record);
      if (part.length < rows) continue;
      yield finished();
      part = [];
    }
  } catch (error) {
    throw unreadable(file, error);
  }
  if (part.length > 0) yield finished();
}
