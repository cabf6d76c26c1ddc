/** The conditions of an event: which are open, since when, and which of them the event shows. */

import { type Condition, type Event, severityRank } from '#domain/event/event.ts';
import { sign } from '#domain/event/identity/signature.ts';
import type { Occurrence } from '#domain/event/incoming.ts';
import { itemAt, known, lastItem } from '#domain/known.ts';
import { sourceIdsOf } from './accumulated.ts';
import { entryOf, isSince, type Stamp, withEntry } from './change.ts';

const MAX_CONDITIONS = 1_000;
/** Open sourceIds of plain ingest; beyond, the oldest but the first give way. */
const MAX_PLAIN = 100;
/** Conditions that keep a description, and characters of it. */
const DESCRIBED = 20;
const MAX_DESCRIPTION = 1_024;

export const plainId = (source: string, sourceId: string): string => `${source}#${sourceId}`;

const indexOf = (conditions: readonly Condition[], id: string): number => {
  for (let i = 0; i < conditions.length; i++) if (itemAt(conditions, i).id === id) return i;
  return -1;
};

/** False when the event is full: a further condition starts a new event. */
export const hasRoomFor = ({ conditions }: Event, conditionId: string | null): boolean =>
  conditionId === null || conditions.length < MAX_CONDITIONS || indexOf(conditions, conditionId) >= 0;

const described = (description: string | undefined, count: number) =>
  description !== undefined && count < DESCRIBED ? { description: description.slice(0, MAX_DESCRIPTION) } : null;

/** The first condition of a new event leaves out what the event says; plain ingest has none that is written down. */
export const firstConditions = (
  { conditionId, ongoing }: Occurrence,
  time: number,
  position: number,
): readonly Condition[] =>
  conditionId === null ? [] : [{ id: conditionId, position, since: time, ...(ongoing && { last: time }) }];

const conditionOf = (occurrence: Occurrence, id: string, time: number, position: number, count: number): Condition => ({
  ...{ id, position, since: time, last: time },
  ...(occurrence.plain && { plain: true }),
  ...{ title: occurrence.title, severity: occurrence.severity, sourceId: occurrence.sourceId },
  ...described(occurrence.description, count),
});

/** The newest start of a condition, ms; undefined when an older program stored it. */
const newestStart = ({ lastOccurrence }: Event, { since, last }: Condition): number =>
  since === undefined ? Number.NEGATIVE_INFINITY : (last ?? lastOccurrence);

/** The only condition of an event with what it left to the event. */
const spelledOut = (event: Event): readonly Condition[] => {
  const { conditions, title, severity, sourceId } = event;
  const [only] = conditions;
  if (conditions.length !== 1 || only === undefined || only.title !== undefined) return conditions;
  const last = only.since === undefined ? null : { last: newestStart(event, only) };
  return [{ ...{ title, severity, sourceId }, ...described(event.description, 0), ...only, ...last }];
};

/** The sourceId that feeds an event of plain ingest, as a condition. */
const implied = ({ source, sourceId, title, severity, description, ...event }: Event): Condition => {
  const newest = lastItem(sourceIdsOf({ sourceId, details: event.details }));
  const ofOther = newest !== sourceId && newest.includes('#');
  return {
    ...{ id: ofOther ? newest : plainId(source, newest), position: event.createdPosition, plain: true },
    ...{ since: event.firstOccurrence, last: event.lastOccurrence, title, severity, sourceId: newest },
    ...described(description, 0),
  };
};

/** A new start, another severity: most repeats bring neither. */
const repeatedAt = (
  conditions: readonly Condition[],
  index: number,
  { severity }: Occurrence,
  time: number,
): readonly Condition[] => {
  const held = itemAt(conditions, index);
  const later = held.last !== undefined && time > held.last;
  const moved = held.severity !== undefined && held.severity !== severity;
  if (!later && !moved) return conditions;
  return conditions.with(index, { ...held, ...(later && { last: time }), ...(moved && { severity }) });
};

