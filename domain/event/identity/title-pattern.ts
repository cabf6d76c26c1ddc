/** The title without the parts that differ from one occurrence to the next. Linear in its length. */
import { CLOCK, DAY, WEEKDAY } from './title-times.ts';

/** Alternatives in order: the first that fits at a place wins. Every part is bounded or ends at its own delimiter. */
const VARIABLE = new RegExp(
  [
    `"[^"]*"|\`[^\`]*\`|(?<![a-z0-9])'[^']*'(?![a-z0-9])|[“”][^“”]*”`,
    '\\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\\b',
    `\\b${WEEKDAY}${DAY}(?:[t ,@]{1,2}${CLOCK}(?: \\d{4}\\b)?)?|\\b${CLOCK}(?![\\w:])`,
    '\\b\\d{1,3}(?:\\.\\d{1,3}){3}(?![\\w.])(?::\\d{1,5})?(?:/\\d{1,2})?',
    '(?<![\\w:.])\\[?(?:[0-9a-f]{0,4}:){2,7}[0-9a-f]{0,4}(?:%\\w{1,15})?(?:\\](?::\\d{1,5})?)?(?![\\w:])',
    '(?<=/)[^\\s/:,;()]*\\d[^\\s/:,;()]*',
    '\\b(?:0x[0-9a-f]+|(?=[a-f]*\\d)[0-9a-f]{6,}|[a-z0-9]*\\d[a-z]+\\d[a-z0-9]*)\\b',
    '\\d+(?:[.,]\\d+)*',
  ]
    .map((part) => `(${part})`)
    .join('|'),
  'g',
);
const PLACEHOLDERS = ['<q>', '<uuid>', '<time>', '<ip>', '<ip>', '<path>', '<n>', '<n>'] as const;

const placeholder = (_match: string, ...groups: unknown[]): string =>
  PLACEHOLDERS[groups.findIndex((group) => group !== undefined)] ?? '<n>';

const isNamePart = (code: number): boolean =>
  (code >= 97 && code <= 122) || (code >= 48 && code <= 57) || code === 45 || code === 95;

/** End of a domain that follows a host name: `.example.com`, but not the full stop of a sentence. */
const domainEnd = (text: string, from: number): number => {
  let at = from;
  while (text[at] === '.' && isNamePart(text.charCodeAt(at + 1))) {
    at += 1;
    while (isNamePart(text.charCodeAt(at))) at += 1;
  }
  return at;
};

const without = (text: string, name: string): string => {
  let rest = '';
  let from = 0;
  for (let at = text.indexOf(name); at >= 0; at = text.indexOf(name, at + name.length)) {
    const before = text.charCodeAt(at - 1);
    const end = at + name.length;
    if (isNamePart(before) || before === 46 || isNamePart(text.charCodeAt(end))) continue;
    rest += text.slice(from, at);
    from = domainEnd(text, end);
  }
  return from === 0 ? text : rest + text.slice(from);
};

/** Takes the event's own host name out of a lower-case text, whole and short; a name of digits alone stays (it is a number). */
export const withoutHost = (text: string, host: string): string => {
  const dot = host.indexOf('.');
  const short = dot < 0 ? host : host.slice(0, dot);
  const rest = host === '' ? text : without(text, host);
  return short.length < 2 || /^\d+$/.test(short) ? rest : without(rest, short);
};

/** The pattern of a lower-case title whose host is taken out already. */
export const titlePattern = (text: string): string => text.replace(VARIABLE, placeholder).replace(/\s+/g, ' ').trim();

/** False when nothing but placeholders and signs is left: such a title says nothing that could be compared. */
export const hasWords = (pattern: string): boolean =>
  /\p{L}/u.test(pattern.replace(/<(?:q|uuid|time|ip|path|n)>/g, ''));
