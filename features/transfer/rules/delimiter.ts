const DELIMITERS = [',', ';', '\t'] as const;
export type Delimiter = (typeof DELIMITERS)[number];

/** Returns the character that separates the columns of a CSV header: the most frequent one outside quotes. */
export const delimiterOf = (header: string): Delimiter => {
  const plain = header
    .split('"')
    .filter((_, at) => at % 2 === 0)
    .join('');
  const times = (one: Delimiter): number => plain.split(one).length;
  return DELIMITERS.toSorted((a, b) => times(b) - times(a))[0] ?? ',';
};
