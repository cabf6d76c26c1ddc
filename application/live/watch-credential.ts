import { Fault } from '#domain/fault.ts';
import { LIVE_TOPICS } from '#domain/live/live-change.ts';
import type { Following } from './following.ts';

const CHECK_MS = 5_000;
/** Checks in a row without an answer, after which the credential counts as ended. */
const MOST_UNANSWERED = 6;
/** Longest time that a timer takes, ms. */
const MOST_TIMER_MS = 2 ** 31 - 1;

const isRefusal = (error: unknown): boolean =>
  error instanceof Fault && ['unauthenticated', 'tenant', 'forbidden'].includes(error.kind);

/** Calls `ended` once when the credential is no longer valid, or no longer allows one of the topics. The result ends the watch. */
export const watchCredential = (
  { caller, topics, recheck, ports: { clock }, checkMs = CHECK_MS }: Following,
  ended: () => void,
): (() => void) => {
  let unanswered = 0;
  let isChecking = false;
  const check = async (): Promise<void> => {
    isChecking = true;
    try {
      const { permissions } = await recheck();
      unanswered = 0;
      if (!topics.every((topic) => permissions.has(LIVE_TOPICS[topic].permission))) ended();
    } catch (error) {
      unanswered += 1;
      if (isRefusal(error) || unanswered >= MOST_UNANSWERED) ended();
    } finally {
      isChecking = false;
    }
  };
  const late = (): void => {
    unanswered += 1;
    if (unanswered >= MOST_UNANSWERED) ended();
  };
  const checks = setInterval(() => (isChecking ? late() : void check()), checkMs).unref();
  const left = (caller.expiresAt ?? Number.POSITIVE_INFINITY) - clock.now();
  const expiry = left <= MOST_TIMER_MS ? setTimeout(ended, Math.max(0, left)).unref() : undefined;
  return () => {
    clearInterval(checks);
    clearTimeout(expiry);
  };
};