/** A later sourceId with the same title takes the place of the earlier one; of too many the oldest but the first gives way. */
const withPlain = (conditions: readonly Condition[], own: Condition): readonly Condition[] => {
  const same = conditions.findIndex(({ plain, title }) => plain && title === own.title);
  const earlier = conditions[same];
  if (earlier !== undefined)
    return conditions.with(same, { ...earlier, ...own, since: known(earlier.since, 'start of a condition') });
  const plain = conditions.filter((condition) => condition.plain);
  const gone = plain.length < MAX_PLAIN && conditions.length < MAX_CONDITIONS ? undefined : (plain[1] ?? plain[0]);
  return [...conditions.filter((condition) => condition !== gone), own];
};

/** Whether plain ingest says the one thing that the event says, so that nothing need be written down. */
const isImplied = (event: Event, { source, sourceId, title }: Occurrence): boolean =>
  title === event.title || (sourceId === event.sourceId && source === event.source);

const joined = (event: Event, occurrence: Occurrence, time: number, position: number): readonly Condition[] => {
  const { conditionId, plain, source, sourceId } = occurrence;
  const before = spelledOut(event);
  if (!plain) {
    if (before.length === 0) return firstConditions(occurrence, time, position);
    return [...before, conditionOf(occurrence, known(conditionId, 'id of a condition'), time, position, before.length)];
  }
  const held = before.length > 0 ? before : [implied(event)];
  return withPlain(held, conditionOf(occurrence, plainId(source, sourceId), time, position, held.length));
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
  const index = indexOf(conditions, conditionId ?? plainId(occurrence.source, occurrence.sourceId));
  if (index >= 0) return repeatedAt(conditions, index, occurrence, time);
  return joined(event, occurrence, time, position);
};

/** Of the conditions the worst, of several the oldest. */
const shownOf = (conditions: readonly Condition[]): Condition | undefined => {
  let shown: Condition | undefined;
  for (const condition of conditions)
    if (shown === undefined || severityRank(condition.severity ?? 'info') > severityRank(shown.severity ?? 'info'))
      shown = condition;
  return shown;
};

/** The event shows another of its conditions: history says so. */
const showing = (event: Event, { title = event.title, severity = event.severity, ...own }: Condition, stamp: Stamp) => {
  const { description = event.description } = own;
  const moved = severity === event.severity ? null : { severity: { from: event.severity, to: severity } };
  const notes = title === event.title ? undefined : `Still open: ${title}`;
  const entry = entryOf(event, { at: stamp.receivedAt, to: event.status, notes, ...moved }, stamp);
  const signature = sign({ ...event, title, severity, ciType: event.ci?.type }, 'system')?.signature;
  const history = withEntry(event.history, entry);
  return {
    ...{ ...event, title, severity, history, signature: signature ?? event.signature },
    ...(description !== undefined && { description }),
  };
};

/** Title, severity and description are those of the open condition that is worst, then oldest. The same event when they are already. */
export const withShown = (event: Event, stamp: Stamp): Event => {
  const shown = shownOf(event.conditions);
  if (shown?.title === undefined) return event;
  const same = shown.title === event.title && shown.severity === event.severity;
  return same ? event : showing(event, shown, stamp);
};

/** The conditions that an event waits for, with all that is held of them; of a resolved event none. */
export const openConditions = (event: Event): readonly Condition[] => {
  if (event.status === 'resolved') return [];
  return event.conditions.length === 0 ? [implied(event)] : spelledOut(event);
};

/** How a condition stands to the end that is said of it: it has begun since, it is over, or there is none such. */
export const endOf = (
  event: Event,
  id: string,
  { at, receivedAt }: { readonly at: number; readonly receivedAt: number },
): 'begun-since' | 'over' | 'unknown' => {
  const condition = event.conditions.find((held) => held.id === id);
  if (condition === undefined) return 'unknown';
  return isSince(newestStart(event, condition), at, receivedAt) ? 'begun-since' : 'over';
};
