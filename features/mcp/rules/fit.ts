import { jsonSize } from '#domain/json-size.ts';

/* Texts of monitors and people as data: without characters that a terminal or a model obeys, and no more of them than a reader takes. */

/** Controls, and what is not seen or turns the direction of a text. */
const UNSEEN = /(?![\n\t])[\p{Cc}\p{Cf}\u2028\u2029]/gu;
/** It is part of emoji and of several scripts. */
const JOINER = '\u200d';
const MAX_TEXT = 600;

const clipped = (text: string): string => (text.length <= MAX_TEXT ? text : `${text.slice(0, MAX_TEXT).trimEnd()}…`);

const cleanText = (text: string): string =>
  clipped(text.replaceAll(UNSEEN, (character) => (character === JOINER ? character : '')));

/** The same value with its texts cleaned and cut. */
export const cleaned = (value: unknown): unknown => {
  if (typeof value === 'string') return cleanText(value);
  if (Array.isArray(value)) return value.map(cleaned);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, cleaned(inner)]));
};

/** The same value with texts that stay within their quotes and lines. */
export const spoken = (value: unknown): unknown => {
  if (typeof value === 'string') return value.replaceAll(/\s+/g, ' ').replaceAll('"', "'").trim();
  if (Array.isArray(value)) return value.map(spoken);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, spoken(inner)]));
};

/** Limit of the text, and of the structured content as JSON. */
export const MAX_BYTES = 8_192;

type Fields = Readonly<Record<string, unknown>>;

/** Paths of the lists in an object, also in objects within it, the largest first. */
const listsIn = (value: Fields): readonly ListPlace[] =>
  Object.entries(value)
    .flatMap(([name, inner]): readonly ListPlace[] => {
      if (Array.isArray(inner)) return inner.length === 0 ? [] : [{ path: [name], size: jsonSize(inner) }];
      if (typeof inner !== 'object' || inner === null) return [];
      return listsIn(inner as Fields).map(({ path, size }) => ({ path: [name, ...path], size }));
    })
    .sort((a, b) => b.size - a.size);
interface ListPlace {
  readonly path: readonly string[];
  readonly size: number;
}

/** Part of a list that remains when it does not fit. */
const KEPT_SHARE = 0.9;

const withLess = (value: Fields, [name = '', ...rest]: readonly string[]): Fields => {
  const inner = value[name];
  if (Array.isArray(inner)) return { ...value, [name]: inner.slice(0, Math.floor(inner.length * KEPT_SHARE)) };
  return { ...value, [name]: withLess(inner as Fields, rest) };
};

/** Cuts the largest list until the value fits. */
export const fitted = (value: Fields): { readonly value: Fields; readonly isCut: boolean } => {
  let kept = value;
  while (jsonSize(kept) > MAX_BYTES) {
    const [largest] = listsIn(kept);
    if (largest === undefined) break;
    kept = withLess(kept, largest.path);
  }
  return { value: kept, isCut: kept !== value };
};

const CUT = '[Truncated. Narrow the request, or ask for details by ID.]';

/** The text up to the last line that fits. */
export const fittedText = (text: string): { readonly text: string; readonly isCut: boolean } => {
  if (Buffer.byteLength(text) <= MAX_BYTES) return { text, isCut: false };
  const lines = text.split('\n');
  let [count, left] = [0, MAX_BYTES - CUT.length - 1];
  for (const line of lines) {
    left -= Buffer.byteLength(line) + 1;
    if (left < 0) break;
    count += 1;
  }
  return { text: [...lines.slice(0, count), CUT].join('\n'), isCut: true };
};
