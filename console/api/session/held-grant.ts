import { type Board, type Grant, renewalAt } from './messages.ts';

/** A tab that was asleep may have missed its time: the shortest a timer waits. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

export interface HeldGrant {
  readonly now: () => Grant | null;
  /** Number of the newest grant that this tab has had, also when it has none now. */
  readonly newest: () => number;
  /** Resolves when other tabs can see that this one has it. */
  readonly take: (grant: Grant) => Promise<void>;
  /** Until a grant of this number or a later one is here, or the time is over. */
  readonly arrived: (generation: number, longestMs: number) => Promise<void>;
  readonly drop: () => void;
  readonly stopTimer: () => void;
}

/** The grant that a tab has; `renew` is called with its token before it ends. */
export function openHeldGrant(now: () => number, board: Board, renew: (token: string) => unknown): HeldGrant {
  let grant: Grant | null = null;
  let newest = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const waiting = new Set<() => void>();
  const stopTimer = (): void => clearTimeout(timer);
  return {
    now: () => grant,
    newest: () => newest,
    async take(next) {
      stopTimer();
      grant = next;
      if (!next.renews) return board.show(null);
      newest = Math.max(newest, next.generation);
      const wait = Math.min(LONGEST_TIMER_MS, renewalAt(now(), next) - now());
      timer = setTimeout(() => renew(next.token), wait);
      for (const look of waiting) look();
      await board.show(next.generation);
    },
    arrived: (generation, longestMs) =>
      new Promise((resolve) => {
        const end = (): void => {
          clearTimeout(late);
          waiting.delete(look);
          resolve();
        };
        const look = (): void => {
          if (newest >= generation) end();
        };
        const late = setTimeout(end, longestMs);
        waiting.add(look);
        look();
      }),
    drop() {
      stopTimer();
      grant = null;
      void board.show(null);
    },
    stopTimer,
  };
}
