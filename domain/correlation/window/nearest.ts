import type { Arrival } from '#domain/correlation/records.ts';
import { firstAt, firstKept, type Partners } from './partners.ts';

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
