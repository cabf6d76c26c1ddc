import type { Seen } from '#domain/event/event.ts';

/** A bin is 10 minutes of event time; a complaint is usual when it was there in at least 12 of the 24 bins before. */
export const SEEN_BIN_MS = 600_000;
export const SEEN_BINS = 24;
const USUAL_BINS = 12;
/** The current bin and the 24 before it. */
const KEPT = (1 << (SEEN_BINS + 1)) - 1;
const BEFORE = KEPT - 1;

export const binOf = (time: number): number => Math.floor(time / SEEN_BIN_MS);

const popcount = (bits: number): number => {
  let left = bits;
  let count = 0;
  for (; left !== 0; left &= left - 1) count++;
  return count;
};

/** Bits of `seen` as they look from `bin`: bit i stands for `bin − i`. */
const asOf = (seen: Seen, bin: number): number => {
  const shift = bin - seen.bin;
  if (shift > SEEN_BINS || shift < -SEEN_BINS) return 0;
  return shift >= 0 ? (seen.bits * 2 ** shift) & KEPT : seen.bits >>> -shift;
};

/** `seen` with one more occurrence at `time`. What is more than 24 bins before the newest falls out; so does a later one that is older. */
export const markSeen = (seen: Seen | null, time: number): Seen => {
  const bin = binOf(time);
  if (seen === null) return { bin, bits: 1 };
  if (bin > seen.bin) return { bin, bits: asOf(seen, bin) | 1 };
  const back = seen.bin - bin;
  const bit = back > SEEN_BINS ? 0 : 1 << back;
  return (seen.bits & bit) === bit ? seen : { bin: seen.bin, bits: seen.bits | bit };
};

/** Whether an identity seen so was there most of the four hours before `time`; the current bin does not count. */
export const isUsual = (seen: Seen | null, time: number): boolean =>
  seen !== null && popcount(asOf(seen, binOf(time)) & BEFORE) >= USUAL_BINS;

/**
 * Of the 24 bins before `time` so many had the identity, as far as is known later: what is more than 24 bins before its newest bin is
 * forgotten. Null when that leaves fewer than it takes to be usual.
 */
export const usualBins = (seen: Seen, time: number): { readonly bins: number; readonly isWhole: boolean } | null => {
  const bin = binOf(time);
  const bins = popcount(asOf(seen, bin) & BEFORE);
  return bins < USUAL_BINS ? null : { bins, isWhole: seen.bin <= bin };
};

/** Nothing of it can count any more for an occurrence at `bin` or later. */
export const isForgotten = (seen: Seen, bin: number): boolean => seen.bin < bin - SEEN_BINS;

/** Joins the memories of two records of one identity, relative to the newer one. */
export const unitedSeen = (a: Seen, b: Seen): Seen => {
  const bin = Math.max(a.bin, b.bin);
  return { bin, bits: asOf(a, bin) | asOf(b, bin) };
};
