/** The words of a text, as a type. */
type WordsIn<T extends string, Found extends readonly string[] = []> = T extends `${infer One} ${infer Rest}`
  ? WordsIn<Rest, [...Found, One]>
  : [...Found, T];

/** The words of a text with blanks between them. */
export const wordsIn = <const T extends string>(text: T): WordsIn<T> => text.split(' ') as WordsIn<T>;
