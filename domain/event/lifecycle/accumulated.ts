import type { Event, Recency } from '#domain/event/event.ts';
import type { Occurrence } from '#domain/event/incoming.ts';
import { jsonSize, MAX_JSON_BYTES } from '#domain/json-size.ts';

export const MAX_TAGS = 100;
/** The first sourceId and the newest 19 others. */
const MAX_SOURCE_IDS = 20;
/** Maximum of names in `details` that an event accumulates over its occurrences; beyond, the oldest are removed. */
export const MAX_DETAILS = 256;

/** Tags of both, in order, without repeats and empty ones, at most 100. The first array when nothing is new. */
export const unitedTags = (tags: readonly string[], more: readonly string[]): readonly string[] => {
  let united: string[] | null = null;
  for (const tag of more) {
    const now: readonly string[] = united ?? tags;
    if (now.length >= MAX_TAGS) break;
    if (tag === '' || now.includes(tag)) continue;
    if (united === null) united = [...tags];
    united.push(tag);
  }
  return united ?? tags;
};

export const sameTags = (a: readonly string[], b: readonly string[]): boolean =>
  a === b || (a.length === b.length && a.every((tag, index) => tag === b[index]));

/** Tag of an event whose sender has a clock that cannot be believed. */
const CLOCK_SKEW = 'clock-skew';
/** Tag of an event whose condition repeatedly ends and returns. */
/** Tag of an event that flaps. */
export const FLAPPING = 'flapping';
/** Number of returns within an hour of the end from which a condition counts as flapping. */
const FLAPS_FROM = 2;

/** Returns tags that no sender sets. */
export const ownTags = ({ returns = 0 }: Pick<Event, 'returns'>, skewed: boolean): readonly string[] => {
  if (!skewed && returns < FLAPS_FROM) return NO_TAGS;
  return [...(skewed ? [CLOCK_SKEW] : []), ...(returns < FLAPS_FROM ? [] : [FLAPPING])];
};
const NO_TAGS: readonly string[] = [];

type Details = Event['details'];

const isText = (value: unknown): value is string => typeof value === 'string';

/** Returns the form of a sourceId in `details.sourceIds`; one of another source is prefixed with that source's name. */
const writtenAs = (event: Pick<Event, 'source'>, source: string, sourceId: string): string =>
  source === event.source ? sourceId : `${source}#${sourceId}`;

/** The sourceIds that feed an event, the first one first. */
export const sourceIdsOf = (event: Pick<Event, 'sourceId' | 'details'>): readonly string[] => {
  const ids = event.details.sourceIds;
  return Array.isArray(ids) && ids.every(isText) && ids.length > 0 ? ids : [event.sourceId];
};

/** True if the event counts this sourceId of this source among its sources. */
export const hasSource = (
  event: Pick<Event, 'source' | 'sourceId' | 'details'>,
  source: string,
  sourceId: string,
): boolean => sourceIdsOf(event).includes(writtenAs(event, source, sourceId));

/**
 * Returns sourceIds after one more occurrence: the first stays, the newest is last. The same array when that changes
 * nothing.
 */
const unitedSourceIds = (event: Event, { source, sourceId }: Occurrence): readonly string[] => {
  const ids = sourceIdsOf(event);
  const id = writtenAs(event, source, sourceId);
  if (id === ids[0] || id === ids[ids.length - 1]) return ids;
  const [first = event.sourceId, ...others] = ids;
  return [first, ...others.filter((other) => other !== id).slice(2 - MAX_SOURCE_IDS), id];
};

const sameValues = (details: Details, more: Details): boolean => {
  for (const key in more) if (key !== 'sourceIds' && details[key] !== more[key]) return false;
  return true;
};

/** Quotes, colon and comma; any number; a character as an escape. */
const MARKS = 4;
const NUMBER = 25;
const CHARACTER = 6;

