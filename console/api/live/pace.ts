/**
 * Schedules reads after changes: the first at once, later ones not more often than a quiet reader polls. As long as
 * changes continue, the time between two reads grows.
 */
interface Pace {
  /**
   * Returns ms until a change at `now` should be read, or null when a read is planned already. `isStorm`: there were
   * too many changes to list.
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
      // The next change after a pause is shown at once again.
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
