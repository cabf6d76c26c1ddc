import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './planted.ts';

export const documentText = (path: string): string => readFileSync(join(ROOT, path), 'utf8');

const cellsOf = (line: string): string[] =>
  line
    .slice(1, -1)
    .split('|')
    .map((cell) => cell.trim());

/** Rows, as cells, of all tables of a Markdown file whose first header cell is this one, in any case. */
export function rowsUnder(path: string, firstCell: string): string[][] {
  const rows: string[][] = [];
  let inside = false;
  for (const line of documentText(path).split('\n')) {
    if (!line.startsWith('|')) inside = false;
    else if (inside) rows.push(cellsOf(line));
    else inside = cellsOf(line)[0]?.toLowerCase() === firstCell;
  }
  return rows.filter(([first]) => !/^[:-]+$/.test(first ?? ''));
}

/** Returns the text between backquotes. */
export const quoted = (cell: string | undefined): string[] =>
  [...(cell ?? '').matchAll(/`([^`]+)`/g)].map(([, text]) => text as string);
