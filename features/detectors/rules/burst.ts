import type { Event } from '#domain/event/event.ts';
import { clockTime } from '#features/ai/rules/findings.ts';
import { middle } from '#features/ai/rules/forecast/forecast.ts';
import { confident, type Finding, quotedTitle } from './finding.ts';

/** An hour with this number of events, and this multiple of the usual number, is a burst. */
const MIN_EVENTS = 20;
const TIMES_USUAL = 5;
/** Hours to compare with. */
const MIN_HOURS = 72;
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

/** Returns the outstanding hours of the range, the highest first, one a day; `hours` reach back before it. */
export function burstsOf(hours: readonly HourSeen[], from: number): Burst[] {
  const found: Burst[] = [];
  for (const hour of hours.filter(({ at }) => at >= from).sort((a, b) => b.count - a.count || a.at - b.at)) {
    if (hour.count < MIN_EVENTS || found.length === MOST) break;
    if (found.some(({ at }) => Math.abs(at - hour.at) < DAY_MS)) continue;
    const others = hours.filter(({ at }) => Math.abs(at - hour.at) >= DAY_MS).map(({ count }) => count);
    const usual = middle(others);
    const isHighest = others.filter((count) => count >= hour.count).length <= others.length / 100;
    if (others.length >= MIN_HOURS && hour.count >= TIMES_USUAL * Math.max(1, usual) && isHighest)
      found.push({ ...hour, usual, compared: others.length });
  }
  return found;
}

/** The most frequent problem of the hour; null where it is unknown. */
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
    `${count} events started in the hour from ${clockTime(at)}; the median of ${compared} other hours is ${Math.round(usual)}.` +
    (top === null ? '' : ` Most frequent (${top.count}): ${quotedTitle(top.newest.title)}.`),
  recommendation: 'Check for a common root cause: start with the largest group of that hour, then recent changes.',
  metric: {
    name: 'ratio to median',
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
