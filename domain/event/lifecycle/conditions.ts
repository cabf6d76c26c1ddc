/** The conditions of an event: which are open, since when, and which of them the event shows. */

import { assertDefined, itemAt, lastItem } from '#domain/assert.ts';
import { type Condition, type Event, severityRank } from '#domain/event/event.ts';
import { sign } from '#domain/event/identity/signature.ts';
import type { Occurrence } from '#domain/event/incoming.ts';
import { hasSource, ownTags, sameTags, sourceIdsOf, unitedTags } from './accumulated.ts';
import { entryOf, isSince, type Stamp, withEntry } from './change.ts';

/** Open sourceIds of plain ingest; beyond, the oldest except the first are removed. */
const MAX_PLAIN = 100;
/** Conditions that keep a description, and characters of it. */
const DESCRIBED = 20;
const MAX_DESCRIPTION = 1_024;

export const plainId = (source: string, sourceId: string): string => `${source}#${sourceId}`;

/** Returns the condition of an occurrence: declared by a monitor, else the sourceId. */
export const idOf = ({ conditionId, source, sourceId }: Occurrence): string => conditionId ?? plainId(source, sourceId);

/** True if an event waits for this sourceId of plain ingest. */
export const isFedBySourceId = (event: Event, source: string, sourceId: string): boolean => {
  if (event.conditions.length === 0) return hasSource(event, source, sourceId);
  const id = plainId(source, sourceId);
  return event.conditions.some((condition) => condition.plain && condition.id === id);
};

const indexOf = (conditions: readonly Condition[], id: string): number => {
  for (let i = 0; i < conditions.length; i++) if (itemAt(conditions, i).id === id) return i;
  return -1;
};

/** True if a monitor declared it, which reports its end; a sourceId of plain ingest may never be reported again. */
const isMonitors = ({ plain }: Condition): boolean => !plain;

/** True if a monitor's condition holds the event: then only its end resolves it, or a user. */
export const isHeld = ({ conditions }: Pick<Event, 'conditions'>): boolean => conditions.some(isMonitors);

/** True if this monitor has declared a condition of the event: a further one of it is another problem. */
export const isHeldBy = ({ conditions, source }: Event, monitor: string): boolean =>
  conditions.some((condition) => isMonitors(condition) && (condition.source ?? source) === monitor);

const described = (description: string | undefined, count: number) =>
  description !== undefined && count < DESCRIBED ? { description: description.slice(0, MAX_DESCRIPTION) } : null;

type Words = Pick<Occurrence, 'title' | 'severity' | 'tags'> & { readonly description?: string | undefined };

/** A condition in the words of its newest message. `count`: number of preceding ones. */
const wordsOf = ({ title, severity, description, tags }: Words, count: number): Partial<Condition> => ({
  title,
  severity,
  ...described(description, count),
  ...(tags.length > 0 && count < DESCRIBED && { tags }),
});

/**
 * The first condition of a new event omits fields equal to those of the event; plain ingest has none that is stored.
 */
export const firstConditions = (
  { conditionId, ongoing }: Occurrence,
  time: number,
  position: number,
): readonly Condition[] =>
  conditionId === null ? [] : [{ id: conditionId, position, since: time, ...(ongoing && { last: time }) }];

const conditionOf = (
  event: Event,
  occurrence: Occurrence,
  { id, time, position, count }: Pick<Condition, 'id' | 'position'> & { readonly time: number; readonly count: number },
): Condition => ({
  id,
  position,
  since: time,
  last: time,
  ...(occurrence.source !== event.source && { source: occurrence.source }),
  ...(occurrence.plain && { plain: true }),
  sourceId: occurrence.sourceId,
  ...wordsOf(occurrence, count),
});

/** The newest start of a condition, ms. */
const newestStart = ({ lastOccurrence }: Event, { last }: Condition): number => last ?? lastOccurrence;

/** Returns the only condition of an event with the fields inherited from the event. */
const spelledOut = (event: Event): readonly Condition[] => {
  const { conditions, sourceId } = event;
  const [only] = conditions;
  if (conditions.length !== 1 || only === undefined || only.title !== undefined) return conditions;
  return [{ sourceId, ...wordsOf(event, 0), ...only, last: newestStart(event, only) }];
};

