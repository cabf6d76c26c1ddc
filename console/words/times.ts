const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

const two = (value: number): string => String(value).padStart(2, '0');

/** How long something lasts, in at most two units: `12 s`, `4 min`, `2 h 05`, `3 d 4 h`. */
export const duration = (ms: number): string => {
  const length = Math.max(0, ms);
  if (length < MINUTE) return `${Math.floor(length / SECOND)} s`;
  if (length < HOUR) return `${Math.floor(length / MINUTE)} min`;
  if (length < DAY) return `${Math.floor(length / HOUR)} h ${two(Math.floor((length % HOUR) / MINUTE))}`;
  const hours = Math.floor((length % DAY) / HOUR);
  return hours === 0 ? `${Math.floor(length / DAY)} d` : `${Math.floor(length / DAY)} d ${hours} h`;
};

/** Null: the zone of the computer. */
const zoneOf = (zone: string | null): { readonly timeZone?: string } => (zone === null ? {} : { timeZone: zone });

const parts = (ms: number, zone: string | null): Record<string, string> => {
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
  return Object.fromEntries(format.formatToParts(ms).map(({ type, value }) => [type, value]));
};

/** `10:20:31`. */
export const clockTime = (ms: number, zone: string | null): string => {
  const { hour, minute, second } = parts(ms, zone);
  return `${hour}:${minute}:${second}`;
};

/** `10:20:31` today, else `23 Nov 10:20`, in another year `23 Nov 2025 10:20`. */
export const when = (ms: number, now: number, zone: string | null): string => {
  const [at, today] = [parts(ms, zone), parts(now, zone)];
  if (at.year !== today.year) return `${at.day} ${at.month} ${at.year} ${at.hour}:${at.minute}`;
  const isToday = at.day === today.day && at.month === today.month;
  return isToday ? clockTime(ms, zone) : `${at.day} ${at.month} ${at.hour}:${at.minute}`;
};

/** `23 Nov 2026, 10:20:31 UTC+1`: nothing is left to guess. */
export const fullTime = (ms: number, zone: string | null): string => {
  const { day, month, year } = parts(ms, zone);
  return `${day} ${month} ${year}, ${clockTime(ms, zone)} ${zoneWord(ms, zone)}`;
};

/** `UTC+1`, `UTC`, `UTC+5:30`. */
export const zoneWord = (ms: number, zone: string | null): string => {
  const format = new Intl.DateTimeFormat('en-GB', { ...zoneOf(zone), timeZoneName: 'shortOffset' });
  const word = format.formatToParts(ms).find(({ type }) => type === 'timeZoneName')?.value ?? 'UTC';
  return word.replace('GMT', 'UTC').replace(/\+0$/, '');
};
