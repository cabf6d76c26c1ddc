import { type Event, eventIdOf, type Recency, type Status } from '#domain/event/event.ts';
import { sameFields } from '#domain/event/field-functions.ts';
import { fieldsOf } from '#domain/event/fields.ts';
import type { Occurrence } from '#domain/event/incoming.ts';
import { isRecurring, markSeen, ownTags, sameTags, unitedDetails, unitedTags } from './accumulated.ts';
import { believable, type Stamp, touched } from './change.ts';
import {
  conditionsAfter,
  conditionsTold,
  firstConditions,
  idOf,
  isStale,
  showing,
  titleBefore,
  withShown,
} from './conditions.ts';
import { firstSuppression, suppressedNote } from './suppression.ts';

/** Maximum distance of two messages about one change, ms. */
const MOMENT_MS = 5 * 60_000;
/** Silence of the longest window, after which an event arrives again, unless the tenant has shorter windows; ms. */
export const RETURN_AFTER_MS = 60 * 60_000;

export interface NewEvent {
  readonly tenant: string;
  readonly occurrence: Occurrence;
  /** Its event time as it is used, ms. */
  readonly time: number;
  /** Earlier occurrences of the identity, on resolved events too. */
  readonly seen: Recency | null;
  /** Event time of a recovery that is later than this occurrence but arrived first: the event is saved as resolved. */
  readonly recoveredAt: number | null;
  /** The event of the same condition that ended lately. */
  readonly previous?: Event | undefined;
}

/** Returns the number of returns of the condition, if it returned, and the history entry for it. */
const returnOf = ({ previous }: NewEvent): { readonly returns: number; readonly notes: string } | null => {
  if (previous === undefined) return null;
  const returns = (previous.returns ?? 0) + 1;
  return { returns, notes: `recurred within an hour after ${eventIdOf(previous.id)} ended; recurrence ${returns}` };
};

const statusFields = (status: Status, at: number): Partial<Event> => {
  if (status === 'resolved') return { resolvedAt: at, resolutionCategory: 'auto-resolved' };
  return status === 'acknowledged' ? { acknowledgedAt: at } : {};
};

type Noted = { readonly notes: string } | null;

const notesOf = (...all: readonly Noted[]): Noted => {
  const notes = all.flatMap((one) => one?.notes ?? []);
  return notes.length === 0 ? null : { notes: notes.join('; ') };
};

/** Creates an event from the record alone and the earlier occurrences of its identity. */
export const create = (newcomer: NewEvent, stamp: Stamp): Event => {
  const { tenant, occurrence, time, seen, recoveredAt } = newcomer;
  const {
    newId,
    timestamp,
    status: wished = 'open',
    tags,
    untimed: _untimed,
    conditionId: _condition,
    plain: _plain,
    moment: _moment,
    update: _update,
    ongoing: _ongoing,
    dedupWindowMs: _window,
    maxBehindMs: _behind,
    returnAfterMs: _return,
    escalation: _escalation,
    silencing: _silencing,
    ...rest
  } = occurrence;
  const silencing = firstSuppression(occurrence, recoveredAt !== null);
  const status = recoveredAt === null ? (silencing === null ? wished : 'suppressed') : 'resolved';
  const at = recoveredAt ?? time;
  const late = recoveredAt === null ? null : { notes: 'recovered before it was reported' };
  const silent = silencing === null ? null : { notes: suppressedNote(silencing, occurrence) };
  const back = returnOf(newcomer);
  const own = ownTags({ returns: back?.returns ?? 0 }, time !== timestamp);
  return {
    ...rest,
    tenant,
    id: newId,
    status,
    timestamp: time,
    ...(time !== timestamp && { reportedTimestamp: timestamp }),
    tags: own.length === 0 ? tags : unitedTags(own, tags),
    conditions: status === 'resolved' ? [] : firstConditions(occurrence, time, stamp.position),
    count: 1,
    firstOccurrence: time,
    lastOccurrence: time,
    correlationId: null,
    ...statusFields(status, at),
    ...(silencing !== null && { silencing }),
    ...(back !== null && { returns: back.returns }),
    history: [{ at, by: null, from: null, to: status, ...notesOf(late, silent, back), position: stamp.position }],
    usual: isRecurring(seen, time),
    seen: markSeen(seen, time),
    createdAt: stamp.receivedAt,
    updatedAt: stamp.receivedAt,
    createdPosition: stamp.position,
    position: stamp.position,
  };
};

/** Longer silent than the tenant's window, in event time: the next occurrence supersedes it. */
export const isSilent = (event: Event, { dedupWindowMs }: Occurrence, time: number): boolean =>
  time - event.lastOccurrence > dedupWindowMs;

/** A change is a moment: one of another sourceId, or of another time, is another change. */
export const isOtherMoment = (event: Event, { moment, source, sourceId }: Occurrence, time: number): boolean =>
  moment === true &&
  (sourceId !== event.sourceId || source !== event.source || Math.abs(time - event.timestamp) > MOMENT_MS);

