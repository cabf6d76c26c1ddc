import type { Event, Seen, Status } from '#domain/event/event.ts';
import { sameFields } from '#domain/event/field-functions.ts';
import { fieldsOf } from '#domain/event/fields.ts';
import type { Occurrence } from '#domain/event/incoming.ts';
import { isUsual, markSeen, unitedDetails, unitedTags } from './accumulated.ts';
import { believable, entryOf, type Stamp, withEntry } from './change.ts';
import { conditionsAfter, firstConditions, withShown } from './conditions.ts';
import { firstSilencing, suppressedNote } from './silencing.ts';

/** Tag of an event whose sender has a clock that cannot be believed. */
const CLOCK_SKEW = 'clock-skew';
const SKEWED = [CLOCK_SKEW];

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
}

const statusFields = (status: Status, at: number): Partial<Event> => {
  if (status === 'resolved') return { resolvedAt: at, resolutionCategory: 'auto-resolved' };
  return status === 'acknowledged' ? { acknowledgedAt: at } : {};
};

/** A new event, made from the record alone and what was seen of its identity. */
export const create = ({ tenant, occurrence, time, seen, recoveredAt }: Newcomer, stamp: Stamp): Event => {
  const {
    newId,
    timestamp,
    status: wished = 'open',
    tags,
    untimed: _untimed,
    conditionId: _condition,
    plain: _plain,
    moment: _moment,
    ongoing: _ongoing,
    legacyIdentity: _legacy,
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
  return {
    ...rest,
    tenant,
    id: newId,
    status,
    timestamp: time,
    ...(time !== timestamp && { reportedTimestamp: timestamp }),
    tags: time === timestamp ? tags : unitedTags(SKEWED, tags),
    conditions: status === 'resolved' ? [] : firstConditions(occurrence, time, stamp.position),
    count: 1,
    firstOccurrence: time,
    lastOccurrence: time,
    correlationId: null,
    ...statusFields(status, at),
    ...(silencing !== null && { silencing }),
    history: [{ at, by: null, from: null, to: status, ...late, ...silent, position: stamp.position }],
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

/** A condition may change its severity: history has the change; status and identity stay. */
const escalation = (event: Event, { severity }: Occurrence, time: number, stamp: Stamp): Event['history'] => {
  if (severity === event.severity) return event.history;
  const moved = { at: time, to: event.status, severity: { from: event.severity, to: severity } };
  return withEntry(event.history, entryOf(event, moved, stamp));
};

export interface Further {
  readonly occurrence: Occurrence;
  /** Its event time as it is used, ms. */
  readonly time: number;
  /** Memory of the event's identity. */
  readonly seen: Seen | null;
  /** The same problem, whatever its severity and signature are now. */
  readonly byCondition: boolean;
  /** Its condition is over: it is counted and opens nothing. */
  readonly over?: boolean;
}

/** When it was last there, ms. */
const lastSeen = ({ ongoing }: Occurrence, time: number, { receivedAt }: Stamp): number =>
  ongoing ? Math.max(time, receivedAt) : time;

/**
 * Whether a monitor names an event again after a silence of the longest window: in event time, but by receipt where each message says
 * when it began, as messages that are stored and sent together were no silence.
 */
export const isReturned = (
  before: Event,
  after: Event,
  { ongoing, returnAfterMs = RETURN_AFTER_MS }: Occurrence,
): boolean =>
  (ongoing ? after.updatedAt - before.updatedAt : after.lastOccurrence - before.lastOccurrence) > returnAfterMs;

/** One more occurrence of an event. One literal, because nine of ten records come through here. */
export const repeat = (event: Event, { occurrence, time, seen, byCondition, over }: Further, stamp: Stamp): Event => {
  const { timestamp, description } = occurrence;
  const conditions = over ? event.conditions : conditionsAfter(event, occurrence, time, stamp.position);
  const latest = byCondition && conditions.length < 2 ? occurrence : event;
  const repeated = {
    ...event,
    severity: latest.severity,
    signature: latest.signature,
    history: latest === event ? event.history : escalation(event, occurrence, time, stamp),
    conditions,
    count: event.count + 1,
    firstOccurrence: Math.min(event.firstOccurrence, time),
    lastOccurrence: Math.max(believable(event.lastOccurrence, stamp.receivedAt), lastSeen(occurrence, time, stamp)),
    tags: unitedTags(time === timestamp ? event.tags : unitedTags(event.tags, SKEWED), occurrence.tags),
    details: unitedDetails(event, occurrence),
    seen: markSeen(seen, time),
    position: Math.max(event.position, stamp.position),
    updatedAt: Math.max(believable(event.updatedAt, stamp.receivedAt), stamp.receivedAt),
  };
  if (description !== undefined && conditions.length < 2) repeated.description = description;
  return conditions.length > 1 && conditions !== event.conditions ? withShown(repeated, stamp) : repeated;
};

/** Whether an occurrence changed more than what every occurrence changes: severity, signature. */
export const isEscalated = (before: Event, after: Event): boolean =>
  before.history !== after.history || before.signature !== after.signature;

/** Whether a change of another kind touched what occurrences gather. */
export const changedTally = (before: Event, after: Event): boolean =>
  before.conditions !== after.conditions || before.tags !== after.tags || before.description !== after.description;

const sameSaid = sameFields(fieldsOf('said'));
/** Whether a change touched what hardly ever changes after the creation. */
export const changedSaid = (before: Event, after: Event): boolean => !sameSaid(before, after);
