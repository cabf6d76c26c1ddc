import { type Event, parseEventId } from '#domain/event/event.ts';
import type { Occurrence, Receipt } from '#domain/event/incoming.ts';
import { type Stamp, timeInStream } from '#domain/event/lifecycle/change.ts';
import { idOf, isFedBySourceId, isHeld, isHeldBy, plainId } from '#domain/event/lifecycle/conditions.ts';
import {
  create,
  endOfMoment,
  isEscalated,
  isOtherMoment,
  isReturned,
  isSilent,
  news,
  repeat,
} from '#domain/event/lifecycle/occurrence.ts';
import { passMoment } from '#domain/event/lifecycle/status.ts';
import { silenced, silencedBy } from '#domain/event/lifecycle/suppression.ts';
import { giveWay, inherited, isSameProblem } from '#domain/event/lifecycle/taking-place.ts';
import type { Recovery } from '#domain/pipeline/processor.ts';
import { alikeOf, eventsFromPlainId, type Rows, recoveryOf, rememberRecovery, seenOf } from './dedup-rows.ts';
import { answer, eventOf, type Repeated, save, saveCreated, saveRepeated, type Work } from './dedup-work.ts';
import { filled } from './filling.ts';

/** Time after the receipt of a condition's end for which a message with its start may still be in transit. */
const OVERTAKEN_MS = 120_000;
/** Maximum of events of one sourceId, or of one identity, that are compared for the same problem. */
const MAX_ALIKE = 16;
/** Events of one identity that are read: within a batch older ones may become the newest. */
const NAMED = 2 * MAX_ALIKE;

/** Returns ids of the events that an occurrence may touch, by the current index. */
export const namedBy = (rows: Rows | undefined, occurrence: Occurrence): (string | undefined)[] => {
  if (rows === undefined) return [];
  const { conditionId, identity, plain } = occurrence;
  const condition = idOf(occurrence);
  const ids: (string | undefined)[] = [...alikeOf(rows, identity, NAMED)];
  if (rows.recoveries.size > 0) ids.push(rows.recoveries.get(condition)?.eventId);
  if (conditionId !== null) ids.push(rows.byCondition.get(conditionId));
  if (plain) ids.push(...eventsFromPlainId(rows, condition, MAX_ALIKE));
  return ids;
};

/** Returns open events of the problem, the newest first. */
const alike = (work: Work, { identity }: Occurrence): readonly Event[] =>
  alikeOf(work.rows, identity, MAX_ALIKE)
    .map((id) => eventOf(work, id))
    .filter((event): event is Event => event?.identity === identity)
    .reverse();

/**
 * Plain ingest checks only where an end can matter: with nothing open, from before the open event, or with several
 * sourceIds.
 */
const mayHaveEnded = (open: Event | undefined, { conditionId, plain }: Occurrence, time: number): boolean =>
  conditionId !== null ||
  (plain === true && (open === undefined || time < open.firstOccurrence || open.conditions.length > 0));

const isSameIdentity = (event: Event | undefined, { identity }: Occurrence): boolean => event?.identity === identity;

/** One occurrence with its event time as it is used, ms. */
interface TimedOccurrence {
  readonly occurrence: Occurrence;
  readonly time: number;
  readonly marking?: Marking;
}

/**
 * Returns the end of its condition when the occurrence began no later but arrives after it. Without a time of its own
 * it began at its arrival.
 */
const endedBefore = (
  work: Work,
  open: Event | undefined,
  { occurrence, time }: TimedOccurrence,
  { receivedAt }: Stamp,
): Recovery | null => {
  if (occurrence.untimed || !mayHaveEnded(open, occurrence, time)) return null;
  const end = recoveryOf(work.rows, idOf(occurrence), receivedAt);
  if (end === null || time > end.at) return null;
  if (occurrence.conditionId === null) return isSameIdentity(eventOf(work, end.eventId), occurrence) ? end : null;
  return occurrence.ongoing && receivedAt - end.receivedAt > OVERTAKEN_MS ? null : end;
};

