import { type Grant, renewalAt } from './messages.ts';

/** A tab that was asleep may have missed its time: the shortest a timer waits. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

export interface HeldGrant {
  readonly now: () => Grant | null;
  readonly take: (grant: Grant) => void;
  readonly drop: () => void;
  readonly stopTimer: () => void;
}

/** The grant that a tab has; `renew` is called with its token before it ends. */
export function openHeldGrant(now: () => number, renew: (token: string) => unknown): HeldGrant {
  let grant: Grant | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const stopTimer = (): void => clearTimeout(timer);
  return {
    now: () => grant,
    take(next) {
      stopTimer();
      grant = next;
      if (!next.renews) return;
      const wait = Math.min(LONGEST_TIMER_MS, renewalAt(now(), next) - now());
      timer = setTimeout(() => renew(next.token), wait);
    },
    drop() {
      stopTimer();
      grant = null;
    },
    stopTimer,
  };
}
