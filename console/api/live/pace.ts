/**
 * When to read after changes: the first at once, those after it not more often than the server is asked for by a quiet reader. As long
 * as changes keep coming, the time between two reads grows.
 */
interface Pace {
  /**
   * Something changed at `now`; ms until it should be read, or null when a read is planned already. `isStorm`: it was more than can be
   * told one by one.
   */
  readonly changed: (now: number, isStorm?: boolean) => number | null;
  /** The planned read begins. */
  readonly reads: (now: number) => void;
}

const SHORTEST_MS = 500;
const LONGEST_MS = 3_000;

export function openPace(shortestMs = SHORTEST_MS, longestMs = LONGEST_MS): Pace {
  let last = Number.NEGATIVE_INFINITY;
  let gap = shortestMs;
  let isPlanned = false;
  return {
    changed(now, isStorm = false) {
      if (isPlanned) return null;
      isPlanned = true;
      // After a pause the next change is shown at once again.
      if (now - last > 2 * longestMs) gap = shortestMs;
      else if (isStorm) gap = longestMs;
      return Math.max(0, last + gap - now);
    },
    reads(now) {
      isPlanned = false;
      if (now - last <= 2 * longestMs) gap = Math.min(longestMs, gap * 1.5);
      last = now;
    },
  };
}
