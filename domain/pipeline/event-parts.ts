import { firstItem, lastItem } from '#domain/known.ts';
import type { EventPart } from './processor.ts';

const PARTS: readonly EventPart[] = ['created', 'tally', 'state', 'said', 'assigned'];
/** Every combination once, so that a batch makes no set for each event. The place of a set has one bit for each part. */
const SETS: readonly ReadonlySet<EventPart>[] = Array.from(
  { length: 2 ** PARTS.length },
  (_, place) => new Set(PARTS.filter((_, bit) => (place & (1 << bit)) !== 0)),
);
const PLACES: ReadonlyMap<ReadonlySet<EventPart>, number> = new Map(SETS.map((set, place) => [set, place]));

export const NO_PARTS = firstItem(SETS);
export const EVERY_PART = lastItem(SETS);

/** The shared set with one part more; `parts` is such a set. */
export const withPart = (parts: ReadonlySet<EventPart>, part: EventPart): ReadonlySet<EventPart> =>
  parts.has(part) ? parts : SETS[PLACES.get(parts)! | (1 << PARTS.indexOf(part))]!;
