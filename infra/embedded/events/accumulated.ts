import type { Event } from '#domain/event/event.ts';

/** What occurrences gather besides times and counts. */
export type Gathered = Pick<Event, 'description' | 'tags' | 'details' | 'conditions'>;
/** As it stands in `event.gathered`. */
type Written = readonly [string | null, Event['tags'], Event['details'], Event['conditions']];
/** What is newer, as it stands in `tally.latest`: details to lay over those gathered, and the description when it is another. */
type Latest = readonly [Event['details'], string?];

/** Characters of `tally.latest`: a few readings. What differs by more is gathered anew. */
const MAX_LATEST = 200;

export const gatheredOf = ({ description, tags, details, conditions }: Event): Gathered => ({
  ...(description === undefined ? {} : { description }),
  ...{ tags, details, conditions },
});

export const gatheredText = ({ description, tags, details, conditions }: Gathered): string =>
  JSON.stringify([description ?? null, tags, details, conditions] satisfies Written);

export function readGathered(text: string): Gathered {
  const [description, tags, details, conditions] = JSON.parse(text) as Written;
  return { ...(description === null ? {} : { description }), tags, details, conditions };
}

export function withLatest(gathered: Gathered, text: string | null): Gathered {
  if (text === null) return gathered;
  const [newer, description] = JSON.parse(text) as Latest;
  const details = { ...gathered.details, ...newer };
  return description === undefined ? { ...gathered, details } : { ...gathered, details, description };
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

/** What `now` has that is not in `gathered`: null for nothing, undefined when it has to be gathered anew. */
export function latestText(gathered: Gathered, now: Gathered): string | null | undefined {
  if (now.tags !== gathered.tags || now.conditions !== gathered.conditions) return undefined;
  const described = now.description === gathered.description;
  if (!described && now.description === undefined) return undefined;
  if (described && now.details === gathered.details) return null;
  const details = newer(gathered.details, now.details);
  if (details === undefined) return undefined;
  const text = JSON.stringify((described ? [details] : [details, now.description ?? '']) satisfies Latest);
  return text.length <= MAX_LATEST ? text : undefined;
}
