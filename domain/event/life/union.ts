import type { Event } from '#domain/event/event.ts';
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
