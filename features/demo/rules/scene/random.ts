import { itemAt } from '#domain/assert.ts';

/** Numbers that are the same for the same seed; a fork has a sequence of its own, so that one part of a story can change without the others. */
export interface Random {
  /** 0 to 1, 1 excluded. */
  next(): number;
  between(min: number, max: number): number;
  /** Whole, both ends included. */
  whole(min: number, max: number): number;
  chance(probability: number): boolean;
  pick<T>(list: readonly T[]): T;
  /** Returns at most `count` different ones, in the order of the list. */
  some<T>(list: readonly T[], count: number): T[];
  /** Returns the gap to the next of independent events with the mean distance `mean`. */
  gap(mean: number): number;
  fork(label: string): Random;
}

/** FNV-1a, 32 bits. */
const hashOf = (text: string): number => {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return hash >>> 0;
};

/** mulberry32 (Tommy Ettinger): 32 bits of state, good enough for a story. */
const mulberry32 = (seed: number): (() => number) => {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 0x1_0000_0000;
  };
};

export const seeded = (seed: number | string): Random => {
  const next = mulberry32(hashOf(String(seed)));
  const whole = (min: number, max: number): number => min + Math.floor(next() * (max - min + 1));
  return {
    next,
    whole,
    between: (min, max) => min + next() * (max - min),
    chance: (probability) => next() < probability,
    pick(list) {
      if (list.length === 0) throw new RangeError('nothing to pick from');
      return itemAt(list, whole(0, list.length - 1));
    },
    some(list, count) {
      const ranked = list.map((item, at) => ({ item, at, rank: next() })).sort((a, b) => a.rank - b.rank);
      return ranked
        .slice(0, count)
        .sort((a, b) => a.at - b.at)
        .map(({ item }) => item);
    },
    gap: (mean) => -Math.log(1 - next()) * mean,
    fork: (label) => seeded(`${seed}/${label}`),
  };
};