/** The sourceId that feeds an event of plain ingest, as a condition. */
const implied = (event: Event): Condition => {
  const { source, sourceId } = event;
  const newest = lastItem(sourceIdsOf(event));
  const ofOther = newest !== sourceId && newest.includes('#');
  return {
    id: ofOther ? newest : plainId(source, newest),
    position: event.createdPosition,
    plain: true,
    since: event.firstOccurrence,
    last: event.lastOccurrence,
    sourceId: newest,
    ...wordsOf(event, 0),
  };
};

const NO_TAGS: readonly string[] = [];

/** True if a message contains no news of a condition; one that inherits all from its event contains nothing itself. */
const saysTheSame = (held: Condition, words: Partial<Condition>): boolean =>
  held.title === undefined ||
  (held.title === words.title &&
    held.severity === words.severity &&
    held.description === words.description &&
    sameTags(held.tags ?? NO_TAGS, words.tags ?? NO_TAGS));

/** The condition in the words of its newest message. */
const retold = (conditions: readonly Condition[], index: number, occurrence: Occurrence): readonly Condition[] => {
  const held = itemAt(conditions, index);
  const words = wordsOf(occurrence, index);
  if (saysTheSame(held, words)) return conditions;
  const { title: _title, severity: _severity, description: _description, tags: _tags, ...rest } = held;
  return conditions.with(index, { ...rest, ...words });
};

/** A new start, other words: most repeats bring neither. */
const repeatedAt = (
  conditions: readonly Condition[],
  index: number,
  occurrence: Occurrence,
  time: number,
): readonly Condition[] => {
  const held = itemAt(conditions, index);
  if (held.last !== undefined && time < held.last) return conditions;
  const said = retold(conditions, index, occurrence);
  return held.last === undefined || time === held.last
    ? said
    : said.with(index, { ...itemAt(said, index), last: time });
};

/**
 * A later sourceId with the same title replaces the earlier one; of too many the oldest except the first is removed.
 */
const withPlain = (conditions: readonly Condition[], own: Condition): readonly Condition[] => {
  const same = conditions.findIndex(
    ({ plain, title, source }) => plain && title === own.title && source === own.source,
  );
  const earlier = conditions[same];
  if (earlier !== undefined)
    return conditions.with(same, { ...earlier, ...own, since: assertDefined(earlier.since, 'start of a condition') });
  const plain = conditions.filter((condition) => condition.plain);
  const gone = plain.length < MAX_PLAIN ? undefined : plain[1];
  return [...conditions.filter((condition) => condition !== gone), own];
};

/** True if plain ingest reports the same thing as the event, so that nothing need be stored. */
const isImplied = (event: Event, { source, sourceId, title }: Occurrence): boolean =>
  source === event.source && (title === event.title || sourceId === event.sourceId);

const joined = (event: Event, occurrence: Occurrence, time: number, position: number): readonly Condition[] => {
  const { conditionId, plain, source, sourceId } = occurrence;
  const before = spelledOut(event);
  // A monitor's event that a user has reopened waits for nothing any more.
  const isOwn = !plain && source === event.source && sourceId === event.sourceId;
  if (before.length === 0 && isOwn) return firstConditions(occurrence, time, position);
  const held = before.length > 0 ? before : [implied(event)];
  const id = plain ? plainId(source, sourceId) : assertDefined(conditionId, 'id of a condition');
  const own = conditionOf(event, occurrence, { id, time, position, count: held.length });
  return plain ? withPlain(held, own) : [...held, own];
};

/** The conditions of an event after one more occurrence. The same array when nothing changes, as with nine of ten. */
export const conditionsAfter = (
  event: Event,
  occurrence: Occurrence,
  time: number,
  position: number,
): readonly Condition[] => {
  const { conditions } = event;
  const { conditionId, plain } = occurrence;
  if (conditionId === null && (!plain || (conditions.length === 0 && isImplied(event, occurrence)))) return conditions;
  const index = indexOf(conditions, idOf(occurrence));
  if (index >= 0) return repeatedAt(conditions, index, occurrence, time);
  return joined(event, occurrence, time, position);
};

