import type { Event } from './event.ts';

/**
 * Functions over some fields of events, generated once at start. A loop over names needs 600 ns for a comparison, this
 * 20 ns. Names are read from `domain/event/fields.ts` alone.
 */

type Names = readonly (keyof Event)[];

/** Compares by identity: an unchanged value is the same object. */
export const sameFields = (names: Names): ((a: Event, b: Event) => boolean) =>
  new Function('a', 'b', `return ${names.map((name) => `a.${name} === b.${name}`).join(' && ')};`) as never;

export const pickFields = <Name extends keyof Event>(names: readonly Name[]): ((event: Event) => Pick<Event, Name>) =>
  new Function('event', `return { ${names.map((name) => `${name}: event.${name}`).join(', ')} };`) as never;

const copied = (name: string): string =>
  `if (from.${name} !== to.${name}) { if (from.${name} === undefined) delete to.${name}; else to.${name} = from.${name}; }`;

export const copyFields = (names: Names): ((to: Event, from: Event) => void) =>
  new Function('to', 'from', names.map(copied).join('\n')) as never;
