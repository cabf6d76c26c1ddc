import { anchor } from './anchors.ts';
import { calendarOf } from './calendar.ts';
import { endOf } from './clock.ts';
import { rangeAt } from './phrases.ts';
import type { Period, WordReader, WordsReading } from './reading.ts';

const POSSESSIVE = /['’]s(?![\p{L}\p{N}])/gu;
const PIECES = /\.\.|[\p{L}\p{N}](?:[\p{L}\p{N}:+./'’_-]*[\p{L}\p{N}])?|[-–—]/gu;

/**
 * Returns the words of a time as users and parameters write it: `last_30_days`, `2026-11-01/2026-11-05`, `Yesterday's`.
 */
const timeWords = (text: string): string[] => {
  const apart = text
    .toLowerCase()
    .replaceAll('_', ' ')
    .replace(POSSESSIVE, '')
    .replace(/(\d)(?:\.\.|\/)(?=\d{4}-)/g, '$1 .. ');
  return [...apart.matchAll(PIECES)].map(([word]) => word);
};

/** Times from, and before, in ms. */
export type Range = Period;

/** Two ends; without the last one it ends now. Texts are times or days; numbers are epoch seconds or milliseconds. */
export interface SaidRange {
  readonly from: string | number;
  readonly to?: string | number | undefined;
}

const MAX_LENGTH = 200;
const MAX_WORDS = 40;
/** Limit below which a number is seconds. */
const SECONDS_BELOW = 100_000_000_000;

/** The sense of all of the words. */
function readWhole<T>(reader: WordReader<T>, text: string, { now, calendar }: Omit<WordsReading, 'words'>): T | null {
  const words = text.length > MAX_LENGTH ? [] : timeWords(text);
  if (words.length === 0 || words.length > MAX_WORDS) return null;
  const read = reader({ words, now, calendar }, 0);
  return read !== null && read.next === words.length ? read.value : null;
}

function pointOf(said: string | number, when: Omit<WordsReading, 'words'>): Period | null {
  if (typeof said === 'string') return readWhole(anchor, said, when);
  const at = said < SECONDS_BELOW ? said * 1000 : said;
  return Number.isFinite(at) && at >= 0 ? { from: at, to: at } : null;
}

/**
 * Reads `24h`, `last_30_days`, `yesterday`, `since monday`, `2026-11-01..2026-11-05`, `{ from, to }`; null for anything
 * else and for future times. `zone`: an IANA name. An unfinished period ends now; the past week is seven days.
 */
export function readRange(said: string | SaidRange, now: number, zone: string): Range | null {
  const when = { now, calendar: calendarOf(zone) };
  if (typeof said === 'string') return readWhole(rangeAt, said, when);
  const [from, to] = [
    pointOf(said.from, when),
    said.to === undefined ? { from: now, to: now } : pointOf(said.to, when),
  ];
  if (from === null || to === null || from.from >= endOf(to)) return null;
  return { from: from.from, to: endOf(to) };
}
