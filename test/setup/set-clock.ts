import type { Clock } from '#domain/ports/clock.ts';
import type { Ids } from '#domain/ports/ids.ts';
import { idsFrom } from '#infra/system/crypto.ts';

/** A clock that stands until it is moved. How long something takes is measured as ever. */
export interface SetClock extends Clock {
  set(at: number): void;
  advance(ms: number): void;
}

export function setClock(at: number): SetClock {
  let now = at;
  return {
    now: () => now,
    steady: () => performance.now(),
    set: (to) => {
      now = to;
    },
    advance: (ms) => {
      now += ms;
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
