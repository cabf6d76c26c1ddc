import { jsonSize } from '#domain/json-size.ts';

/*
 * Texts of monitoring systems and users are data: characters that control a terminal or mislead a model are removed,
 * and long texts are truncated.
 */

/** Matches control characters, and invisible or direction-changing ones. */
const UNSEEN = /(?![\n\t])[\p{Cc}\p{Cf}\u2028\u2029]/gu;
/** Zero-width joiner, which emoji and several scripts require. */
const JOINER = '\u200d';
const MAX_TEXT = 600;

const clipped = (text: string): string => (text.length <= MAX_TEXT ? text : `${text.slice(0, MAX_TEXT).trimEnd()}…`);

const cleanText = (text: string): string =>
  clipped(text.replaceAll(UNSEEN, (character) => (character === JOINER ? character : '')));

/** Returns a copy with all texts sanitized and truncated. */
export const cleaned = (value: unknown): unknown => {
  if (typeof value === 'string') return cleanText(value);
  if (Array.isArray(value)) return value.map(cleaned);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, cleaned(inner)]));
};

const spokenText = (text: string): string => {
  const line = text.replaceAll(/\s+/g, ' ').replaceAll('"', "'").trim();
  return line.includes(' ') ? `"${line}"` : line;
};

/** Returns the value with each text on one line, and quoted when it has several words: only these can be instructions. */
export const spoken = (value: unknown): unknown => {
  if (typeof value === 'string') return spokenText(value);
  if (Array.isArray(value)) return value.map(spoken);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, spoken(inner)]));
};

/** Size limit of the text, and of the structured content as JSON. */
export const MAX_BYTES = 8_192;

type Fields = Readonly<Record<string, unknown>>;

/** Returns the paths of all lists, including nested ones, largest first. */
const listsIn = (value: Fields): readonly ListPlace[] =>
  Object.entries(value)
    .flatMap(([name, inner]): readonly ListPlace[] => {
      if (Array.isArray(inner)) {
        const [only] = inner;
        if (inner.length !== 1) return inner.length === 0 ? [] : [{ path: [name], size: jsonSize(inner) }];
        // A single row loses parts of its lists, but stays.
        return listsIn({ only }).map(({ path, size }) => ({ path: [name, ...path], size }));
      }
      if (typeof inner !== 'object' || inner === null) return [];
      return listsIn(inner as Fields).map(({ path, size }) => ({ path: [name, ...path], size }));
    })
    .sort((a, b) => b.size - a.size);
interface ListPlace {
  readonly path: readonly string[];
  readonly size: number;
}

/** Share of a list that remains after each cut. */
const KEPT_SHARE = 0.9;

const withLess = (value: Fields, [name = '', ...rest]: readonly string[]): Fields => {
  const inner = value[name];
  if (Array.isArray(inner) && rest.length > 0) {
    const { only } = withLess({ only: inner[0] }, rest);
    return { ...value, [name]: [only] };
  }
  if (Array.isArray(inner)) return { ...value, [name]: inner.slice(0, Math.floor(inner.length * KEPT_SHARE)) };
  return { ...value, [name]: withLess(inner as Fields, rest) };
};

/** Shortens the largest list until the value fits. */
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

/** Truncates a text after the last line that fits. */
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
