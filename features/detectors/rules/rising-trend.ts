import type { Event } from '#domain/event/event.ts';
import { chanceOf } from '#domain/statistics/rate-test.ts';
import { counted } from '#features/ai/rules/findings.ts';
import { confident, type Finding, quotedTitle } from './finding.ts';

/** Chance of any such rise by accident, over all that are compared. */
const BY_ACCIDENT = 0.05;
const LEAST_EVENTS = 20;
const LEAST_RATIO = 1.5;

export interface TrendSeen {
  /** Null: of all events together. */
  readonly signature: string | null;
  /** The newest event of the signature. */
  readonly newest: Event | null;
  /** Events of the range, and of the equal time before it. */
  readonly now: number;
  readonly before: number;
  /** Expected of the day that begins, from the days before, where that can be told. */
  readonly expected: { readonly value: number; readonly low: number; readonly high: number } | null;
}

/** Clearly more than in the equal time before; complaints that were not there then are new, not rising. */
export const detectRisingTrends = (seen: readonly TrendSeen[], href: string): Finding[] =>
  seen
    .filter(({ now, before }) => before > 0 && now >= LEAST_EVENTS && now >= LEAST_RATIO * before)
    .map((one) => ({ ...one, chance: chanceOf(one.before, one.now) }))
    .filter(({ chance }) => chance * seen.length < BY_ACCIDENT)
    .map(({ signature, newest, now, before, expected, chance }) => {
      const what = newest === null ? 'Events' : quotedTitle(newest.title);
      const ratio = Math.round((10 * now) / before) / 10;
      const next =
        expected === null
          ? ''
          : ` For today ${Math.round(expected.value)} are expected, in four of five cases ${Math.floor(expected.low)} to ${Math.ceil(expected.high)}.`;
      return {
        kind: 'rising-trend',
        subject: signature ?? 'all',
        severity: newest === null ? 'major' : 'minor',
        title: `${what} ${newest === null ? 'rise' : 'rises'}: ${ratio} times as many`,
        detail: `${counted(now, 'event')} against ${before} in the equal time before; chance explains this in less than ${BY_ACCIDENT * 100} % of cases.${next}`,
        recommendation: 'Find out what grows or wears out before it fails: load, disks, queues, a leak.',
        metric: { name: 'times as many', value: ratio, unit: 'ratio', threshold: LEAST_RATIO },
        confidence: confident(1 - chance * seen.length),
        ciIds: newest?.ci ? [newest.ci.id] : [],
        cite: (findings) => {
          const facts = [
            { name: 'events', value: now },
            { name: 'events before', value: before },
            { name: 'times as many', value: ratio },
          ];
          return newest === null
            ? [findings.add({ kind: 'query', id: 'events-of-range', label: 'Events of the range', facts, href })]
            : [findings.event(newest, facts)];
        },
      } satisfies Finding;
    });
