/** Days as `Intl` names them in English, in lower case. */
export const WEEKDAYS = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const;

/** Windows of a silence, within its start and end. */
export interface Recurrence {
  /** Days on which windows begin. */
  readonly weekdays: readonly (typeof WEEKDAYS)[number][];
  /** `HH:MM` of the clock on the wall; an end that is not later is on the next day. */
  readonly from: string;
  readonly to: string;
  /** IANA name. */
  readonly zone: string;
}

/** `fri, sat 22:00–06:00 Europe/Berlin` */
export const recurrenceText = ({ weekdays, from, to, zone }: Recurrence): string =>
  `${weekdays.join(', ')} ${from}–${to} ${zone}`;

const MINUTE_MS = 60_000;
const DAY = 24 * 60;
/** A window may end and begin again in the hour that clocks repeat: its end is searched in these steps, minutes. */
const STEP = 15;
/** Steps of nine days. */
const MAX_STEPS = (9 * DAY) / STEP;

const minuteOf = (clock: string): number => {
  const [hours, minutes] = clock.split(':').map(Number);
  return (hours ?? 0) * 60 + (minutes ?? 0);
};

/** Minute of the day and weekday of an instant, ms, in a zone. */
const wallClock = (timeZone: string) => {
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone,
    weekday: 'short',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  });
  return (at: number): { readonly day: number; readonly minute: number } => {
    const said = Object.fromEntries(format.formatToParts(at).map(({ type, value }) => [type, value]));
    const names: readonly string[] = WEEKDAYS;
    const day = names.indexOf(said.weekday?.toLowerCase() ?? '');
    return { day, minute: Number(said.hour) * 60 + Number(said.minute) };
  };
};

/** Returns a test of instants, and the minutes until the clock on the wall reaches the next start or end. */
const windowsOf = ({ weekdays, from, to, zone }: Recurrence) => {
  const wall = wallClock(zone);
  const [start, end] = [minuteOf(from), minuteOf(to)];
  const days = new Set(weekdays.map((day) => WEEKDAYS.indexOf(day)));
  const isIn = (at: number): boolean => {
    const { day, minute } = wall(at);
    if (start < end) return days.has(day) && minute >= start && minute < end;
    return (days.has(day) && minute >= start) || (days.has((day + 6) % 7) && minute < end);
  };
  const ahead = (at: number): number => {
    const { minute } = wall(at);
    return Math.min(STEP, ...[start, end].map((boundary) => (boundary - minute + DAY) % DAY || DAY));
  };
  return { isIn, ahead };
};

/** Returns the end of the window at an instant, ms; null outside of windows. The last answer is remembered as long as it holds. */
const windowEnds = (recurrence: Recurrence): ((now: number) => number | null) => {
  const { isIn, ahead } = windowsOf(recurrence);
  const endAfter = (minute: number): number => {
    let at = minute;
    for (let step = 0; step < MAX_STEPS && isIn(at); step++) at += ahead(at) * MINUTE_MS;
    // A change of clocks skips times of day: the window ended at the first minute outside.
    while (at - MINUTE_MS > minute && !isIn(at - MINUTE_MS)) at -= MINUTE_MS;
    return at;
  };
  let known = { from: 0, until: 0, isActive: false };
  return (now) => {
    if (now < known.from || now >= known.until) {
      const from = now - (now % MINUTE_MS);
      const isActive = isIn(from);
      known = { from, until: isActive ? endAfter(from) : from + MINUTE_MS, isActive };
    }
    return known.isActive ? known.until : null;
  };
};

interface Held {
  readonly startsAt: number;
  readonly endsAt: number;
  readonly recurrence?: Recurrence | undefined;
}

/** Returns the time until which a silence holds at an instant, ms; null: it does not. */
export const holding = ({ startsAt, endsAt, recurrence }: Held): ((now: number) => number | null) => {
  const windows = recurrence === undefined ? null : windowEnds(recurrence);
  return (now) => {
    if (now < startsAt || now >= endsAt) return null;
    const until = windows === null ? endsAt : windows(now);
    return until === null ? null : Math.min(until, endsAt);
  };
};

/** Part of a range in which a silence holds, ms. */
export interface SilenceWindow {
  readonly from: number;
  readonly to: number;
}

/** Returns at most `limit` windows of a silence within a range, ms, each cut at its edges. */
export const windowsBetween = (held: Held, from: number, to: number, limit: number): readonly SilenceWindow[] => {
  const end = Math.min(to, held.endsAt);
  let at = Math.max(from, held.startsAt);
  if (held.recurrence === undefined) return at < end ? [{ from: at, to: end }] : [];
  const { isIn, ahead } = windowsOf(held.recurrence);
  const until = holding(held);
  const found: SilenceWindow[] = [];
  while (at < end && found.length < limit) {
    const ends = until(at);
    if (ends === null) {
      const outside = at - (at % MINUTE_MS);
      at = outside + ahead(outside) * MINUTE_MS;
      // A change of clocks may skip the start: the window begins at the first minute inside.
      while (at - MINUTE_MS > outside && isIn(at - MINUTE_MS)) at -= MINUTE_MS;
    } else {
      found.push({ from: at, to: Math.min(ends, end) });
      at = ends;
    }
  }
  return found;
};
