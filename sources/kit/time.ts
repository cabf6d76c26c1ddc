/** All formats in which monitors write a point in time, read as epoch milliseconds. */

/** Earlier than this is no time of an event but an empty field (`0`, `0001-01-01T00:00:00Z`). */
const EARLIEST = Date.UTC(2000, 0, 1);
const LATEST = Date.UTC(2200, 0, 1);

const NUMERIC = /^\d{9,20}(?:\.\d{1,9})?$/;
/** 2026-11-20T10:00:10.000+0000, 2025.04.14 12:57:53, 2026/11/20 10:00, 2026-11-20 10:00:10 +0000 UTC, 2026-11-20 10:00:10 CET. */
const DATE =
  /^(\d{4})([-./])(\d{1,2})\2(\d{1,2})(?:[T ]+(\d{1,2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?)?\s*(Z|UTC|GMT|[+-]\d{2}(?::?\d{2})?)?(?:\s+([A-Z]{2,5}))?$/i;
/** 28.11.2026 10:00, 11-28-2026 10:00:00 ($SHORTDATETIME$), 11/28/2026 4:51:23 AM. */
const YEAR_LAST =
  /^(\d{1,2})([-./])(\d{1,2})\2(\d{4})(?:,?\s+(\d{1,2}):(\d{2})(?::(\d{2}))?(?:\s?([AP])M)?)?(?:\s+([+-]\d{2}:?\d{2}|[A-Z]{1,5}))?$/i;
/** `Fri Nov 20 10:00:00 UTC 2026` ($LONGDATETIME$). */
const LONG =
  /^(?:[a-z]{3},?\s+)?([a-z]{3})\s+(\d{1,2})\s+(\d{2}):(\d{2}):(\d{2})\s+(?:([+-]\d{4}|[A-Z]{1,5})\s+)?(\d{4})$/i;
/** `Fri, 20 Nov 2026 10:00:00 GMT` (RFC 5322). */
const RFC =
  /^(?:[a-z]{3},?\s+)?(\d{1,2})\s+([a-z]{3})[a-z]*\s+(\d{4})\s+(\d{2}):(\d{2})(?::(\d{2}))?(?:\s+([+-]\d{4}|[A-Z]{1,5}))?$/i;
const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
/** Zones with a name of their own, in minutes east of UTC. With an ambiguous name (IST) the time is unknown. */
const ZONES: ReadonlyMap<string, number> = new Map(
  [
    'Z 0,UTC 0,GMT 0,WET 0,WEST 60,CET 60,CEST 120,MEZ 60,MESZ 120,EET 120,EEST 180,BST 60,MSK 180,TRT 180,SAST 120,CAT 120,EAT 180,WAT 60',
    'EST -300,EDT -240,CST -360,CDT -300,MST -420,MDT -360,PST -480,PDT -420,AKST -540,AKDT -480,HST -600,NST -210,NDT -150,BRT -180,ART -180',
    'JST 540,KST 540,HKT 480,SGT 480,PHT 480,ICT 420,WIB 420,PKT 300,NPT 345,IRST 210,AWST 480,ACST 570,ACDT 630,AEST 600,AEDT 660,NZST 720,NZDT 780',
  ]
    .flatMap((line) => line.split(','))
    .map((zone) => zone.split(' '))
    .map(([name = '', minutes]) => [name, Number(minutes)] as const),
);

const plausible = (ms: number): number | undefined =>
  Number.isFinite(ms) && ms >= EARLIEST && ms < LATEST ? Math.round(ms) : undefined;

/** Converts epoch seconds, milliseconds, microseconds or nanoseconds, distinguished by size. */
function fromNumber(value: number): number | undefined {
  if (value < 1e11) return plausible(value * 1000);
  if (value < 1e14) return plausible(value);
  if (value < 1e17) return plausible(value / 1000);
  return plausible(value / 1e6);
}

/** Minutes east of UTC of `Z`, `+0000`, `+01:00`, `-05` or a zone's name; no number of one that is not known. */
function offsetOf(zone: string | undefined): number {
  const match = zone?.match(/^([+-])(\d{2}):?(\d{2})?$/);
  if (!match) return ZONES.get(zone?.toUpperCase() ?? 'Z') ?? Number.NaN;
  const minutes = Number(match[2]) * 60 + Number(match[3] ?? 0);
  return match[1] === '-' ? -minutes : minutes;
}

type Clock = readonly [hour: number, minute: number, second: number, ms: number];

function fromParts(
  year: number,
  month: number,
  day: number,
  clock: Clock,
  zone: string | undefined,
): number | undefined {
  const midnight = Date.UTC(year, month - 1, day);
  const [hour, minute, second, ms] = clock;
  const real = new Date(midnight).getUTCDate() === day && month >= 1 && month <= 12;
  if (!real || hour > 24 || minute > 59 || second > 60) return undefined;
  return plausible(midnight + ((hour * 60 + minute - offsetOf(zone)) * 60 + second) * 1000 + ms);
}

/** The day is first with periods; else a number above 12 decides, and without one the order is ambiguous. */
function dayAndMonth(first: number, mark: string | undefined, second: number): readonly [number, number] | undefined {
  if (mark === '.' || first > 12) return [first, second];
  return second > 12 || first === second ? [second, first] : undefined;
}

function fromYearLast(date: RegExpExecArray): number | undefined {
  const order = dayAndMonth(Number(date[1]), date[2], Number(date[3]));
  if (order === undefined) return undefined;
  const [day, month] = order;
  const half = date[8]?.toUpperCase();
  const hour = half === undefined ? Number(date[5] ?? 0) : (Number(date[5]) % 12) + (half === 'P' ? 12 : 0);
  return fromParts(Number(date[4]), month, day, [hour, Number(date[6] ?? 0), Number(date[7] ?? 0), 0], date[9]);
}

function fromText(text: string): number | undefined {
  if (NUMERIC.test(text)) return fromNumber(Number(text));
  const date = DATE.exec(text);
  if (date) {
    const ms = Math.floor(Number(`0.${date[8] ?? 0}`) * 1000);
    const clock: Clock = [Number(date[5] ?? 0), Number(date[6] ?? 0), Number(date[7] ?? 0), ms];
    return fromParts(Number(date[1]), Number(date[3]), Number(date[4]), clock, date[9] ?? date[10]);
  }
  const yearLast = YEAR_LAST.exec(text);
  if (yearLast) return fromYearLast(yearLast);
  const long = LONG.exec(text);
  if (long) {
    const clock: Clock = [Number(long[3]), Number(long[4]), Number(long[5]), 0];
    return fromParts(Number(long[7]), monthOf(long[1]), Number(long[2]), clock, long[6]);
  }
  const rfc = RFC.exec(text);
  if (!rfc) return undefined;
  const clock: Clock = [Number(rfc[4]), Number(rfc[5]), Number(rfc[6] ?? 0), 0];
  return fromParts(Number(rfc[3]), monthOf(rfc[2]), Number(rfc[1]), clock, rfc[7]);
}

const monthOf = (name: string | undefined): number => MONTHS.indexOf((name ?? '').toLowerCase()) + 1;

/** Epoch milliseconds; undefined when the value is no time between 2000 and 2200. A time without a zone is UTC. */
export function timeOf(value: unknown): number | undefined {
  if (typeof value === 'number') return fromNumber(value);
  if (typeof value !== 'string' || value.length > 64) return undefined;
  return fromText(value.trim());
}
