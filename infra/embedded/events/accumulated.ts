import type { Event } from '#domain/event/event.ts';

/** The fields that occurrences accumulate besides times and counts. */
export type Accumulated = Pick<Event, 'description' | 'tags' | 'details' | 'conditions'>;
/** Format of the column `event.gathered`. */
type Written = readonly [string | null, Event['tags'], Event['details'], Event['conditions']];
/** Format of the column `tally.latest`: newer details to merge over the accumulated ones, and a newer description. */
type Latest = readonly [Event['details'], string?];

/** Most characters of `tally.latest`: a few readings. Larger differences rewrite `event.gathered`. */
const MAX_LATEST = 200;

export const accumulatedOf = ({ description, tags, details, conditions }: Event): Accumulated => ({
  ...(description === undefined ? {} : { description }),
  ...{ tags, details, conditions },
});

export const accumulatedText = ({ description, tags, details, conditions }: Accumulated): string =>
  JSON.stringify([description ?? null, tags, details, conditions] satisfies Written);

export function readAccumulated(text: string): Accumulated {
  const [description, tags, details, conditions] = JSON.parse(text) as Written;
  return { ...(description === null ? {} : { description }), tags, details, conditions };
}

export function withLatest(accumulated: Accumulated, text: string | null): Accumulated {
  if (text === null) return accumulated;
  const [newer, description] = JSON.parse(text) as Latest;
  const details = { ...accumulated.details, ...newer };
  return description === undefined ? { ...accumulated, details } : { ...accumulated, details, description };
}

/** Senders repeat whole objects in details; only other contents are news. */
const same = (a: unknown, b: unknown): boolean =>
  a === b || (typeof a === 'object' && typeof b === 'object' && JSON.stringify(a) === JSON.stringify(b));

/** Entries of `now` that are not in `before`; undefined when one is gone. */
function newer(before: Event['details'], now: Event['details']): Event['details'] | undefined {
  const entries: [string, unknown][] = [];
  let kept = 0;
  for (const name of Object.keys(now)) {
    const known = Object.hasOwn(before, name);
    if (known) kept++;
    if (!known || !same(before[name], now[name])) entries.push([name, now[name]]);
  }
  return kept === Object.keys(before).length ? Object.fromEntries(entries) : undefined;
}

/** The difference of `now` for `tally.latest`: null for none, undefined when `event.gathered` has to be rewritten. */
export function latestText(accumulated: Accumulated, now: Accumulated): string | null | undefined {
  if (now.tags !== accumulated.tags || now.conditions !== accumulated.conditions) return undefined;
  const described = now.description === accumulated.description;
  if (!described && now.description === undefined) return undefined;
  if (described && now.details === accumulated.details) return null;
  const details = newer(accumulated.details, now.details);
  if (details === undefined) return undefined;
  const text = JSON.stringify((described ? [details] : [details, now.description ?? '']) satisfies Latest);
  return text.length <= MAX_LATEST ? text : undefined;
}
