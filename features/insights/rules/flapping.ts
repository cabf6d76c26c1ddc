import type { Event } from '#domain/event/event.ts';
import { firstItem, itemAt } from '#domain/known.ts';

/** So many beginnings of one complaint within the window are flapping. */
export const FLAPS = 4;
export const FLAP_WINDOW_MS = 24 * 3_600_000;

type Beginning = Pick<Event, 'signature' | 'firstOccurrence' | 'history'>;

const ENDED: ReadonlySet<string> = new Set(['resolved', 'suppressed']);

/** Times at which the problem began: first, and each time that it came back after an end. */
const beginningsOf = ({ firstOccurrence, history }: Beginning): number[] => [
  firstOccurrence,
  ...history.filter(({ from, to }) => from !== null && ENDED.has(from) && !ENDED.has(to)).map(({ at }) => at),
];

/** The most beginnings within any window of one day. */
function mostWithin(times: readonly number[]): number {
  const sorted = [...times].sort((a, b) => a - b);
  let most = 0;
  let from = 0;
  for (let to = 0; to < sorted.length; to++) {
    while (itemAt(sorted, to) - itemAt(sorted, from) >= FLAP_WINDOW_MS) from += 1;
    most = Math.max(most, to - from + 1);
  }
  return most;
}

export interface Flapping<E> {
  /** The newest event of the complaint. */
  readonly newest: E;
  /** Beginnings within one day. */
  readonly times: number;
}

/** Complaints that begin and end again and again, the worst first; events come newest first. */
export const flappingOf = <E extends Beginning>(events: readonly E[]): Flapping<E>[] =>
  [...Map.groupBy(events, ({ signature }) => signature).values()]
    .map((same) => ({ newest: firstItem(same), times: mostWithin(same.flatMap(beginningsOf)) }))
    .filter(({ times }) => times >= FLAPS)
    .sort((a, b) => b.times - a.times);
