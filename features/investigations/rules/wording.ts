import type { Event } from '#domain/event/event.ts';
import { eventWords } from '#domain/event/event-words.ts';
import { durationText } from '#domain/numbers.ts';
import { clipped } from '#domain/text.ts';
import { enumeration } from '#features/ai/rules/findings.ts';
import type { HypothesisCi } from './investigation.ts';

/** Maximum number of names in a sentence. */
const NAMES = 8;

/** `“Link down” on sw-1`. */
export const namedEvent = (event: Event): string => eventWords({ ...event, title: clipped(event.title) });

export const namesOfCis = (cis: readonly Pick<HypothesisCi, 'name'>[]): string =>
  enumeration(
    cis.map(({ name }) => clipped(name)),
    NAMES,
  );

/** `12m before`, `at the same time as`, `3m after`. */
export const beside = (at: number, other: number): string => {
  const apart = other - at;
  if (Math.abs(apart) < 1_000) return 'at the same time as';
  return apart > 0 ? `${durationText(apart)} before` : `${durationText(-apart)} after`;
};
