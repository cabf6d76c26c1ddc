import type { Local } from '#console/hooks/use-local.ts';
import { windowsBetween } from '#domain/event/silences/recurrence.ts';
import type { SilenceData } from './api.ts';

const DAY_MS = 24 * 3_600_000;
/** A silence of more windows in a fortnight has windows of less than two hours each. */
const MAX_WINDOWS = 200;
const CALENDAR_DAYS = 14;

export interface SilenceBar {
  readonly from: number;
  readonly to: number;
  /** Shares of the width. */
  readonly left: number;
  readonly width: number;
}
export interface SilenceDay {
  readonly at: number;
  readonly left: number;
  readonly width: number;
}

/** Returns the starts of the days and of the day after the last, ms. Days of a change of clocks are longer or shorter. */
export const calendarEdges = (now: number, { toLocal, toMs }: Local): readonly number[] => {
  const today = Date.parse(`${toLocal(now).slice(0, 10)}T00:00Z`);
  return Array.from({ length: CALENDAR_DAYS + 1 }, (_, day) => {
    const date = new Date(today + day * DAY_MS).toISOString().slice(0, 10);
    return toMs(`${date}T00:00`) ?? today + day * DAY_MS;
  });
};

const rangeOf = (edges: readonly number[]): readonly [from: number, to: number] => [edges[0] ?? 0, edges.at(-1) ?? 0];

export const calendarDays = (edges: readonly number[]): readonly SilenceDay[] => {
  const [from, to] = rangeOf(edges);
  return edges
    .slice(0, -1)
    .map((at, n) => ({ at, left: (at - from) / (to - from), width: ((edges[n + 1] ?? to) - at) / (to - from) }));
};

export const barsOf = (
  { startsAt, endsAt, recurrence }: Pick<SilenceData, 'startsAt' | 'endsAt' | 'recurrence'>,
  edges: readonly number[],
): readonly SilenceBar[] => {
  const [from, to] = rangeOf(edges);
  const held = { startsAt: Date.parse(startsAt), endsAt: Date.parse(endsAt), recurrence };
  return windowsBetween(held, from, to, MAX_WINDOWS).map((window) => ({
    ...window,
    left: (window.from - from) / (to - from),
    width: (window.to - window.from) / (to - from),
  }));
};
