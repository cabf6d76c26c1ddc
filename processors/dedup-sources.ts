import type { Event } from '#domain/event/event.ts';
import type { NumberMap } from '#domain/number-map.ts';

/** Open events without conditions by `source#sourceId`: the id of one, mostly; of several their ids in order, which is that of creation. */
export type SourceIndex = NumberMap<string | string[]>;

/** Events that a message may be about at most, so that a sender who gives everything one sourceId does not bring all of it into memory. */
export const MOST_FED = 100;

/** 53 bits of a text (cyrb53, public domain): a number takes a quarter of the memory; the event that is found by it settles doubts. */
export const keyOf = (text: string): number => {
  let h1 = 0xdeadbeef;
  let h2 = 0x41c6ce57;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    h1 = Math.imul(h1 ^ code, 2654435761);
    h2 = Math.imul(h2 ^ code, 1597334677);
  }
  h1 = Math.imul(h1 ^ (h1 >>> 16), 2246822507) ^ Math.imul(h2 ^ (h2 >>> 13), 3266489909);
  h2 = Math.imul(h2 ^ (h2 >>> 16), 2246822507) ^ Math.imul(h1 ^ (h1 >>> 13), 3266489909);
  return 4294967296 * (2097151 & h2) + (h1 >>> 0);
};

const sourceKey = (source: string, sourceId: string): number => keyOf(`${source}#${sourceId}`);

/** Keys of one entry of `details.sourceIds`; with a `#` it may name another source. */
export const keysOf = (event: Pick<Event, 'source'>, id: string): readonly number[] =>
  id.includes('#') ? [sourceKey(event.source, id), keyOf(id)] : [sourceKey(event.source, id)];

/** Where the id stands among ids in order, or belongs. */
const placeOf = (ids: readonly string[], id: string): number => {
  let from = 0;
  let to = ids.length;
  while (from < to) {
    const middle = (from + to) >>> 1;
    if (ids[middle]! < id) from = middle + 1;
    else to = middle;
  }
  return from;
};

const add = (index: SourceIndex, key: number, id: string): void => {
  const held = index.get(key);
  if (held === undefined) index.set(key, id);
  else if (typeof held === 'string') {
    if (held !== id) index.set(key, held < id ? [held, id] : [id, held]);
  } else {
    const place = placeOf(held, id);
    if (held[place] !== id) held.splice(place, 0, id);
  }
};

const remove = (index: SourceIndex, key: number, id: string): void => {
  const held = index.get(key);
  if (held === id) index.delete(key);
  if (!Array.isArray(held)) return;
  const place = placeOf(held, id);
  if (held[place] === id) held.splice(place, 1);
  if (held.length === 1) index.set(key, held[0]!);
};

export const indexSource = (index: SourceIndex, event: Pick<Event, 'id' | 'source'>, id: string): void => {
  for (const key of keysOf(event, id)) add(index, key, event.id);
};
export const dropSource = (index: SourceIndex, event: Event, id: string): void => {
  for (const key of keysOf(event, id)) remove(index, key, event.id);
};

/** `id`: `source#sourceId`, a condition of plain ingest. */
export const indexPlain = (index: SourceIndex, eventId: string, id: string): void => add(index, keyOf(id), eventId);
export const dropPlain = (index: SourceIndex, eventId: string, id: string): void => remove(index, keyOf(id), eventId);

/** The newest `most` events that a condition of plain ingest feeds, the newest last. */
export const fedByPlain = (index: SourceIndex, id: string, most: number): readonly string[] => {
  const held = index.get(keyOf(id)) ?? NOTHING;
  if (typeof held === 'string') return [held];
  return held.length > most ? held.slice(-most) : held;
};
const NOTHING: readonly string[] = [];

/** The newest `MOST_FED` events that a sourceId feeds, the newest last. */
export const fedBy = (index: SourceIndex, source: string, sourceId: string): readonly string[] => {
  const held = index.get(sourceKey(source, sourceId)) ?? [];
  return typeof held === 'string' ? [held] : held.slice(-MOST_FED);
};
