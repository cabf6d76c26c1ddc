import { HOUR_MS, type Unit } from './calendar.ts';
import { clockAt, dayPartNamed, night } from './clock.ts';
import { firstOf, found, type Period, past, type WordReader, type WordsFound, type WordsReading } from './reading.ts';
import {
  compactSpan,
  isAmbiguous,
  isWithinTime,
  monthNamed,
  numberNamed,
  ordinalNamed,
  unitNamed,
  weekdayNamed,
  yearNamed,
} from './words.ts';

const BEFORE: ReadonlySet<string> = new Set(['last', 'previous', 'prior', 'past']);
const NOW: ReadonlySet<string> = new Set(['this', 'current']);
const THE: ReadonlySet<string> = new Set(['the']);
const OF: ReadonlySet<string> = new Set(['of', 'the']);

/** The unit that holds a time, whole. */
const whole = ({ calendar }: WordsReading, unit: Unit, at: number): Period => {
  const from = calendar.startOf(unit, at);
  return {
    from,
    to: unit === 'minute' || unit === 'hour' ? calendar.add(from, 1, unit) : nextStart(calendar, unit, from),
  };
};
const nextStart = (calendar: WordsReading['calendar'], unit: Unit, from: number): number =>
  calendar.startOf(unit, calendar.add(from, 1, unit) + HOUR_MS);

const back = (reading: WordsReading, number: number, unit: Unit): Period =>
  whole(reading, unit, reading.calendar.add(reading.calendar.startOf(unit, reading.now), -number, unit));

const dayOf = (reading: WordsReading, year: number, month: number, day: number): Period | null => {
  const at = reading.calendar.at(year, month, day);
  const shown = reading.calendar.shown(at);
  return shown.month === month && shown.day === day ? whole(reading, 'day', at) : null;
};

const ISO_DAY = /^(\d{4})-(\d{2})(?:-(\d{2}))?$/;
/** `2026-11-03`, `2026-11`. */
const isoDay: WordReader<Period> = (reading, at) => {
  const [, year, month, day] = ISO_DAY.exec(reading.words[at] ?? '') ?? [];
  if (year === undefined) return null;
  if (day === undefined) {
    const shown = dayOf(reading, Number(year), Number(month), 1);
    return shown && found(whole(reading, 'month', shown.from), at + 1);
  }
  const value = dayOf(reading, Number(year), Number(month), Number(day));
  return value && found(value, at + 1);
};

const ISO_TIME = /^(\d{4})-(\d{2})-(\d{2})t(\d{2}):(\d{2})(?::\d{2}(?:\.\d{1,9})?)?(z|[+-]\d{2}:?\d{2})?$/;
/** `2026-11-03T10:00:00Z`; without an offset a time of the zone. */
const isoTime: WordReader<Period> = (reading, at) => {
  const text = reading.words[at] ?? '';
  const [, year, month, day, hour, minute, offset] = ISO_TIME.exec(text) ?? [];
  if (year === undefined || dayOf(reading, Number(year), Number(month), Number(day)) === null) return null;
  const time =
    offset === undefined
      ? reading.calendar.at(Number(year), Number(month), Number(day), Number(hour), Number(minute))
      : Date.parse(text.toUpperCase());
  return Number.isNaN(time) ? null : found({ from: time, to: time }, at + 1);
};

const WRITTEN = /^(\d{1,2})([./])(\d{1,2})\2(\d{4})$/;
/** `3.11.2026`; `11/15/2026` and `15/11/2026`, but not `03/11/2026`, which is a day of two months. */
const writtenDay: WordReader<Period> = (reading, at) => {
  const [, first, sign, second, year] = WRITTEN.exec(reading.words[at] ?? '') ?? [];
  if (first === undefined) return null;
  const [one, other] = [Number(first), Number(second)];
  if (sign === '/' && one <= 12 && other <= 12 && one !== other) return null;
  const [day, month] = sign === '/' && other > 12 ? [other, one] : [one, other];
  const value = month > 12 ? null : dayOf(reading, Number(year), month, day);
  return value && found(value, at + 1);
};

