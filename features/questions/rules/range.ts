import { anchor } from './time/anchors.ts';
import { calendarOf } from './time/calendar.ts';
import { endOf } from './time/clock.ts';
import { rangeAt } from './time/phrases.ts';
import type { Period, WordReader, WordsReading } from './time/reading.ts';
import { timeWords } from './time/time-words.ts';

/** Times from, and before, in ms. */
export type Range = Period;

/** Two ends; without the last one it ends now. Texts are times or days; numbers are epoch seconds or milliseconds. */
export interface SaidRange {
  readonly from: string | number;
  readonly to?: string | number | undefined;
}

const MAX_LENGTH = 200;
const MAX_WORDS = 40;
/** Below this a number is seconds. */
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
 * `24h`, `last_30_days`, `yesterday`, `since monday`, `2026-11-01..2026-11-05`, `{ from, to }`; null for anything else and for times to
 * come. `zone`: an IANA name. What is not over ends now; the past week is seven days.
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
