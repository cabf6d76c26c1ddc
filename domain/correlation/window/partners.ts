import type { Arrival } from '#domain/correlation/records.ts';

/** Which partners under one key are taken. Distances in ms. */
interface Wanted {
  readonly arrival: Arrival;
  /** Inclusive: a partner at exactly this distance is inside the window. */
  readonly windowMs: number;
  readonly limit: number;
  /** At most so many of one CI. */
  readonly perCi: number;
  /** Entries that are no partners any more. */
  readonly isGone: (partner: Arrival) => boolean;
}

/**
 * The order of nearness: by distance, earlier ones before later ones, and of one moment the one that is next in
 * order of ids, so that the choice depends on the two events alone.
 */
export function byNearness(arrival: Arrival): (a: Arrival, b: Arrival) => number {
  const { time } = arrival;
  return (a, b) => {
    const difference = Math.abs(a.time - time) - Math.abs(b.time - time);
    if (difference !== 0) return difference;
    if (a.time !== b.time) return a.time - b.time;
    const ascending = a.eventId < b.eventId ? -1 : 1;
    return a.time < time ? -ascending : ascending;
  };
}

/** Adds the nearest partners to `taken` and says how many inside the window the bounds cut off. */
export function takeNearest(partners: Partners, wanted: Wanted, taken: Arrival[]): number {
  const { arrival, windowMs, limit, perCi, isGone } = wanted;
  const { time } = arrival;
  const first = firstKept(partners);
  let right = Math.max(first, firstAt(partners, time));
  let left = right - 1;
  let room = limit;
  let cut = 0;
  const ofCi = perCi < limit && partners.length - first > perCi ? new Map<string | null, number>() : null;
  while (room > 0) {
    const before = left >= first ? (partners[left] as Arrival) : null;
    const after = right < partners.length ? (partners[right] as Arrival) : null;
    const gapBefore = before === null ? Number.POSITIVE_INFINITY : time - before.time;
    const gapAfter = after === null ? Number.POSITIVE_INFINITY : after.time - time;
    const partner = gapBefore <= gapAfter ? before : after;
    if (partner === null || Math.min(gapBefore, gapAfter) > windowMs) return cut;
    if (partner === before) left--;
    else right++;
    if (partner.eventId === arrival.eventId || isGone(partner)) continue;
    const alike = ofCi?.get(partner.ciId) ?? 0;
    if (alike >= perCi) {
      cut++;
      continue;
    }
    ofCi?.set(partner.ciId, alike + 1);
    room--;
    if (!taken.includes(partner)) taken.push(partner);
  }
  const inside = firstAt(partners, time + windowMs + 1) - Math.max(first, firstAt(partners, time - windowMs));
  return cut + inside - (right - left - 1);
}

/** The newest in time that are looked at under one key; older ones are no candidates in a storm. */
export const KEPT_PER_KEY = 512;

/** Partners under one key, by event time, then by event id: the same list in whatever order they came. */
export type Partners = Arrival[];

/** First index whose time is at or after `time`. */
function firstAt(partners: Partners, time: number): number {
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
const firstKept = (partners: Partners): number => Math.max(0, partners.length - KEPT_PER_KEY);

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