/** Today, yesterday, and the day before. */
const namedDay: WordReader<Period> = (reading, at) => {
  const { words } = reading;
  const from = past(reading, at, THE);
  if (words[from] === 'day' && words[from + 1] === 'before' && words[from + 2] === 'yesterday')
    return found(back(reading, 2, 'day'), from + 3);
  if (words[at] === 'today') return found(back(reading, 0, 'day'), at + 1);
  return words[at] === 'yesterday' ? found(back(reading, 1, 'day'), at + 1) : null;
};

/** The newest such day; with `last` before it none of today. */
const weekday: WordReader<Period> = (reading, at) => {
  const isLast = BEFORE.has(reading.words[at] ?? '');
  const named = isLast || NOW.has(reading.words[at] ?? '') ? at + 1 : at;
  const day = weekdayNamed(reading.words[named]);
  if (day === null) return null;
  const ago = (reading.calendar.shown(reading.now).weekday - day + 7) % 7;
  return found(back(reading, isLast && ago === 0 ? 7 : ago, 'day'), named + 1);
};

const isPast = (reading: WordsReading, value: Period | null): value is Period =>
  value !== null && value.from <= reading.now;

/** A day and a month, of the year that is named or the newest. */
function dated(reading: WordsReading, month: number, day: number, next: number): WordsFound<Period> | null {
  const year = yearNamed(reading.words[next]);
  if (year !== null) {
    const value = dayOf(reading, year, month, day);
    return value && found(value, next + 1);
  }
  const thisYear = reading.calendar.shown(reading.now).year;
  for (const one of [thisYear, thisYear - 1]) {
    const value = dayOf(reading, one, month, day);
    if (isPast(reading, value)) return found(value, next);
  }
  return null;
}

const dayNumber = (word: string | undefined): number | null => {
  const number = ordinalNamed(word) ?? (/^\d{1,2}$/.test(word ?? '') ? Number(word) : null);
  return number !== null && number >= 1 && number <= 31 ? number : null;
};

/** `november 3rd 2026`, `3 november`, `the 3rd of november`. */
const dayAndMonth: WordReader<Period> = (reading, at) => {
  const { words } = reading;
  const month = monthNamed(words[at]);
  if (month !== null) {
    const number = past(reading, at + 1, THE);
    const day = dayNumber(words[number]);
    return day === null ? null : dated(reading, month, day, number + 1);
  }
  const number = past(reading, at, THE);
  const day = dayNumber(words[number]);
  const named = past(reading, number + 1, OF);
  const behind = monthNamed(words[named]);
  return behind === null || day === null ? null : dated(reading, behind, day, named + 1);
};

/** `the 3rd`: of this month, or of the last one. */
const dayOfMonth: WordReader<Period> = (reading, at) => {
  const { words, calendar, now } = reading;
  const number = past(reading, at, THE);
  const day = /^\d/.test(words[number] ?? '') ? ordinalNamed(words[number]) : null;
  if (day === null || number === at) return null;
  for (const start of [now, calendar.add(calendar.startOf('month', now), -1, 'month')]) {
    const { year, month } = calendar.shown(start);
    const value = dayOf(reading, year, month, day);
    if (isPast(reading, value)) return found(value, number + 1);
  }
  return null;
};

/** A month, of the year that is named or the newest; with `last` before it one that is over. */
const month: WordReader<Period> = (reading, at) => {
  const { words, now, calendar } = reading;
  const isLast = BEFORE.has(words[at] ?? '');
  const named = isLast || NOW.has(words[at] ?? '') ? at + 1 : at;
  const number = monthNamed(words[named]);
  if (number === null) return null;
  const next = words[named + 1] === 'of' ? named + 2 : named + 1;
  const year = yearNamed(words[next]);
  if (year !== null) return found(whole(reading, 'month', calendar.at(year, number, 1)), next + 1);
  const thisYear = calendar.shown(now).year;
  const of = (one: number): Period => whole(reading, 'month', calendar.at(one, number, 1));
  const newest = of(thisYear);
  const limit = isLast ? newest.to : newest.from;
  return found(limit <= now ? newest : of(thisYear - 1), named + 1);
};