/** The same after a message that is no further occurrence. */
export const conditionsTold = (event: Event, occurrence: Occurrence): readonly Condition[] => {
  const index = indexOf(event.conditions, idOf(occurrence));
  return index < 0 ? event.conditions : retold(event.conditions, index, occurrence);
};

/** True if newer information about the subject of an occurrence was received, as far as the event knows. */
export const isStale = (before: Event, occurrence: Occurrence, time: number): boolean => {
  const { conditions, lastOccurrence } = before;
  const held = conditions[indexOf(conditions, idOf(occurrence))];
  return time < (held?.last ?? (occurrence.ongoing ? time : lastOccurrence));
};

/** Returns the worst condition, of several the oldest. */
const shownOf = (conditions: readonly Condition[]): Condition | undefined => {
  let shown: Condition | undefined;
  for (const condition of conditions)
    if (shown === undefined || severityRank(condition.severity ?? 'info') > severityRank(shown.severity ?? 'info'))
      shown = condition;
  return shown;
};

/** Words that an event shows. */
export interface ShownWords extends Words {
  readonly signature: string;
}

/** Returns the event with other words; history has each change of severity or of the title beyond its readings. */
export const showing = (
  event: Event,
  { title, severity, signature, description, tags }: ShownWords,
  { at, notes }: { readonly at: number; readonly notes?: string | undefined },
  stamp: Stamp,
): Event => {
  const moved = severity === event.severity ? null : { severity: { from: event.severity, to: severity } };
  const isNews = moved !== null || signature !== event.signature;
  const entry = isNews && entryOf(event, { at, to: event.status, notes, ...moved }, stamp);
  const { description: _old, ...rest } = event;
  return {
    ...rest,
    title,
    severity,
    signature,
    tags: sameTags(event.tags, tags) ? event.tags : tags,
    history: entry ? withEntry(event.history, entry) : event.history,
    ...(description !== undefined && { description }),
  };
};

/** Tags of all conditions; where one leaves its words to the event, those of the event stay. */
const tagsOfAll = (event: Event): readonly string[] => {
  const { conditions } = event;
  let tags = conditions.some(({ title }) => title === undefined) ? event.tags : ownTags(event, false);
  for (const condition of conditions) tags = unitedTags(tags, condition.tags ?? NO_TAGS);
  return tags;
};

/** Title, severity and text are those of the open condition that is worst, then oldest. `ended`: another one is over. */
export const withShown = (event: Event, at: number, stamp: Stamp, ended = false): Event => {
  const shown = shownOf(event.conditions);
  if (shown?.title === undefined) return event;
  const { title, severity = event.severity, description } = shown;
  const isSame = title === event.title && severity === event.severity;
  const signed = isSame ? null : sign({ ...event, title, severity, ciType: event.ci?.type }, 'system');
  const signature = signed?.signature ?? event.signature;
  const notes = ended && title !== event.title ? `Still open: ${title}` : titleBefore(event, title);
  return showing(event, { title, severity, description, tags: tagsOfAll(event), signature }, { at, notes }, stamp);
};

/** Note of the history where the title changes. */
export const titleBefore = (before: Event, title: string): string | undefined =>
  title === before.title ? undefined : `Previous title: ${before.title}`;

/** The conditions that an event waits for, with all that is held of them; of a resolved event none. */
export const openConditions = (event: Event): readonly Condition[] => {
  if (event.status === 'resolved') return [];
  return event.conditions.length === 0 ? [implied(event)] : spelledOut(event);
};

/** Returns the other sources that report the same thing. */
export const alsoReportedBy = (event: Event): readonly string[] => {
  const sources = new Set(openConditions(event).map(({ source }) => source ?? event.source));
  sources.delete(event.source);
  return [...sources];
};

/**
 * Returns the state of a condition relative to its reported end: it has begun since, it is over, or it does not exist.
 */
export const endOf = (
  event: Event,
  id: string,
  { at, receivedAt }: { readonly at: number; readonly receivedAt: number },
): 'begun-since' | 'over' | 'unknown' => {
  const condition = event.conditions.find((held) => held.id === id);
  if (condition === undefined) return 'unknown';
  return isSince(newestStart(event, condition), at, receivedAt) ? 'begun-since' : 'over';
};
