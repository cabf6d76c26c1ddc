import { firstItem, itemAt } from '#domain/assert.ts';
import type { Event } from '#domain/event/event.ts';

/** Minimum number of starts of one problem within the window that count as flapping. */
export const FLAPS = 4;
export const FLAP_WINDOW_MS = 24 * 3_600_000;

type Beginning = Pick<Event, 'signature' | 'firstOccurrence' | 'history'>;

const ENDED: ReadonlySet<string> = new Set(['resolved', 'suppressed']);

/** Start times of the problem: the first, and each return after an end. */
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

/** Returns problems that start and end repeatedly, most frequent first; events arrive newest first. */
export const flappingOf = <E extends Beginning>(events: readonly E[]): Flapping<E>[] =>
  [...Map.groupBy(events, ({ signature }) => signature).values()]
    .map((same) => ({ newest: firstItem(same), times: mostWithin(same.flatMap(beginningsOf)) }))
    .filter(({ times }) => times >= FLAPS)
    .sort((a, b) => b.times - a.times);
