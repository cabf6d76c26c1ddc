import { type Event, eventIdOf, type Seen, type Status } from '#domain/event/event.ts';
import { sameFields } from '#domain/event/field-functions.ts';
import { fieldsOf } from '#domain/event/fields.ts';
import type { Occurrence } from '#domain/event/incoming.ts';
import { isUsual, markSeen, ownTags, sameTags, unitedDetails, unitedTags } from './accumulated.ts';
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
import { firstSilencing, suppressedNote } from './silencing.ts';

/** How far apart two messages about one change may be, ms. */
const MOMENT_MS = 5 * 60_000;
/** After a silence of the longest window an event arrives again, unless the tenant has shorter windows; ms. */
export const RETURN_AFTER_MS = 60 * 60_000;

export interface Newcomer {
  readonly tenant: string;
  readonly occurrence: Occurrence;
  /** Its event time as it is used, ms. */
  readonly time: number;
  /** How often the identity was seen before, on resolved events too. */
  readonly seen: Seen | null;
  /** Event time of a recovery that is later than this occurrence but came first: the event is saved as resolved. */
  readonly recoveredAt: number | null;
  /** The event of the same condition that ended lately. */
  readonly previous?: Event | undefined;
}

/** How often the condition came back, when it did, and what history says of it. */
const returnOf = ({ previous }: Newcomer): { readonly returns: number; readonly notes: string } | null => {
  if (previous === undefined) return null;
  const returns = (previous.returns ?? 0) + 1;
  return { returns, notes: `back within an hour after ${eventIdOf(previous.id)} ended; return ${returns} in a row` };
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

/** A new event, made from the record alone and what was seen of its identity. */
export const create = (newcomer: Newcomer, stamp: Stamp): Event => {
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
  const silencing = firstSilencing(occurrence, recoveredAt !== null);
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
    usual: isUsual(seen, time),
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

/** When the message of a change that says the same as this event is no longer about it, ms. */
export const endOfMoment = ({ timestamp }: Event): number => timestamp + MOMENT_MS;

export interface Further {
  readonly occurrence: Occurrence;
  /** Its event time as it is used, ms. */
  readonly time: number;
  /** Memory of the event's identity. */
  readonly seen: Seen | null;
  /** Its condition is over: it is counted, opens nothing and tells nothing. */
  readonly over?: boolean;
}

/** When it was last there, ms. */
const lastSeen = ({ ongoing }: Occurrence, time: number, { receivedAt }: Stamp): number =>
  ongoing ? Math.max(time, receivedAt) : time;

/**
 * Whether a monitor names an event again after a silence of the longest window: in event time, but by receipt where each message says
 * when it began. One that is suppressed returns once it is open again.
 */
export const isReturned = (
  before: Event,
  after: Event,
  { ongoing, returnAfterMs = RETURN_AFTER_MS }: Occurrence,
): boolean =>
  after.status !== 'suppressed' &&
  (ongoing ? after.updatedAt - before.updatedAt : after.lastOccurrence - before.lastOccurrence) > returnAfterMs;

/** Whether all that the event waits for is what the occurrence is about, so that it tells all of it. */
const isAll = ({ conditions }: Event, occurrence: Occurrence): boolean =>
  conditions.length === 0 || (conditions.length === 1 && conditions[0]?.id === idOf(occurrence));

/** Of several sourceIds in one event none takes back what another has said. */
const isOneOfMany = ({ conditions, details }: Event): boolean => conditions.length === 0 && 'sourceIds' in details;

/** The newest message tells title, severity, tags and text of its condition; of several the event shows the worst. */
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

/** One more occurrence of an event. One literal, because nine of ten records come through here. */
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

/** The event after a message that is no further occurrence; the same one when that tells nothing new. */
export const news = (event: Event, occurrence: Occurrence, stamp: Stamp): Event => {
  const conditions = conditionsTold(event, occurrence);
  const details = unitedDetails(event, occurrence);
  const heard =
    conditions === event.conditions && details === event.details ? event : { ...event, conditions, details };
  const after = told(heard, event, { occurrence, time: occurrence.timestamp }, stamp);
  return after === event ? event : { ...after, ...touched(event, stamp) };
};

/** Whether an occurrence changed more than what every occurrence changes: severity, signature. */
export const isEscalated = (before: Event, after: Event): boolean =>
  before.history !== after.history || before.signature !== after.signature;

/** Whether a change of another kind touched what occurrences gather. */
export const changedTally = (before: Event, after: Event): boolean =>
  before.conditions !== after.conditions ||
  before.tags !== after.tags ||
  before.description !== after.description ||
  before.details !== after.details;

const sameSaid = sameFields(fieldsOf('said'));
/** Whether a change touched what hardly ever changes after the creation. */
export const changedSaid = (before: Event, after: Event): boolean => !sameSaid(before, after);