/** Returns an upper bound of its JSON size without building it; infinite where the check would be as expensive. */
const mostBytes = (details: Details): number => {
  let bytes = 2;
  for (const name in details) {
    const value = details[name];
    bytes += MARKS + CHARACTER * name.length;
    if (isText(value)) bytes += 2 + CHARACTER * value.length;
    else bytes += typeof value === 'object' && value !== null ? Number.POSITIVE_INFINITY : NUMBER;
  }
  return bytes;
};

/**
 * Bounds the event in number and bytes of names, whatever senders add: the details of the newest occurrence stay, and
 * of all others the latest.
 */
const bounded = (details: Details, newest: Details): Details => {
  const names = Object.keys(details);
  const old = names.filter((name) => !(name in newest) && name !== 'sourceIds');
  if (old.length === 0) return details;
  let tooMany = names.length - MAX_DETAILS;
  let tooLong = mostBytes(details) <= MAX_JSON_BYTES ? 0 : jsonSize(details) - MAX_JSON_BYTES;
  if (tooMany <= 0 && tooLong <= 0) return details;
  const kept = { ...details };
  for (const name of old) {
    if (tooMany <= 0 && tooLong <= 0) break;
    tooMany -= 1;
    if (tooLong > 0) tooLong -= jsonSize({ [name]: kept[name] }) - 1;
    delete kept[name];
  }
  return kept;
};

/** Details overwritten by name, with the sourceIds so far. The same object when nothing changes. */
export const unitedDetails = (event: Event, occurrence: Occurrence): Details => {
  const ids = unitedSourceIds(event, occurrence);
  const fed = ids.length > 1 ? ids : undefined;
  if (fed === event.details.sourceIds && sameValues(event.details, occurrence.details)) return event.details;
  const details: Record<string, unknown> = { ...event.details, ...occurrence.details };
  if (fed !== undefined) details.sourceIds = fed;
  else if ('sourceIds' in details) delete details.sourceIds;
  return bounded(details, occurrence.details);
};

/**
 * A bin is 10 minutes of event time; a problem is recurring when it was present in at least 12 of the 24 bins before.
 */
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

/** Bits of `seen` relative to `bin`: bit i is `bin − i`. */
const asOf = (seen: Recency, bin: number): number => {
  const shift = bin - seen.bin;
  if (shift > SEEN_BINS || shift < -SEEN_BINS) return 0;
  return shift >= 0 ? (seen.bits * 2 ** shift) & KEPT : seen.bits >>> -shift;
};

/**
 * Returns `seen` with one more occurrence at `time`. Bins more than 24 before the newest are dropped; so is an older
 * late one.
 */
export const markSeen = (seen: Recency | null, time: number): Recency => {
  const bin = binOf(time);
  if (seen === null) return { bin, bits: 1 };
  if (bin > seen.bin) return { bin, bits: asOf(seen, bin) | 1 };
  const back = seen.bin - bin;
  const bit = back > SEEN_BINS ? 0 : 1 << back;
  return (seen.bits & bit) === bit ? seen : { bin: seen.bin, bits: seen.bits | bit };
};

/** True if an identity seen so was present most of the four hours before `time`; the current bin does not count. */
export const isRecurring = (seen: Recency | null, time: number): boolean =>
  seen !== null && popcount(asOf(seen, binOf(time)) & BEFORE) >= USUAL_BINS;

/**
 * Returns the number of the 24 bins before `time` with the identity, as known later: bins more than 24 before its
 * newest are forgotten. Null when fewer remain than a recurring problem needs.
 */
export const usualBins = (seen: Recency, time: number): { readonly bins: number; readonly isWhole: boolean } | null => {
  const bin = binOf(time);
  const bins = popcount(asOf(seen, bin) & BEFORE);
  return bins < USUAL_BINS ? null : { bins, isWhole: seen.bin <= bin };
};

/** Nothing of it can count any more for an occurrence at `bin` or later. */
export const isForgotten = (seen: Recency, bin: number): boolean => seen.bin < bin - SEEN_BINS;

/** Joins the memories of two records of one identity, relative to the newer one. */
export const unitedSeen = (a: Recency, b: Recency): Recency => {
  const bin = Math.max(a.bin, b.bin);
  return { bin, bits: asOf(a, bin) | asOf(b, bin) };
};
