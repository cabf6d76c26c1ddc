import { itemAt } from '#domain/assert.ts';
import { anchor, longAgo, momentNamed, standsAlone } from './anchors.ts';
import { HOUR_MS, type Unit } from './calendar.ts';
import { endOf, onDay, timeAt } from './clock.ts';
import { firstOf, found, type Period, past, type WordReader, type WordsFound, type WordsReading } from './reading.ts';
import { compactSpan, isWithinTime, monthNamed, numberNamed, unitNamed, yearNamed } from './words.ts';

const set = (words: string): ReadonlySet<string> => new Set(words.split(' '));
const THE = set('the');
const ROLLING = set('last past previous prior recent latest trailing rolling preceding');
const INTO = set('in on during over for within throughout across of from at the whole entire all');
const THESE = set('this these');
/** `in ten minutes` is in the future. */
const OVER = set('over during within throughout for the');
const LOOSE = set('about approximately approx around roughly some full complete');

/** Returns its past part. */
const untilNow = ({ now }: WordsReading, { from, to }: Period): Period | null =>
  from < now && from < to && from >= 0 ? { from, to: Math.min(to, now) } : null;

const spanBack = (reading: WordsReading, number: number, unit: Unit): Period | null => {
  if (number === 0 || !isWithinTime(number, unit)) return null;
  const from = reading.calendar.add(reading.now, -number, unit);
  return from < 0 ? null : { from, to: reading.now };
};

/** A number and a unit: `30 days`, `24h`, `a couple of weeks`, `half an hour`, `a fortnight`. */
const span: WordReader<readonly [number: number, unit: Unit]> = (reading, at) => {
  const { words } = reading;
  const compact = compactSpan(words[at]);
  if (compact !== null) return found([compact.number, compact.unit], at + 1);
  const start = past(reading, at, LOOSE);
  if (words[start] === 'half' && words[start + 1] === 'an' && words[start + 2] === 'hour')
    return found([30, 'minute'], start + 3);
  const article = (words[start] === 'a' || words[start] === 'an') && numberNamed(words[start + 1]) !== null ? 1 : 0;
  const number = numberNamed(words[start + article]);
  if (number === null) return null;
  const behind = start + article + 1;
  const place = past(reading, words[behind] === 'of' ? behind + 1 : behind, ROLLING);
  if (words[place]?.startsWith('fortnight')) return found([14 * number, 'day'], place + 1);
  const unit = unitNamed(words[place]);
  return unit && found([number, unit], place + 1);
};

/** `last 24 hours`, `the past week`, `last hour`, `last_30_days`. */
const rolling: WordReader<Period> = (reading, at) => {
  const { words } = reading;
  const into = past(reading, at, INTO);
  const start = ROLLING.has(words[into + 1] ?? '') ? past(reading, into, THESE) : into;
  let rolls = past(reading, start, ROLLING);
  if (words[rolls - 1] === 'the') rolls--;
  const isSaid = rolls > start;
  if (!isSaid) return null;
  const counted = span(reading, rolls);
  if (counted !== null && words[counted.next] !== 'ago') {
    const range = spanBack(reading, ...counted.value);
    return range && found(range, counted.next);
  }
  const spanned = (number: number, of: Unit): WordsFound<Period> | null => {
    const range = spanBack(reading, number, of);
    return range && found(range, rolls + 1);
  };
  if (words[rolls] === 'fortnight') return spanned(14, 'day');
  const unit = unitNamed(words[rolls]);
  const isShort = unit === 'hour' || unit === 'minute';
  const isRolling = isShort || words[start] === 'past' || words[start] === 'trailing' || words[start] === 'rolling';
  const isDay = unit === 'day' && words[start] === 'last';
  if (unit === null || !(isRolling || isDay) || itemAt(words, rolls).endsWith('s')) return null;
  return spanned(1, unit);
};

/** `over 30 days`, `24h`, `for two weeks`: without `last`. */
const counted: WordReader<Period> = (reading, at) => {
  const start = past(reading, at, OVER);
  const read = span(reading, start);
  const isSaid = start > at || compactSpan(reading.words[at]) !== null;
  if (!isSaid || read === null || reading.words[read.next] === 'ago') return null;
  const range = spanBack(reading, ...read.value);
  return range && found(range, read.next);
};

const SINCE = set('since after from starting');
const ON = set('and on onward onwards');
const SKIPPED = set('on in at the');
const TO_NOW = set('now today');