/** Returns the newest open event of the same source and sourceId with the same problem and another severity. */
const predecessorOf = (work: Work, occurrence: Occurrence): Event | undefined => {
  const { plain, escalation, severity } = occurrence;
  if (!plain) return undefined;
  const alike = eventsFromPlainId(work.rows, idOf(occurrence), MAX_ALIKE)
    .map((id) => eventOf(work, id))
    .filter((event) => event !== undefined)
    .filter((event) => event.severity !== severity || escalation === 'same_event');
  return alike.findLast((event) => isSameProblem(event, occurrence));
};

/** Remembers the latest end of a condition and the event that it ended. */
export const noteEnd = (
  work: Work,
  conditionId: string,
  { at, event }: { readonly at: number; readonly event: Event | undefined },
  { position, receivedAt }: Stamp,
): void => {
  const { tenant, rows, effects } = work;
  const known = recoveryOf(rows, conditionId, receivedAt);
  const eventId = event?.id ?? known?.eventId;
  const ended = eventId === undefined ? null : { eventId };
  const recovery = { tenant, conditionId, at: Math.max(at, known?.at ?? at), receivedAt, position, ...ended };
  rememberRecovery(rows, recovery);
  effects.saveRecovery(recovery);
};

const receiptOf = (
  event: Event,
  outcome: 'created' | 'duplicate_updated' | 'changed',
  { occurrence, time }: TimedOccurrence,
): Receipt => {
  const receipt = answer({ event, outcome });
  const held = silencedBy(event);
  const told = held === null ? receipt : { ...receipt, suppressedBy: held.by };
  return time === occurrence.timestamp ? told : { ...told, skewed: true };
};

const ESCALATED: Repeated['told'] = { happened: 'changed', again: 'escalated' };
const MOVED: Repeated['told'] = { happened: 'changed' };

/** Returns the notification of a further occurrence beside its count; `after` is the event as it is saved. */
type RepeatTeller = (after: Event) => Repeated['told'];

/** Found by its condition; the CI that is found now outweighs everything else. */
const toldOf =
  (before: Event, counted: Event, said: Event, occurrence: Occurrence): RepeatTeller =>
  (after) => {
    if (before.ci === null && said.ci !== null) return { happened: 'bound' };
    // A return brings the new severity along; a change of severity alone is of no use to windows after such a silence.
    if (isReturned(before, after, occurrence)) return { happened: 'changed', again: 'returned' };
    if (isEscalated(before, said)) return ESCALATED;
    return said === counted ? null : MOVED;
  };

/** A monitor's change of status that arrived with the occurrence. */
export interface Marking {
  readonly of: (event: Event) => Event;
  readonly ofNew: (event: Event) => Event;
}

/** Saves a further occurrence: `said` is the event with the data of the occurrence. */
const saveFurther = (
  work: Work,
  before: Event,
  said: Event,
  { occurrence, time, marking }: TimedOccurrence,
  telling: RepeatTeller,
  stamp: Stamp,
): Receipt => {
  const unmarked = silenced(before, said, occurrence, stamp);
  const after = marking === undefined ? unmarked : marking.of(unmarked);
  const seen = seenOf(work.rows, before.identity);
  saveRepeated(work, before, after, { told: telling(after) ?? (after === said ? null : MOVED), seen });
  return receiptOf(after, 'duplicate_updated', { occurrence, time });
};

const repeated = (work: Work, event: Event, { occurrence, time }: TimedOccurrence, stamp: Stamp): Event =>
  repeat(event, { occurrence, time, seen: seenOf(work.rows, event.identity) }, stamp);

/**
 * Found by its condition or as the same problem: severity and signature may have changed, and missing fields are filled
 * in.
 */
