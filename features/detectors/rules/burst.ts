import type { Event } from '#domain/event/event.ts';
import { clockTime } from '#features/ai/rules/findings.ts';
import { middle } from '#features/detectors/rules/forecast/forecast.ts';
import { confident, type Finding, quotedTitle } from './finding.ts';

/** An hour with so many events, and so many times as many as usual, is a burst. */
const LEAST_EVENTS = 20;
const TIMES_USUAL = 5;
/** Hours to compare with. */
const LEAST_HOURS = 72;
const MOST = 3;

/** Events that began within an hour. */
export interface HourSeen {
  /** Its begin, ms. */
  readonly at: number;
  readonly count: number;
}
export interface Burst extends HourSeen {
  /** The middle of the hours it is compared with. */
  readonly usual: number;
  readonly compared: number;
}

const DAY_MS = 86_400_000;

/** The hours of the range that stand out, the highest first, one a day; `hours` reach back before it. */
export function burstsOf(hours: readonly HourSeen[], from: number): Burst[] {
  const found: Burst[] = [];
  for (const hour of hours.filter(({ at }) => at >= from).sort((a, b) => b.count - a.count || a.at - b.at)) {
    if (hour.count < LEAST_EVENTS || found.length === MOST) break;
    if (found.some(({ at }) => Math.abs(at - hour.at) < DAY_MS)) continue;
    const others = hours.filter(({ at }) => Math.abs(at - hour.at) >= DAY_MS).map(({ count }) => count);
    const usual = middle(others);
    const isHighest = others.filter((count) => count >= hour.count).length <= others.length / 100;
    if (others.length >= LEAST_HOURS && hour.count >= TIMES_USUAL * Math.max(1, usual) && isHighest)
      found.push({ ...hour, usual, compared: others.length });
  }
  return found;
}

/** The most frequent complaint of the hour; null where it is unknown. */
export interface BurstTop {
  readonly newest: Event;
  readonly count: number;
}

const HOUR_MS = 3_600_000;
const hrefOf = (at: number): string =>
  `/v1/events?${new URLSearchParams({ from: new Date(at).toISOString(), to: new Date(at + HOUR_MS).toISOString() })}`;

/** Far more events than usual within an hour. */
export const burstFinding = ({ at, count, usual, compared }: Burst, top: BurstTop | null): Finding => ({
  kind: 'burst',
  subject: String(at),
  severity: 'major',
  title: `${count} events within an hour`,
  detail:
    `${count} events began in the hour from ${clockTime(at)}, against ${Math.round(usual)} in the middle of ${compared} other hours.` +
    (top === null ? '' : ` Most of them, ${top.count}: ${quotedTitle(top.newest.title)}.`),
  recommendation:
    'See whether one fault explains them: look at the largest group of that hour, then at what changed before.',
  metric: {
    name: 'times the usual',
    value: Math.round((10 * count) / Math.max(1, usual)) / 10,
    unit: 'ratio',
    threshold: TIMES_USUAL,
  },
  confidence: confident(1 - 1 / Math.sqrt(count)),
  ciIds: top?.newest.ci ? [top.newest.ci.id] : [],
  cite: (findings) => [
    findings.add({
      kind: 'query',
      id: `events-of-hour-${at}`,
      label: `Events from ${clockTime(at)}`,
      href: hrefOf(at),
      facts: [
        { name: 'events', value: count },
        { name: 'usual', value: Math.round(usual) },
        { name: 'hours compared', value: compared },
        { name: 'from', value: clockTime(at) },
      ],
    }),
    ...(top === null ? [] : [findings.event(top.newest, [{ name: 'events of the hour', value: top.count }])]),
  ],
});
