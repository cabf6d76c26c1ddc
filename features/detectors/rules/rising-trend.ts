import type { Event } from '#domain/event/event.ts';
import { chanceOf } from '#domain/statistics/rate-test.ts';
import { counted } from '#features/ai/rules/findings.ts';
import { confident, type Finding, quotedTitle } from './finding.ts';

/** Chance of any such rise by accident, over all that are compared. */
const BY_ACCIDENT = 0.05;
const MIN_EVENTS = 20;
const MIN_RATIO = 1.5;

export interface TrendSeen {
  /** Null: of all events together. */
  readonly signature: string | null;
  /** The newest event of the signature. */
  readonly newest: Event | null;
  /** Events of the range, and of the equal time before it. */
  readonly now: number;
  readonly before: number;
  /** Prediction for the current day, from the days before, where possible. */
  readonly expected: { readonly value: number; readonly low: number; readonly high: number } | null;
}

/** Finds clearly more than in the equal time before; problems without earlier events are new, not rising. */
export const detectRisingTrends = (seen: readonly TrendSeen[], href: string): Finding[] =>
  seen
    .filter(({ now, before }) => before > 0 && now >= MIN_EVENTS && now >= MIN_RATIO * before)
    .map((one) => ({ ...one, chance: chanceOf(one.before, one.now) }))
    .filter(({ chance }) => chance * seen.length < BY_ACCIDENT)
    .map(({ signature, newest, now, before, expected, chance }) => {
      const what = newest === null ? 'Events' : quotedTitle(newest.title);
      const ratio = Math.round((10 * now) / before) / 10;
      const next =
        expected === null
          ? ''
          : ` Forecast for today: ${Math.round(expected.value)} (80% interval ${Math.floor(expected.low)}–${Math.ceil(expected.high)}).`;
      return {
        kind: 'rising-trend',
        subject: signature ?? 'all',
        severity: newest === null ? 'major' : 'minor',
        title: `${what}: ${ratio}× the previous period`,
        detail: `${counted(now, 'event')} vs. ${before} in the previous period (p < ${BY_ACCIDENT}).${next}`,
        recommendation: 'Check for growth or wear before it causes a failure: load, disks, queues, leaks.',
        metric: { name: 'ratio to previous period', value: ratio, unit: 'ratio', threshold: MIN_RATIO },
        confidence: confident(1 - chance * seen.length),
        ciIds: newest?.ci ? [newest.ci.id] : [],
        cite: (findings) => {
          const facts = [
            { name: 'events', value: now },
            { name: 'events before', value: before },
            { name: 'ratio to previous period', value: ratio },
          ];
          return newest === null
            ? [findings.add({ kind: 'query', id: 'events-of-range', label: 'Events in the range', facts, href })]
            : [findings.event(newest, facts)];
        },
      } satisfies Finding;
    });