/** `q3`, `q3 2026`, `the third quarter of 2026`. */
const quarter: WordReader<Period> = (reading, at) => {
  const { words, calendar, now } = reading;
  const start = past(reading, at, THE);
  const [, digit] = /^q([1-4])$/.exec(words[start] ?? '') ?? [];
  const spelled = words[start + 1] === 'quarter' ? ordinalNamed(words[start]) : null;
  const number = digit === undefined ? spelled : Number(digit);
  if (number === null || number > 4) return null;
  const behind = digit === undefined ? start + 2 : start + 1;
  const next = words[behind] === 'of' ? behind + 1 : behind;
  const said = yearNamed(words[next]);
  const year = said ?? calendar.shown(now).year;
  const value = whole(reading, 'quarter', calendar.at(year, 3 * number - 2, 1));
  if (said !== null) return found(value, next + 1);
  return found(value.from <= now ? value : whole(reading, 'quarter', calendar.at(year - 1, 3 * number - 2, 1)), behind);
};

/** This, or the last, week, month, quarter, year or day of the calendar. */
const calendarUnit: WordReader<Period> = (reading, at) => {
  const { words } = reading;
  const start = past(reading, at, THE);
  const [first = '', second] = [words[start], words[start + 1]];
  const unit = unitNamed(second);
  if (unit === null || second?.endsWith('s')) return null;
  if (NOW.has(first)) return found(back(reading, 0, unit), start + 2);
  return BEFORE.has(first) && first !== 'past' ? found(back(reading, 1, unit), start + 2) : null;
};

/** `the week before`, `the week before last`. */
const weekBefore: WordReader<Period> = (reading, at) => {
  const { words } = reading;
  const start = past(reading, at, THE);
  const unit = unitNamed(words[start]);
  if (unit === null || words[start + 1] !== 'before' || words[start + 2] !== 'last') return null;
  return found(back(reading, 2, unit), start + 3);
};

const DAYS_OF_WEEKEND = 2;
const weekend: WordReader<Period> = (reading, at) => {
  const { words, calendar, now } = reading;
  const start = past(reading, at, THE);
  const isLast = BEFORE.has(words[start] ?? '');
  const named = isLast || NOW.has(words[start] ?? '') ? start + 1 : start;
  if (words[named] !== 'weekend') return null;
  const monday = calendar.startOf('week', now);
  const weekends = [monday, calendar.add(monday, -7, 'day')].map((week) => ({
    from: calendar.add(week, 7 - DAYS_OF_WEEKEND, 'day'),
    to: calendar.add(week, 7, 'day'),
  }));
  const [newest, before] = weekends as [Period, Period];
  return found(newest.from <= now && !isLast ? newest : before, named + 1);
};

interface Ago {
  readonly time: number;
  readonly unit: Unit;
}
const agoAt: WordReader<Ago> = (reading, at) => {
  const { words, now, calendar } = reading;
  const compact = compactSpan(words[at]);
  const number = compact?.number ?? numberNamed(words[at]);
  const of = words[at] === 'couple' || words[at + 1] === 'couple' ? 1 : 0;
  const place = compact ? at : at + 1 + of;
  const unit = compact?.unit ?? unitNamed(words[place + (words[place] === 'of' ? 1 : 0)]);
  const next = place + (words[place] === 'of' ? 2 : 1);
  if (number === null || unit === null || words[next] !== 'ago') return null;
  const many = of === 1 ? 2 : number;
  if (!isWithinTime(many, unit)) return null;
  return found({ time: calendar.add(now, -many, unit), unit }, next + 1);
};

/** `3 days ago`: that day; of shorter units that moment. */
const ago: WordReader<Period> = (reading, at) => {
  const read = agoAt(reading, at);
  if (read === null) return null;
  const { time, unit } = read.value;
  const value = unit === 'minute' || unit === 'hour' ? { from: time, to: time } : whole(reading, 'day', time);
  return found(value, read.next);
};

/** `two weeks ago` by itself: that week. */
export const longAgo: WordReader<Period> = (reading, at) => {
  const read = agoAt(reading, at);
  return read && found(whole(reading, read.value.unit, read.value.time), read.next);
};