const repeatedAs = (work: Work, event: Event, heard: TimedOccurrence, stamp: Stamp): Receipt => {
  const counted = repeated(work, event, heard, stamp);
  const said = filled(counted, heard.occurrence, stamp);
  return saveFurther(work, event, said, heard, toldOf(event, counted, said, heard.occurrence), stamp);
};

/** Found by its identity. */
const joined = (work: Work, event: Event, heard: TimedOccurrence, stamp: Stamp): Receipt => {
  const once = repeated(work, event, heard, stamp);
  return saveFurther(work, event, once, heard, () => (isEscalated(event, once) ? ESCALATED : null), stamp);
};

/** Its condition has ended: it is counted on the event that ended. */
const late = (work: Work, event: Event, { occurrence, time }: TimedOccurrence, stamp: Stamp): Receipt => {
  const seen = seenOf(work.rows, event.identity);
  const after = repeat(event, { occurrence, time, seen, over: true }, stamp);
  saveRepeated(work, event, after, { told: null, seen });
  return receiptOf(after, 'duplicate_updated', { occurrence, time });
};

/** News of an event, which count as no occurrence. */
const toldOnly = (work: Work, event: Event, heard: TimedOccurrence, stamp: Stamp): Receipt => {
  const { occurrence } = heard;
  const after = silenced(event, filled(news(event, occurrence, stamp), occurrence, stamp), occurrence, stamp);
  save(work, event, after);
  return receiptOf(after, 'changed', heard);
};

/** Stores find an event by the time in its id: one without it would hold up its partition for ever. */
const requireId = (id: string): void => {
  if (parseEventId(id) !== id) throw new Error(`The id of an event must be a ULID, not ${id}`);
};

interface Beginning {
  /** Event time of the end of its condition, which arrived first. */
  readonly recoveredAt: number | null;
  /** The event that it supersedes: the same problem with another severity, or one that was silent. */
  readonly predecessor: Event | undefined;
}

/** The event that its condition had within the hour before. */
const previousOf = (work: Work, occurrence: Occurrence, { receivedAt }: Stamp): Event | undefined => {
  const end = recoveryOf(work.rows, idOf(occurrence), receivedAt);
  const event = eventOf(work, end?.eventId);
  return event?.status === 'resolved' && (occurrence.conditionId !== null || isSameIdentity(event, occurrence))
    ? event
    : undefined;
};

const created = (
  work: Work,
  { occurrence, time, marking }: TimedOccurrence,
  { recoveredAt, predecessor }: Beginning,
  stamp: Stamp,
): Receipt => {
  requireId(occurrence.newId);
  const seen = seenOf(work.rows, occurrence.identity);
  const previous = recoveredAt === null ? previousOf(work, occurrence, stamp) : undefined;
  const made = create({ tenant: work.tenant, occurrence, time, seen, recoveredAt, previous }, stamp);
  const own = marking === undefined || recoveredAt !== null ? made : marking.ofNew(made);
  const event = predecessor === undefined ? own : inherited(predecessor, own);
  if (predecessor !== undefined) save(work, predecessor, giveWay(predecessor, event.id, time, stamp).event);
  saveCreated(work, event, seen);
  if (recoveredAt !== null) noteEnd(work, idOf(occurrence), { at: recoveredAt, event }, stamp);
  return receiptOf(event, 'created', { occurrence, time });
};

/** A change is followed by another one: it was a moment. */
const followed = (work: Work, old: Event, { time }: TimedOccurrence, stamp: Stamp): void => {
  const condition = old.conditions[0]?.id ?? plainId(old.source, old.sourceId);
  noteEnd(work, condition, { at: endOfMoment(old), event: old }, stamp);
  save(work, old, passMoment(old, time, stamp).event);
};

/** The open event that an occurrence is about, judged by its identity. */
interface OccurrenceMatch {
  readonly joins?: Event;
  /** Plain ingest was silent about it for too long. */
  readonly replaces?: Event;
  /** The change before. */
  readonly follows?: Event;
}
const BESIDE: OccurrenceMatch = {};