/** `since monday`, `from yesterday on`, `after 2026-11-03`. */
const since: WordReader<Period> = (reading, at) => {
  const { words, now } = reading;
  const word = words[at] ?? '';
  if (!SINCE.has(word)) return null;
  const year = yearNamed(words[at + 1]);
  const start = year === null ? anchorBehind(reading, at + 1) : yearFound(reading, year, at + 2);
  if (start === null) return null;
  const next = past(reading, start.next, ON);
  if (word === 'from' && next === start.next) return null;
  const range = untilNow(reading, { from: word === 'after' ? endOf(start.value) : start.value.from, to: now });
  return range && found(range, next);
};

const yearFound = ({ calendar }: WordsReading, year: number, next: number): WordsFound<Period> =>
  found({ from: calendar.at(year, 1, 1), to: calendar.at(year + 1, 1, 1) }, next);

/** Reads it after small words, but not `the 3rd`, whose `the` identifies it. */
const anchorBehind: WordReader<Period> = (reading, at) => {
  const direct = anchor(reading, at);
  if (direct !== null) return direct;
  const start = past(reading, at, SKIPPED);
  return start === at ? null : anchor(reading, start);
};

const TO = set('to until till through thru and - – — ..');
/** Minutes. */
const NOON = 12 * 60;
const DAY_WORDS = set('on of at');
/** `between 5 and 10 hosts` are no hours. */
const NOUN = /^(?!(?:vs|versus|is|was|as|does)$)(?:percent|%|[a-z]+s)$/;

/** `between 9 and 11 yesterday`, `from 9:00 to 17:00 on monday`, `yesterday between 9am and 11am`. */
const timesOfDay: WordReader<Period> = (reading, at) => {
  const { words } = reading;
  const before = anchor(reading, at);
  const start = before === null ? at : before.next;
  const isSaid = words[start] === 'between' || words[start] === 'from';
  const from = timeAt(reading, isSaid ? start + 1 : start);
  if (from === null || !TO.has(words[from.next] ?? '')) return null;
  const to = timeAt(reading, from.next + 1);
  if (to === null || !(from.value.isSure || to.value.isSure || isSaid)) return null;
  const day = before ?? anchor(reading, past(reading, to.next, DAY_WORDS));
  const isBare = !from.value.isSure && !to.value.isSure;
  const isOfHours = day !== null || (isSaid && !NOUN.test(words[to.next] ?? ''));
  if (isBare && (!isOfHours || monthNamed(words[to.next]) !== null)) return null;
  const isAfternoon = !from.value.isSure && to.value.isAfternoon && from.value.minutes + NOON < to.value.minutes;
  const begin = from.value.minutes + (isAfternoon ? NOON : 0);
  const today = { from: reading.calendar.startOf('day', reading.now), to: reading.now };
  // Hours in the future are those of yesterday.
  const isToCome = onDay(reading, begin)(today).from >= reading.now;
  const yesterday = reading.calendar.add(today.from, -1, 'day');
  const of = day?.value ?? (isToCome ? { from: yesterday, to: today.from } : today);
  const range = untilNow(reading, {
    from: onDay(reading, begin)(of).from,
    to: onDay(reading, to.value.minutes)(of).from,
  });
  return range && found(range, before === null && day !== null ? day.next : to.next);
};

/** `between 10 and 14 november`, `10 - 14 november`, `november 10 to 14`. */
const daysOfMonth: WordReader<Period> = (reading, at) => {
  const { words } = reading;
  const start = past(reading, at, BETWEEN);
  const isBefore = monthNamed(words[start]) !== null;
  const number = past(reading, isBefore ? start + 1 : start, THE);
  if (!TO.has(words[number + 1] ?? '')) return null;
  const other = past(reading, number + 2, THE);
  const behind = past(reading, other + 1, OF_THE);
  const month = isBefore ? words[start] : words[behind];
  if (
    month === undefined ||
    monthNamed(month) === null ||
    !DAY.test(words[number] ?? '') ||
    !DAY.test(words[other] ?? '')
  )
    return null;
  const year = isBefore ? other + 1 : behind + 1;
  const said = yearNamed(words[year]) === null ? [] : [itemAt(words, year)];
  const [first, last] = [number, other].map((place) =>
    anchor({ ...reading, words: [itemAt(words, place), month, ...said] }, 0),
  );
  if (!first || !last || first.value.from >= last.value.to) return null;
  const range = untilNow(reading, { from: first.value.from, to: last.value.to });
  return range && found(range, year + said.length);
};
const BETWEEN = set('between from on');
const OF_THE = set('of the');
const DAY = /^\d{1,2}(?:st|nd|rd|th)?$/;