/** Returns the time after which an equal message of a change is no longer about this event, ms. */
export const endOfMoment = ({ timestamp }: Event): number => timestamp + MOMENT_MS;

export interface Further {
  readonly occurrence: Occurrence;
  /** Its event time as it is used, ms. */
  readonly time: number;
  /** Memory of the event's identity. */
  readonly seen: Recency | null;
  /** True if its condition is over: it is counted, opens nothing and updates nothing. */
  readonly over?: boolean;
}

/** Returns the time when it was last present, ms. */
const lastSeen = ({ ongoing }: Occurrence, time: number, { receivedAt }: Stamp): number =>
  ongoing ? Math.max(time, receivedAt) : time;

/**
 * True if a monitor reports an event again after a silence of the longest window: in event time, but by receipt where
 * each message contains its start. A suppressed event returns once it is open again.
 */
export const isReturned = (
  before: Event,
  after: Event,
  { ongoing, returnAfterMs = RETURN_AFTER_MS }: Occurrence,
): boolean =>
  after.status !== 'suppressed' &&
  (ongoing ? after.updatedAt - before.updatedAt : after.lastOccurrence - before.lastOccurrence) > returnAfterMs;

/** True if the occurrence covers all that the event waits for, so that it describes all of it. */
const isAll = ({ conditions }: Event, occurrence: Occurrence): boolean =>
  conditions.length === 0 || (conditions.length === 1 && conditions[0]?.id === idOf(occurrence));

/** True for one of several sourceIds in an event: none revokes what another has reported. */
const isOneOfMany = ({ conditions, details }: Event): boolean => conditions.length === 0 && 'sourceIds' in details;

/**
 * Applies title, severity, tags and text of the newest message to its condition; of several conditions the event shows
 * the worst.
 */
const told = (
  event: Event,
  before: Event,
  { occurrence, time }: Pick<Further, 'occurrence' | 'time'>,
  stamp: Stamp,
): Event => {
  const { timestamp, title, severity, signature } = occurrence;
  if (event.conditions.length > 1 && event.conditions !== before.conditions) return withShown(event, time, stamp);
  if (isStale(before, occurrence, time)) return event;
  const own = ownTags(event, time !== timestamp);
  const said = own.length === 0 ? occurrence.tags : unitedTags(own, occurrence.tags);
  if (!isAll(event, occurrence)) return { ...event, tags: unitedTags(event.tags, said) };
  const tags = isOneOfMany(event) ? unitedTags(event.tags, said) : said;
  const description = occurrence.description ?? (occurrence.conditionId === null ? event.description : undefined);
  const isSame = title === event.title && severity === event.severity && signature === event.signature;
  if (isSame && description === event.description) return sameTags(event.tags, tags) ? event : { ...event, tags };
  const notes = titleBefore(event, title);
  return showing(event, { title, severity, signature, tags, description }, { at: time, notes }, stamp);
};

/** Adds an occurrence to an event. One literal, because nine of ten records pass here. */
export const repeat = (event: Event, further: Further, stamp: Stamp): Event => {
  const { occurrence, time, seen, over } = further;
  const repeated = {
    ...event,
    conditions: over ? event.conditions : conditionsAfter(event, occurrence, time, stamp.position),
    count: event.count + 1,
    firstOccurrence: Math.min(event.firstOccurrence, time),
    lastOccurrence: Math.max(believable(event.lastOccurrence, stamp.receivedAt), lastSeen(occurrence, time, stamp)),
    details: unitedDetails(event, occurrence),
    seen: markSeen(seen, time),
    position: Math.max(event.position, stamp.position),
    updatedAt: Math.max(believable(event.updatedAt, stamp.receivedAt), stamp.receivedAt),
  };
  return over ? repeated : told(repeated, event, further, stamp);
};

/** Returns the event after a message that is no further occurrence; the same object when that contains nothing new. */
export const news = (event: Event, occurrence: Occurrence, stamp: Stamp): Event => {
  const conditions = conditionsTold(event, occurrence);
  const details = unitedDetails(event, occurrence);
  const heard =
    conditions === event.conditions && details === event.details ? event : { ...event, conditions, details };
  const after = told(heard, event, { occurrence, time: occurrence.timestamp }, stamp);
  return after === event ? event : { ...after, ...touched(event, stamp) };
};

/** True if an occurrence changed more than every occurrence does: severity, signature. */
export const isEscalated = (before: Event, after: Event): boolean =>
  before.history !== after.history || before.signature !== after.signature;

/** True if a change of another kind touched fields that occurrences accumulate. */
export const changedTally = (before: Event, after: Event): boolean =>
  before.conditions !== after.conditions ||
  before.tags !== after.tags ||
  before.description !== after.description ||
  before.details !== after.details;

const sameSaid = sameFields(fieldsOf('said'));
/** True if a change touched fields that hardly ever change after creation. */
export const changedSaid = (before: Event, after: Event): boolean => !sameSaid(before, after);
