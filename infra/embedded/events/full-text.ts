import type { Event } from '#domain/event/event.ts';

const NUMBERS = /\d+/g;

/** True when search must learn the new description: readings that differ in numbers alone are not worth an index update. */
export const wordsDiffer = (before: Event, after: Event): boolean =>
  before.description !== after.description &&
  before.description?.replace(NUMBERS, '0') !== after.description?.replace(NUMBERS, '0');
