import type { Clock } from '#domain/ports/clock.ts';
import type { Ids } from '#domain/ports/ids.ts';
import { idsFrom } from '#infra/system/crypto.ts';
import { systemClock } from '#infra/system/time.ts';

/** A clock that stands until it is moved. Durations are measured normally, and elapsed time is part of it. */
export interface SetClock extends Clock {
  /** Sets the clock, like a user or NTP. */
  set(at: number): void;
  /** Lets time pass. */
  advance(ms: number): void;
}

export function setClock(at: number): SetClock {
  let now = at;
  let passed = 0;
  return {
    ...systemClock,
    now: () => now,
    steady: () => performance.now() + passed,
    set: (to) => {
      now = to;
    },
    advance: (ms) => {
      now += ms;
      passed += ms;
    },
  };
}

/** Bytes that are the same in every run (a linear congruential generator). */
export function seededBytes(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state >>> 24;
  };
}

/** Ids that are the same in every run, at the time of `clock`. */
export const seededIds = (clock: Clock, seed = 1): Ids => idsFrom(() => clock.now(), seededBytes(seed));
