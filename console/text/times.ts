const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** Returns a duration in at most two units: `12s`, `4m`, `2h 5m`, `3d 4h`. */
export const duration = (ms: number): string => {
  const length = Math.max(0, ms);
  if (length < MINUTE) return `${Math.floor(length / SECOND)}s`;
  if (length < HOUR) return `${Math.floor(length / MINUTE)}m`;
  const [large, small] = length < DAY ? (['h', 'm'] as const) : (['d', 'h'] as const);
  const [ofLarge, ofSmall] = length < DAY ? [HOUR, MINUTE] : [DAY, HOUR];
  const rest = Math.floor((length % ofLarge) / ofSmall);
  return `${Math.floor(length / ofLarge)}${large}${rest === 0 ? '' : ` ${rest}${small}`}`;
};

/** Null: the zone of the computer. */
const zoneOf = (zone: string | null): { readonly timeZone?: string } => (zone === null ? {} : { timeZone: zone });

type DateParts = Readonly<Record<string, string>>;
const partsIn = (format: Intl.DateTimeFormat, ms: number): DateParts =>
  Object.fromEntries(format.formatToParts(ms).map(({ type, value }) => [type, value]));
const clockOf = ({ hour, minute, second }: DateParts): string => `${hour}:${minute}:${second}`;

const dayTimeOf = (at: DateParts, today: DateParts): string =>
  `${at.day} ${at.month}${at.year === today.year ? '' : ` ${at.year}`} ${at.hour}:${at.minute}`;

/** Texts of times in one zone. */
export interface ZonedTimes {
  /** `10:20:31`. */
  readonly clockTime: (ms: number) => string;
  /** `10:20:31` today, else `23 Nov 10:20`, in another year `23 Nov 2025 10:20`; with its offset, `UTC−4`, where that is not the one of now or its clocks change. */
  readonly when: (ms: number, now: number) => string;
  /** The same with the day of today, too. */
  readonly dated: (ms: number, now: number) => string;
  /** `23 Nov 2026, 10:20:31 UTC+1`: nothing is left to guess. */
  readonly fullTime: (ms: number) => string;
  /** `UTC+1`, `UTC`, `UTC+5:30`. */
  readonly zoneWord: (ms: number) => string;
}

const timesIn = (zone: string | null): ZonedTimes => {
  const format = new Intl.DateTimeFormat('en-GB', {
    ...zoneOf(zone),
    hourCycle: 'h23',
    year: 'numeric',
    month: 'short',
    day: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
  });
  const naming = new Intl.DateTimeFormat('en-GB', { ...zoneOf(zone), timeZoneName: 'shortOffset' });
  const zoneWord = (ms: number): string => {
    const { timeZoneName = 'UTC' } = partsIn(naming, ms);
    return timeZoneName.replace('GMT', 'UTC').replace(/\+0$/, '').replace('-', '−');
  };
  /** The offset where it is not the one of now, which the header shows, and within an hour of a change of the clocks. */
  const offsetText = (ms: number, now: number): string => {
    const word = zoneWord(ms);
    const isPlain = [now, ms - HOUR, ms + HOUR].every((other) => zoneWord(other) === word);
    return isPlain ? '' : ` ${word}`;
  };
  return {
    clockTime: (ms) => clockOf(partsIn(format, ms)),
    when(ms, now) {
      const [at, today] = [partsIn(format, ms), partsIn(format, now)];
      const isToday = at.year === today.year && at.month === today.month && at.day === today.day;
      return `${isToday ? clockOf(at) : dayTimeOf(at, today)}${offsetText(ms, now)}`;
    },
    dated: (ms, now) => `${dayTimeOf(partsIn(format, ms), partsIn(format, now))}${offsetText(ms, now)}`,
    fullTime(ms) {
      const at = partsIn(format, ms);
      return `${at.day} ${at.month} ${at.year}, ${clockOf(at)} ${zoneWord(ms)}`;
    },
    zoneWord,
  };
};

export type TimesOf = (zone: string | null) => ZonedTimes;

/** A page formats hundreds of times, and making a format is slower than all else of a row: each zone has one. */
export const openTimes = (): TimesOf => {
  const zones = new Map<string | null, ZonedTimes>();
  return (zone) => {
    const times = zones.get(zone) ?? timesIn(zone);
    zones.set(zone, times);
    return times;
  };
};
