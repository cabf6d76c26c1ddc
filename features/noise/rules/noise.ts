import type { Event } from '#domain/event/event.ts';
import { isTouched } from '#domain/event/lifecycle/touched.ts';

/** Shares of the newest events of a check. */
export interface CheckSample {
  readonly sampled: number;
  /** Events within an hour after the end of their condition. */
  readonly flaps: number;
  /** Events without any action of a user. */
  readonly untouched: number;
}

/** Events of a week. */
export interface NoiseTotals {
  readonly events: number;
  readonly grouped: number;
  readonly acknowledged: number;
}
/** One problem as one source reports it. */
export interface NoisyCheck extends CheckSample {
  readonly signature: string;
  readonly newest: Event;
  /** Events by week, oldest first; the last is the current one. */
  readonly weeks: readonly number[];
  /** Groups of the current week with such an event. */
  readonly groups: number;
}
export interface Noise {
  /** Start of the current week, and its end: ms. */
  readonly from: number;
  readonly to: number;
  readonly now: NoiseTotals;
  readonly before: NoiseTotals;
  /** Those with most events in the current week. */
  readonly checks: readonly NoisyCheck[];
}

export const sampleOf = (events: readonly Event[]): CheckSample => ({
  sampled: events.length,
  flaps: events.filter(({ returns = 0 }) => returns > 0).length,
  untouched: events.filter((event) => !isTouched(event)).length,
});
