import type { Arrival } from '#domain/correlation/records.ts';

/** The newest in time that are looked at under one key; older ones are no candidates in a storm. */
export const KEPT_PER_KEY = 512;

/** Partners under one key, by event time, then by event id: the same list in whatever order they came. */
export type Partners = Arrival[];

/** First index whose time is at or after `time`. */
export function firstAt(partners: Partners, time: number): number {
  let low = 0;
  let high = partners.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((partners[middle] as Arrival).time < time) low = middle + 1;
    else high = middle;
  }
  return low;
}

const isBefore = (a: Arrival, b: Arrival): boolean => a.time < b.time || (a.time === b.time && a.eventId < b.eventId);

/** Where the arrival is or belongs. Most belong at the end, since events mostly come in order of time. */
function placeOf(partners: Partners, arrival: Arrival): number {
  let low = 0;
  let high = partners.length;
  if (high > 0 && isBefore(partners[high - 1] as Arrival, arrival)) return high;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (isBefore(partners[middle] as Arrival, arrival)) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The first that counts; what is before it only waits to be cut off. */
export const firstKept = (partners: Partners): number => Math.max(0, partners.length - KEPT_PER_KEY);

/** Puts an arrival in its place; one of the same event and time is replaced. Cuts in large steps, which is O(1) for each. */
export function insert(partners: Partners, arrival: Arrival): void {
  const at = placeOf(partners, arrival);
  const there = partners[at];
  if (there !== undefined && !isBefore(arrival, there)) partners[at] = arrival;
  else if (at === partners.length) partners.push(arrival);
  else partners.splice(at, 0, arrival);
  if (partners.length >= 2 * KEPT_PER_KEY) partners.splice(0, partners.length - KEPT_PER_KEY);
}

/** Takes this very arrival out, if it is still there. */
export function remove(partners: Partners, arrival: Arrival): void {
  const at = placeOf(partners, arrival);
  if (partners[at] !== arrival) return;
  if (at === 0) partners.shift();
  else partners.splice(at, 1);
}