/** `the week of november 2`. */
const weekOf: WordReader<Period> = (reading, at) => {
  const { words } = reading;
  const start = past(reading, at, THE);
  const unit = unitNamed(words[start]);
  if (unit === null || words[start + 1] !== 'of') return null;
  const day = dayAnchor(reading, past(reading, start + 2, THE));
  return day && found(whole(reading, unit, day.value.from), day.next);
};

/** `the beginning of the month`, `the end of yesterday`. */
const edgeOf: WordReader<Period> = (reading, at) => {
  const { words } = reading;
  const start = past(reading, at, THE);
  const isStart = ['start', 'beginning', 'begin'].includes(words[start] ?? '');
  if ((!isStart && words[start] !== 'end') || words[start + 1] !== 'of') return null;
  const behind = past(reading, start + 2, THE);
  const unit = unitNamed(words[behind]);
  const of = unit === null ? periodAnchor(reading, behind) : found(back(reading, 0, unit), behind + 1);
  if (of === null) return null;
  const time = isStart ? of.value.from : of.value.to;
  return found({ from: time, to: time }, of.next);
};

const LATE_MS = 6 * 3_600_000;

/** `this morning`, `yesterday evening`, `last night`, `monday afternoon`, `overnight`. */
const dayPart: WordReader<Period> = (reading, at) => {
  const { words } = reading;
  const start = past(reading, at, THE);
  const first = words[start] ?? '';
  // Tonight began yesterday, if it is past midnight.
  const isLate = reading.now - back(reading, 0, 'day').from < LATE_MS;
  if (first === 'tonight') return found(night(reading, back(reading, isLate ? 1 : 0, 'day')), start + 1);
  if (words.slice(start, start + 4).join(' ') === 'night prior to tonight')
    return found(night(reading, back(reading, isLate ? 2 : 1, 'day')), start + 4);
  if (first === 'overnight') return found(night(reading, back(reading, 1, 'day')), start + 1);
  const isLast = BEFORE.has(first);
  if (first.startsWith('lunch')) {
    const lunch = dayPartNamed(reading, first, back(reading, 0, 'day'));
    return lunch && found(lunch, start + 1);
  }
  const day =
    NOW.has(first) || isLast ? found(back(reading, isLast ? 1 : 0, 'day'), start + 1) : dayAnchor(reading, start);
  const part = day && dayPartNamed(reading, words[day.next], day.value);
  return part ? found(part, day.next + 1) : null;
};

/** A time of a day: `yesterday at 10:00`, `10am on monday`, `noon`. */
const momentOf: WordReader<Period> = (reading, at) => {
  const day = dayAnchor(reading, at);
  if (day !== null) {
    const clock = clockAt(reading, reading.words[day.next] === 'at' ? day.next + 1 : day.next);
    return clock && found(clock.value(day.value), clock.next);
  }
  const clock = clockAt(reading, at);
  if (clock === null) return null;
  const behind = dayAnchor(
    reading,
    ['on', 'of'].includes(reading.words[clock.next] ?? '') ? clock.next + 1 : clock.next,
  );
  return behind
    ? found(clock.value(behind.value), behind.next)
    : found(clock.value(back(reading, 0, 'day')), clock.next);
};

/** A moment, without small words before it. */
export const momentNamed: WordReader<Period> = firstOf(isoTime, momentOf);

const now: WordReader<Period> = ({ words, now: time }, at) =>
  words[at] === 'now' ? found({ from: time, to: time }, at + 1) : null;

const dayAnchor: WordReader<Period> = firstOf(isoDay, writtenDay, namedDay, dayAndMonth, weekday, dayOfMonth);
const periodAnchor: WordReader<Period> = firstOf(dayAnchor, weekBefore, calendarUnit, weekend, quarter, month);

/** A named time, with any words before it. */
export const anchor: WordReader<Period> = firstOf(
  isoTime,
  dayPart,
  momentOf,
  ago,
  edgeOf,
  weekOf,
  weekBefore,
  weekend,
  dayAnchor,
  calendarUnit,
  quarter,
  month,
  now,
);

/** An anchor that may begin a range by itself, without `in`, `on` or `since` before it. */
export const standsAlone = ({ words }: WordsReading, at: number): boolean =>
  !isAmbiguous(words[at]) && words[at] !== 'now';
