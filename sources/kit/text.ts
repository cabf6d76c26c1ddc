/** Reading single values as monitors send them: text where numbers are expected, blanks, macros left unexpanded. */

/** Maximum of characters read of a text; HTML in it may be longer than the shown part. */
const MAX_TEXT = 64 * 1024;
/** Maximum of a title, a name or a label. */
export const MAX_NAME = 8 * 1024;

/** Trimmed text of a string, number or boolean; blank and anything else is absent. Cut here, before any pattern sees it. */
export function textOf(value: unknown, most = MAX_TEXT): string | undefined {
  if (typeof value === 'number') return Number.isFinite(value) ? String(value) : undefined;
  if (typeof value === 'boolean') return String(value);
  if (typeof value !== 'string') return undefined;
  const text = value.slice(0, most).trim();
  return text === '' ? undefined : text;
}

/**
 * Macros that a monitor could not fill in and sent as they were: `{EVENT.ID}`, `{HOST.NAME1}`, `{$MACRO:"x"}`, `{#LLD}`,
 * `{{ITEM.VALUE}.regsub(…)}`, `$HOSTNAME$`, `$host.name$`, `$ALERT_ID`, `*UNKNOWN*`, `*UNDEFINED*`, `{{ $labels.x }}`, `<no value>`.
 */
const UNEXPANDED = [
  /^\*(?:UNKNOWN|UNDEFINED)\*$/i,
  /^\{[$#?]?[A-Z][A-Z0-9_.]{1,100}(?:[:<][^{}]{0,200})?\}$/,
  /^\{\{[A-Z][A-Z0-9_.]{1,100}\}\.[^{}]{0,200}\}$/,
  /^\{\?.{1,200}\}$/,
  /^\$[A-Za-z_][\w.:-]{0,100}\$$/,
  /^\$[A-Z][A-Z0-9_]{1,60}(?:\[[^\]]{0,100}\])?$/,
  /^\{\{[^{}]{0,200}\}\}$/,
  /^\$\{[^{}]{0,200}\}$/,
  /^[<[]no value[\]>]$/i,
];
const MACRO_START = /^[{$*<[]/;

export const isUnexpanded = (text: string): boolean =>
  MACRO_START.test(text) && text.length < 400 && UNEXPANDED.some((pattern) => pattern.test(text));

/** Variant of `textOf` for sources that expand macros: an unexpanded macro is absent. */
export function expandedOf(value: unknown, most = MAX_TEXT): string | undefined {
  const text = textOf(value, most);
  return text === undefined || isUnexpanded(text) ? undefined : text;
}

/** The first that is there. */
export function first<T>(...values: readonly (T | undefined)[]): T | undefined {
  for (const value of values) if (value !== undefined) return value;
  return undefined;
}

/** The parts that are there, joined. */
export const joined = (parts: readonly (string | undefined)[], by: string): string | undefined =>
  parts.filter((part) => part !== undefined).join(by) || undefined;

/** The text before the first line break, trimmed. */
export function firstLine(text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  const end = text.search(/[\r\n]/);
  return (end < 0 ? text : text.slice(0, end)).trim() || undefined;
}

/** Parses text that may hold JSON; undefined when it does not. */
export function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Text of base64-encoded UTF-8; undefined when it is not base64. */
export function base64Text(text: string): string | undefined {
  try {
    return new TextDecoder().decode(Uint8Array.from(atob(text), (character) => character.charCodeAt(0)));
  } catch {
    return undefined;
  }
}
