import { invalid } from '#domain/fault.ts';
import { BACKSLASH, CLOSE_BRACE, CLOSE_BRACKET, COLON, COMMA, OPEN_BRACE, OPEN_BRACKET, QUOTE } from './json-bytes.ts';

export const MAX_DEPTH = 32;
/** Keys of one item: of the body, or of each element of an array in its outer levels. */
export const MAX_KEYS = 10_000;
/** A list, or an object with a list. */
export const ITEM_DEPTH = 2;

/** Index of the quote that ends the string whose content starts at `at`. */
function endOfString(bytes: Uint8Array, at: number): number {
  let i = at;
  while (i < bytes.length && bytes[i] !== QUOTE) i += bytes[i] === BACKSLASH ? 2 : 1;
  return i;
}

/**
 * Refuses JSON nested deeper than 32 or with more than 10,000 keys per item, in one pass before it is parsed. Items are elements of
 * arrays no deeper than `itemDepth`. Throws Fault `invalid`; the parser finds what is no JSON.
 */
export function checkJsonShape(bytes: Uint8Array, itemDepth = ITEM_DEPTH): void {
  let depth = 0;
  let keys = 0;
  // Which of the outer levels are arrays: a comma there ends an item.
  const array: boolean[] = [];
  for (let i = 0; i < bytes.length; i++) {
    const byte = bytes[i] as number;
    if (byte === QUOTE) i = endOfString(bytes, i + 1);
    else if (byte === COLON) {
      if (++keys > MAX_KEYS) throw invalid('body', `expected at most ${MAX_KEYS} keys per item`);
    } else if (byte === COMMA) {
      if (depth <= itemDepth && array[depth] === true) keys = 0;
    } else if (byte === OPEN_BRACE || byte === OPEN_BRACKET) {
      if (++depth > MAX_DEPTH) throw invalid('body', `expected at most ${MAX_DEPTH} levels of nesting`);
      if (depth <= itemDepth) array[depth] = byte === OPEN_BRACKET;
    } else if (byte === CLOSE_BRACE || byte === CLOSE_BRACKET) depth--;
  }
}

/** A letter of `__proto__` written as an escape; rare enough that being careful costs nothing. */
const ESCAPED_PROTO_LETTER = /\\u00(5f|70|72|6f|74)/i;
const withoutProto = (key: string, value: unknown): unknown => (key === '__proto__' ? undefined : value);

const ESCAPED_SURROGATE = /\\ud[89a-f]/i;
const ESCAPES = /\\(?:ud[89ab][0-9a-f]{2}\\ud[c-f][0-9a-f]{2}|u(d[89a-f][0-9a-f]{2})|.)/gis;
/** Half a character that stands alone becomes U+FFFD: no store and no UTF-8 text can hold it. */
const wellFormed = (text: string): string =>
  ESCAPED_SURROGATE.test(text)
    ? text.replace(ESCAPES, (sequence, alone) => (alone === undefined ? sequence : '\\ufffd'))
    : text;

/** Parses; a key `__proto__` is left out, so that no later copy can change a prototype. Throws Fault `invalid`. */
export function parseJson(body: string): unknown {
  // Without a backslash there is no escape to look for.
  const escapes = body.includes('\\');
  const text = escapes ? wellFormed(body) : body;
  const suspicious = text.includes('__proto__') || (escapes && ESCAPED_PROTO_LETTER.test(text));
  try {
    return suspicious ? JSON.parse(text, withoutProto) : JSON.parse(text);
  } catch (error) {
    throw invalid('body', `expected JSON; ${positionOf(error)}`);
  }
}

/** The parser's message without the excerpt of the body that it quotes. */
function positionOf(error: unknown): string {
  const position = /position (\d+)/.exec(error instanceof Error ? error.message : '')?.[1];
  return position === undefined ? 'the text ends early or is not JSON' : `it is malformed at character ${position}`;
}
