/** Parts of titles that differ by nature, as sources of regular expressions over lower-case text; each is bounded. */

const WEEKDAY = '(?:(?:mon|tue|wed|thu|fri|sat|sun)(?:[a-z]{0,4}day)?,? )?';
const MONTH =
  '(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sep(?:t(?:ember)?)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)';
const CLOCK = '\\d{1,2}:\\d\\d(?::\\d\\d(?:[.,]\\d{1,9})?)?(?: ?(?:z|utc|gmt|am|pm|[+-]\\d\\d:?\\d\\d)\\b)?';
const DAY = `(?:\\d{4}[-/.]\\d{1,2}[-/.]\\d{1,2}|\\d{1,2}[-/.]\\d{1,2}[-/.]\\d{4}|(?:\\d{1,2} )?${MONTH} \\d{1,4}(?:,? \\d{4})?)`;

export const UUID = '\\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\\b';
/** A day with or without a time, or a time of day. */
export const TIME = `\\b${WEEKDAY}${DAY}(?:[t ,@]{1,2}${CLOCK}(?: \\d{4}\\b)?)?|\\b${CLOCK}(?![\\w:])`;
export const IPV4 = '\\b\\d{1,3}(?:\\.\\d{1,3}){3}(?![\\w.])(?::\\d{1,5})?(?:/\\d{1,2})?';
export const IPV6 =
  '(?<![\\w:.])\\[?(?:[0-9a-f]{0,4}:){2,7}[0-9a-f]{0,4}(?:%\\w{1,15})?(?:\\](?::\\d{1,5})?)?(?![\\w:])';
export const HEXADECIMAL = '\\b(?:0x[0-9a-f]+|(?=[a-f]*\\d)[0-9a-f]{6,})\\b';
/** `1h30m`. */
export const SPAN = '(?<![a-z0-9])(?:\\d{1,9}(?:d|h|m|s|min|sec|ms|us|ns|w|y)){2,6}(?![a-z0-9])';
export const NUMBER = '\\d+(?:[.,/:]\\d+)*';

/** Alternatives in order, each a group: the first that fits at a place wins. */
export const anyOf = (...parts: readonly string[]): RegExp =>
  new RegExp(parts.map((part) => `(${part})`).join('|'), 'g');
