import { capital } from '#domain/text.ts';

/** `1,204`. */
export const number = (value: number): string => value.toLocaleString('en');

const IRREGULAR: ReadonlyMap<string, string> = new Map([
  ['has', 'have'],
  ['is', 'are'],
  ['entry', 'entries'],
  ['CI', 'CIs'],
]);

const plural = (one: string): string => IRREGULAR.get(one) ?? (/(?:s|x|ch|sh)$/.test(one) ? `${one}es` : `${one}s`);

/** `event` of one, else `events`. */
export const inflected = (value: number, one: string, many: string = plural(one)): string => (value === 1 ? one : many);

/** `1 event`, `62 events`. */
export const count = (value: number, one: string, many?: string): string =>
  `${number(value)} ${inflected(value, one, many)}`;

/** `3 open`, `2 open, 1 acknowledged`, `1 acknowledged`: `open` counts both. Empty for none. */
export const openCounts = ({
  open,
  acknowledged,
}: {
  readonly open: number;
  readonly acknowledged: number;
}): string => {
  const untouched = open - acknowledged;
  return [
    ...(untouched === 0 ? [] : [`${number(untouched)} open`]),
    ...(acknowledged === 0 ? [] : [`${number(acknowledged)} acknowledged`]),
  ].join(', ');
};

/** `Shop`, `Shop and Billing`, `Shop, Billing and 3 more`: at most `most` names. */
export const names = (known: readonly string[], all: number = known.length, most = 2): string => {
  const shown = known.slice(0, most);
  const more = Math.max(all, known.length) - shown.length;
  if (more > 0) return `${shown.join(', ')} and ${number(more)} more`;
  return shown.length < 2 ? (shown[0] ?? '') : `${shown.slice(0, -1).join(', ')} and ${shown.at(-1)}`;
};

/** Converts `earliest_severe_event` to `Earliest severe event`: a name without a text. */
export const plain = (word: string): string => {
  const text = word
    .replaceAll(/[_-]+/g, ' ')
    .replaceAll(/\bci\b/gi, 'CI')
    .trim();
  return capital(text);
};

/** `Open events` → `open events`, `CI types` as it is: a title within a sentence. */
export const inSentence = (title: string): string =>
  /^[A-Z][a-z]/.test(title) ? `${title.charAt(0).toLowerCase()}${title.slice(1)}` : title;
