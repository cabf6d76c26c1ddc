/** Rows of a text, one a line, with cells between ` => `. */
export const rowsOf = (text: string): string[][] =>
  text
    .trim()
    .split('\n')
    .map((line) => line.trim().split(' => '));

/** The same in blocks, which an empty line parts. */
export const blocksOf = (text: string): string[][][] =>
  text
    .trim()
    .split(/\n\s*\n/)
    .map(rowsOf);