/** An event held by a monitor's condition continues until that ends. */
const goesOn = (event: Event, { occurrence, time }: TimedOccurrence): boolean =>
  isHeld(event) || !isSilent(event, occurrence, time);

/**
 * Two conditions of one monitor are two problems, even if everything else is equal; reports of different monitors on
 * one thing are one event.
 */
const placeOfCondition = (events: readonly Event[], heard: TimedOccurrence): OccurrenceMatch => {
  const { source } = heard.occurrence;
  const joins = events.find((event) => !isHeldBy(event, source) && goesOn(event, heard));
  return joins === undefined ? BESIDE : { joins };
};

/**
 * Returns the event without a monitor's condition: the earlier one of this sourceId, else the newest event that
 * continues.
 */
const placeOfProblem = (events: readonly Event[], heard: TimedOccurrence): OccurrenceMatch => {
  const { source, sourceId } = heard.occurrence;
  const own = events.find((event) => isFedBySourceId(event, source, sourceId));
  if (own !== undefined) return goesOn(own, heard) ? { joins: own } : { replaces: own };
  const joins = events.find((event) => goesOn(event, heard));
  return joins === undefined ? BESIDE : { joins };
};

const placeOf = (events: readonly Event[], heard: TimedOccurrence): OccurrenceMatch => {
  const { occurrence, time } = heard;
  const isAnother = (event: Event): boolean => !isHeld(event) && isOtherMoment(event, occurrence, time);
  const same = occurrence.moment ? events.filter((event) => !isOtherMoment(event, occurrence, time)) : events;
  const place = occurrence.conditionId === null ? placeOfProblem(same, heard) : placeOfCondition(same, heard);
  const follows = place === BESIDE ? events.find(isAnother) : undefined;
  return follows === undefined ? place : { follows };
};

/** An unknown state makes no second problem of one that has just ended. */
const isSpent = (work: Work, occurrence: Occurrence, { receivedAt }: Stamp): boolean =>
  occurrence.update === true && recoveryOf(work.rows, idOf(occurrence), receivedAt) !== null;

/**
 * Matching in this order: condition, end that arrived first, identity, the same problem with another severity, else a
 * new event.
 */
export const occurred = (work: Work, occurrence: Occurrence, stamp: Stamp, marking?: Marking): Receipt => {
  const { conditionId, timestamp, maxBehindMs, update } = occurrence;
  const time = timeInStream(timestamp, work.rows.newest, stamp.receivedAt, maxBehindMs);
  const heard = { occurrence, time, ...(marking && { marking }) };
  const held = conditionId === null ? undefined : eventOf(work, work.rows.byCondition.get(conditionId));
  const isOther = held !== undefined && isOtherMoment(held, occurrence, time);
  if (held && !isOther) return (update ? toldOnly : repeatedAs)(work, held, heard, stamp);
  if (isSpent(work, occurrence, stamp)) return nothingOpen;
  // A change that is held by its condition is followed by this one; it is no event to count on.
  const events = alike(work, occurrence).filter(({ id }) => id !== held?.id);
  const end = endedBefore(work, events[0], heard, stamp);
  const ended = eventOf(work, end?.eventId);
  if (ended) return late(work, ended, heard, stamp);
  const { joins, replaces, follows } = end === null ? placeOf(events, heard) : BESIDE;
  if (held && end === null) followed(work, held, heard, stamp);
  if (joins) return (update && conditionId === null ? toldOnly : joined)(work, joins, heard, stamp);
  const predecessor = replaces ?? (end === null && !follows ? predecessorOf(work, occurrence) : undefined);
  if (predecessor && !replaces && occurrence.escalation === 'same_event')
    return repeatedAs(work, predecessor, heard, stamp);
  if (follows) followed(work, follows, heard, stamp);
  return created(work, heard, { recoveredAt: end?.at ?? null, predecessor }, stamp);
};

export const nothingOpen: Receipt = { ok: true, outcome: 'ignored', id: null, count: 0, correlationId: null };
