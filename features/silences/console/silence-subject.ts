import type { EventRow } from '#console/api/events.ts';
import type { GroupRow } from '#console/api/groups.ts';
import type { SilenceMatcher } from '#domain/event/silences/silence-rule.ts';
import * as texts from './texts.ts';

/** One part of a silence's matcher, which the user can turn on and off. */
export interface SilencePart {
  readonly name: keyof SilenceMatcher;
  /** `host pet-voip`. */
  readonly words: string;
  readonly value: string;
  /** Included in the silence by default. */
  readonly isOn: boolean;
}
export interface SilenceSubject {
  /** Noun, as in `Silence “SIP registration” on pet-voip`. */
  readonly what: string;
  readonly parts: readonly SilencePart[];
}

/** Words that the next title has as well: numbers change from one to the next. */
export const lastingWords = (title: string): string =>
  title
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => /\p{L}/u.test(word) && !/\p{N}/u.test(word))
    .join(' ')
    .slice(0, 255);

/** The part of an event that its silence selects by. */
export type SilencedEvent = Pick<EventRow, 'title' | 'hostname' | 'service' | 'source' | 'ciId'>;

const part = (name: SilencePart['name'], words: string, value: string | undefined, isOn: boolean): SilencePart[] =>
  value === undefined || value === '' ? [] : [{ name, words: `${words} ${value}`, value, isOn }];

/** The problem of the event on its host. */
export const subjectOfEvent = ({ title, hostname, service, source, ciId }: SilencedEvent): SilenceSubject => {
  const words = lastingWords(title);
  return {
    what: `“${title}”`,
    parts: [
      ...part('title', 'title contains', words, true),
      ...part('host', 'host', hostname, true),
      ...(ciId === undefined
        ? []
        : [{ name: 'ciId', words: `CI ${ciId.name}`, value: ciId._id, isOn: hostname === undefined } as const]),
      ...part('service', 'service', service, false),
      ...part('source', 'source', source, hostname === undefined && ciId === undefined),
    ],
  };
};

/** The root cause of a group represents it; null: there is none. */
export const subjectOfGroup = (group: GroupRow | null): SilenceSubject | null =>
  group?.rootCause == null ? null : subjectOfEvent(group.rootCause);

/** Null: nothing is left of it. */
export const matcherOf = (parts: readonly SilencePart[], on: ReadonlySet<string>): SilenceMatcher | null => {
  const chosen = parts.filter(({ name }) => on.has(name)).map(({ name, value }) => [name, value] as const);
  return chosen.length === 0 ? null : (Object.fromEntries(chosen) as SilenceMatcher);
};

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const MORNING = 8;

export const LENGTHS = [
  { value: '30m', label: texts.thirtyMinutes },
  { value: '2h', label: texts.twoHours },
  { value: 'morning', label: texts.untilMorning },
  { value: '24h', label: texts.twentyFourHours },
  { value: '7d', label: texts.sevenDays },
  { value: 'own', label: texts.customEndTime },
] as const;
export type SilenceLength = (typeof LENGTHS)[number]['value'];

const SPANS: Readonly<Partial<Record<SilenceLength, number>>> = {
  '30m': 30 * MINUTE,
  '2h': 2 * HOUR,
  '24h': 24 * HOUR,
  '7d': 7 * 24 * HOUR,
};

/**
 * Returns the end, epoch ms; null: no time was chosen. `local`: a time as a field contains it, in the zone of the user.
 */
export const endOf = (
  length: SilenceLength,
  now: number,
  own: string,
  { toLocal, toMs }: { readonly toLocal: (ms: number) => string; readonly toMs: (text: string) => number | null },
): number | null => {
  const span = SPANS[length];
  if (span !== undefined) return now + span;
  if (length === 'own') return toMs(own);
  const morning = (ms: number): number | null => toMs(`${toLocal(ms).slice(0, 10)}T0${MORNING}:00`);
  const today = morning(now);
  return today !== null && today > now ? today : morning(now + 24 * HOUR);
};
