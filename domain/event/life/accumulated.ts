import type { Event, Seen } from '#domain/event/event.ts';
import type { Occurrence } from '#domain/event/incoming.ts';
import { jsonSize, MAX_JSON_BYTES } from '#domain/json-size.ts';

export const MAX_TAGS = 100;
/** The first sourceId and the newest 19 others. */
const MAX_SOURCE_IDS = 20;
/** Names in `details` that an event gathers over its occurrences; beyond, the oldest give way. */
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
/** Tag of an event whose condition comes and goes. */
const FLAPPING = 'flapping';
/** Returns within an hour of the end, from which on a condition is told to flap. */
const FLAPS_FROM = 2;

/** Tags that no sender gives. */
export const ownTags = ({ returns = 0 }: Pick<Event, 'returns'>, skewed: boolean): readonly string[] => {
  if (!skewed && returns < FLAPS_FROM) return NO_TAGS;
  return [...(skewed ? [CLOCK_SKEW] : []), ...(returns < FLAPS_FROM ? [] : [FLAPPING])];
};
const NO_TAGS: readonly string[] = [];

type Details = Event['details'];

const isText = (value: unknown): value is string => typeof value === 'string';

/** How a sourceId is written down in `details.sourceIds`; one of another source is told apart by that source's name. */
const writtenAs = (event: Pick<Event, 'source'>, source: string, sourceId: string): string =>
  source === event.source ? sourceId : `${source}#${sourceId}`;

/** The sourceIds that feed an event, the first one first. */
export const sourceIdsOf = (event: Pick<Event, 'sourceId' | 'details'>): readonly string[] => {
  const ids = event.details.sourceIds;
  return Array.isArray(ids) && ids.every(isText) && ids.length > 0 ? ids : [event.sourceId];
};

/** Whether the event counts this sourceId of this source among those that feed it. */
export const isFedBy = (
  event: Pick<Event, 'source' | 'sourceId' | 'details'>,
  source: string,
  sourceId: string,
): boolean => sourceIdsOf(event).includes(writtenAs(event, source, sourceId));

/** sourceIds after one more occurrence: the first stays, the newest goes last. The same array when that changes nothing. */
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

/** No JSON of it is longer, told without making any; infinite where a look would cost as much. */
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
 * Keeps an event from growing with every new name a sender thinks of, in number and in bytes: what the newest occurrence said stays,
 * and of all else what came last.
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
