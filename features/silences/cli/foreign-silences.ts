import { parse } from 'yaml';
import { WEEKDAYS } from '#domain/event/silences/recurrence.ts';
import type { LabelMatcher } from '#domain/event/silences/silence-rule.ts';
import { parsedMatchers } from '#domain/event/silences/written-labels.ts';
import { asRecord, isRecord } from '#domain/record-of.ts';

/** A silence of a file, as it is posted; or the reason why there is none. */
export type ForeignSilence =
  | { readonly body: Readonly<Record<string, unknown>> }
  | { readonly name: string; readonly skipped: string };

/** Times of silences that have none in the file, ISO 8601. */
interface SilenceTimes {
  readonly startsAt: string;
  readonly endsAt: string;
}

type Bag = Readonly<Record<string, unknown>>;
const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
const textsOf = (value: unknown): string[] => listOf(value).filter((one) => typeof one === 'string');

/* Silences of Alertmanager's API: `amtool silence query -o json`. */

const opOf = ({ isRegex, isEqual = true }: Bag): LabelMatcher['op'] =>
  isRegex === true ? (isEqual === true ? '=~' : '!~') : isEqual === true ? '=' : '!=';

const ofSilence = (silence: Bag, { startsAt }: SilenceTimes): ForeignSilence => {
  const name = String(silence.id ?? 'silence');
  const ends = Date.parse(String(silence.endsAt));
  if (Number.isNaN(ends) || ends <= Date.parse(startsAt)) return { name, skipped: 'it has ended' };
  const starts = Math.max(Date.parse(startsAt), Date.parse(String(silence.startsAt)) || 0);
  const labels = listOf(silence.matchers).map((one) => ({
    name: asRecord(one).name,
    op: opOf(asRecord(one)),
    value: asRecord(one).value,
  }));
  const times = { startsAt: new Date(starts).toISOString(), endsAt: new Date(ends).toISOString() };
  const reason = [silence.comment, silence.createdBy]
    .filter((one) => typeof one === 'string' && one !== '')
    .join(' – ');
  return { body: { matcher: { labels }, ...times, reason: reason || 'from Alertmanager' } };
};

/* Mute times of alertmanager.yml, by the routes that name them. */

const DAY_NAMES = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'];
const dayOf = (name: string): number => DAY_NAMES.indexOf(name.trim().toLowerCase());

/** `monday:friday` or `saturday`. */
const daysOf = (text: string): string[] => {
  const [from = '', to = from] = text.split(':');
  const [first, last] = [dayOf(from), dayOf(to)];
  if (first === -1 || last === -1 || last < first) return [];
  return DAY_NAMES.slice(first, last + 1).map((name) => name.slice(0, 3));
};

const UNSUPPORTED = ['days_of_month', 'months', 'years'];

type Windows = readonly { readonly from: string; readonly to: string }[];
const ALL_DAY: Windows = [{ from: '00:00', to: '00:00' }];

const windowsOf = (times: readonly unknown[]): Windows =>
  times.length === 0
    ? ALL_DAY
    : times.map((one) => ({
        from: String(asRecord(one).start_time),
        to: String(asRecord(one).end_time).replace('24:00', '00:00'),
      }));

const recurrencesOf = (interval: Bag): readonly object[] | string => {
  const unsupported = UNSUPPORTED.filter((part) => listOf(interval[part]).length > 0);
  if (unsupported.length > 0) return `${unsupported.join(', ')} can't recur here`;
  const said = textsOf(interval.weekdays);
  const weekdays = said.length === 0 ? WEEKDAYS : WEEKDAYS.filter((day) => said.flatMap(daysOf).includes(day));
  if (weekdays.length === 0) return 'unknown weekdays';
  const zone = typeof interval.location === 'string' ? interval.location : 'UTC';
  return windowsOf(listOf(interval.times)).map((window) => ({ weekdays, ...window, zone }));
};

/** Matchers of a route, in the three spellings that Alertmanager has had. */
const matchersOf = (route: Bag): LabelMatcher[] => [
  ...textsOf(route.matchers).flatMap((text) => parsedMatchers(text, 'matchers')),
  ...Object.entries(asRecord(route.match)).map(([name, value]) => ({ name, op: '=' as const, value: String(value) })),
  ...Object.entries(asRecord(route.match_re)).map(([name, value]) => ({
    name,
    op: '=~' as const,
    value: String(value),
  })),
];

interface Muted {
  readonly interval: string;
  readonly labels: readonly LabelMatcher[];
}
const MAX_DEPTH = 32;

/** Routes with mute times, each with the matchers of all routes above it. */
const mutedBy = (route: Bag, above: readonly LabelMatcher[] = [], depth = 0): Muted[] => {
  if (depth > MAX_DEPTH) return [];
  const labels = [...above, ...matchersOf(route)];
  return [
    ...textsOf(route.mute_time_intervals).map((interval) => ({ interval, labels })),
    ...listOf(route.routes).flatMap((inner) => mutedBy(asRecord(inner), labels, depth + 1)),
  ];
};

const ofMuted = ({ interval: name, labels }: Muted, intervals: ReadonlyMap<unknown, Bag>, span: SilenceTimes) => {
  const found = intervals.get(name);
  if (found === undefined) return [{ name, skipped: 'no such time interval' }];
  if (labels.length === 0) return [{ name, skipped: 'its route matches all alerts' }];
  return listOf(found.time_intervals).flatMap((interval): ForeignSilence[] => {
    const recurrences = recurrencesOf(asRecord(interval));
    if (typeof recurrences === 'string') return [{ name, skipped: recurrences }];
    const silence = { matcher: { labels }, ...span, reason: `Mute time ${name}` };
    return recurrences.map((recurrence) => ({ body: { ...silence, recurrence } }));
  });
};

const ofConfig = (config: Bag, span: SilenceTimes): ForeignSilence[] => {
  const named = [...listOf(config.time_intervals), ...listOf(config.mute_time_intervals)].map(asRecord);
  const intervals = new Map(named.map((one) => [one.name, one]));
  return mutedBy(asRecord(config.route)).flatMap((muted) => ofMuted(muted, intervals, span));
};

/**
 * Silences of a file: a JSON list of Alertmanager's silences, or its configuration. Throws a Fault for bad matchers; null
 * when the file is neither.
 */
export const foreignSilences = (text: string, span: SilenceTimes): ForeignSilence[] | null => {
  const read: unknown = parse(text);
  if (Array.isArray(read)) return read.map((silence) => ofSilence(asRecord(silence), span));
  return isRecord(read) && isRecord(read.route) ? ofConfig(read, span) : null;
};
