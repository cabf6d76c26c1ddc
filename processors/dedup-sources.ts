import type { Event } from '#domain/event/event.ts';
import type { NumberMap } from '#domain/number-map.ts';

/** Ids of events without conditions by `source#sourceId`. */
export type SourceIndex = NumberMap<string>;

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

export const sourceKey = (source: string, sourceId: string): number => keyOf(`${source}#${sourceId}`);

/** Keys of one entry of `details.sourceIds`; with a `#` it may name another source. */
export const keysOf = (event: Pick<Event, 'source'>, id: string): readonly number[] =>
  id.includes('#') ? [sourceKey(event.source, id), keyOf(id)] : [sourceKey(event.source, id)];

export const indexSource = (index: SourceIndex, event: Pick<Event, 'id' | 'source'>, id: string): void => {
  for (const key of keysOf(event, id)) index.set(key, event.id);
};
export const dropSource = (index: SourceIndex, event: Event, id: string): void => {
  for (const key of keysOf(event, id)) if (index.get(key) === event.id) index.delete(key);
};