/** `between monday and wednesday`, `from 2026-11-01 to 2026-11-05`, `monday to friday`, `october through november`. */
const betweenAnchors: WordReader<Period> = (reading, at) => {
  const { words } = reading;
  const isSaid = words[at] === 'between' || words[at] === 'from';
  const first = anchorBehind(reading, isSaid ? at + 1 : at);
  if (first === null || !TO.has(words[first.next] ?? '')) return null;
  if (words[first.next] === 'and' && words[at] !== 'between') return null;
  const isNow = TO_NOW.has(words[first.next + 1] ?? '');
  const last = isNow
    ? found({ from: reading.now, to: reading.now }, first.next + 2)
    : anchorBehind(reading, first.next + 1);
  if (last === null) return null;
  // The first of two days without a year may be in the year before.
  const begins = first.value.from < endOf(last.value) ? first.value.from : earlier(reading, first.value, at);
  const range = begins === null ? null : untilNow(reading, { from: begins, to: endOf(last.value) });
  return range && found(range, last.next);
};
const DAY_AT_MOST = 25 * HOUR_MS;
const MONTH = 28 * 24 * HOUR_MS;
const THIS = set('this current');
const earlier = ({ calendar, words }: WordsReading, { from, to }: Period, at: number): number | null => {
  if (THIS.has(words[at] ?? '') || THIS.has(words[at + 1] ?? '')) return null;
  if (to - from <= DAY_AT_MOST) return calendar.add(from, -7, 'day');
  return to - from >= MONTH ? calendar.add(from, -1, 'year') : null;
};

/** `month to date`, `mtd`, `this week so far`. */
const toDate: WordReader<Period> = (reading, at) => {
  const { words, calendar, now } = reading;
  const start = past(reading, at, INTO);
  const short = new Map<string, Unit>([
    ['wtd', 'week'],
    ['mtd', 'month'],
    ['qtd', 'quarter'],
    ['ytd', 'year'],
  ]).get(words[start] ?? '');
  const unit = short ?? unitNamed(words[start]);
  if (unit === null) return null;
  const isLong = words[start + 1] === 'to' && words[start + 2] === 'date';
  if (short === undefined && !isLong) return null;
  return found({ from: calendar.startOf(unit, now), to: now }, short === undefined ? start + 3 : start + 1);
};

/** `all time`, `ever`. */
const ever: WordReader<Period> = (reading, at) => {
  const { words, now } = reading;
  const start = past(reading, at, set('of in over from the'));
  if (words[start] === 'all' && words[start + 1] === 'time') return found({ from: 0, to: now }, start + 2);
  return words[at] === 'ever' ? found({ from: 0, to: now }, at + 1) : null;
};

/** `yesterday`, `in october`, `on 2026-11-03`, `in 2025`, `last week`. */
const named: WordReader<Period> = (reading, at) => {
  const { words } = reading;
  const start = past(reading, at, INTO);
  const direct =
    longAgo(reading, at) ?? longAgo(reading, start) ?? (standsAlone(reading, at) ? anchor(reading, at) : null);
  const year = start > at ? yearNamed(words[start]) : null;
  const read =
    direct ??
    (year === null ? (start > at ? behindInto(reading, at, start) : null) : yearFound(reading, year, start + 1));
  if (read === null || read.value.from === read.value.to) return null;
  const range = untilNow(reading, read.value);
  const soFar = words[read.next] === 'so' && words[read.next + 1] === 'far' ? 2 : 0;
  return range && found(range, read.next + soFar);
};
/** `the 3rd` retains its `the`. */
const behindInto = (reading: WordsReading, at: number, start: number): WordsFound<Period> | null => {
  if (THE.has(reading.words[start - 1] ?? '')) return anchor(reading, start - 1) ?? anchor(reading, start);
  return start > at ? anchor(reading, start) : null;
};

const AROUND = set('at around about approximately circa near');
const HALF_HOUR_MS = HOUR_MS / 2;

/** `at 5pm`, `around noon yesterday`: half an hour before and after it. */
const moment: WordReader<Period> = (reading, at) => {
  const read = momentNamed(reading, past(reading, at, AROUND));
  if (read === null) return null;
  const { calendar, now } = reading;
  // A time in the future is that of yesterday.
  const isOfToday =
    read.value.from >= calendar.startOf('day', now) &&
    read.value.from < calendar.add(calendar.startOf('day', now), 1, 'day');
  const from = read.value.from > now && isOfToday ? calendar.add(read.value.from, -1, 'day') : read.value.from;
  const range = untilNow(reading, { from: from - HALF_HOUR_MS, to: from + HALF_HOUR_MS });
  return range && found(range, read.next);
};

/** A range anywhere in a sentence. */
export const rangeAt: WordReader<Period> = firstOf(
  daysOfMonth,
  timesOfDay,
  betweenAnchors,
  since,
  rolling,
  toDate,
  ever,
  named,
  counted,
  moment,
);
