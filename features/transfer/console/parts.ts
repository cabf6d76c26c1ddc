import type { TransferFormat } from '#features/transfer/schemas/transfer.ts';

/** Rows sent together, so that progress can be shown and no request lasts for minutes. */
const PART_ROWS = 2_000;

/** A file as independent rows, without the header of a CSV. */
export interface ReadFile {
  readonly format: TransferFormat;
  readonly header: string | null;
  readonly rows: readonly string[];
}

/** Lines of a CSV; a line break inside quotes does not end a row. */
const csvRows = (text: string): string[] => {
  const rows: string[] = [];
  let start = 0;
  let isQuoted = false;
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at];
    if (character === '"') isQuoted = !isQuoted;
    if (character !== '\n' || isQuoted) continue;
    rows.push(text.slice(start, at).replace(/\r$/, ''));
    start = at + 1;
  }
  rows.push(text.slice(start));
  return rows.filter((row) => row.trim() !== '');
};

/** Throws an Error that describes the problem of the whole file. */
export const readFile = (name: string, text: string): ReadFile => {
  const content = text.replace(/^\uFEFF/, '').trim();
  if (content === '') throw new Error('The file is empty');
  if (content.startsWith('[')) {
    const list: unknown = JSON.parse(content);
    if (!Array.isArray(list)) throw new Error('Expected a JSON array of objects');
    return { format: 'jsonl', header: null, rows: list.map((one) => JSON.stringify(one)) };
  }
  if (content.startsWith('{') || /\.(jsonl|ndjson)$/i.test(name))
    return { format: 'jsonl', header: null, rows: content.split(/\r?\n/).filter((line) => line.trim() !== '') };
  const [header, ...rows] = csvRows(content);
  if (rows.length === 0) throw new Error('Expected a header row and at least one data row');
  return { format: 'csv', header: header ?? '', rows };
};

/** The kind of the file, by its columns. */
export const kindOf = ({ header, rows }: ReadFile): 'cis' | 'relationships' =>
  /\bsource_ci\b/.test(header ?? rows[0] ?? '') ? 'relationships' : 'cis';

export interface ImportPart {
  /** Rows before it. */
  readonly before: number;
  readonly rows: number;
  readonly text: string;
}

export const partsOf = ({ header, rows }: ReadFile, size = PART_ROWS): ImportPart[] =>
  Array.from({ length: Math.ceil(rows.length / size) }, (_, at) => {
    const own = rows.slice(at * size, (at + 1) * size);
    const lines = header === null ? own : [header, ...own];
    return { before: at * size, rows: own.length, text: `${lines.join('\n')}\n` };
  });
