import { type Event, parseEventId } from '#domain/event/event.ts';
import type { Ask, Occurrence, Receipt } from '#domain/event/incoming.ts';
import { type Stamp, timeInStream } from '#domain/event/life/change.ts';
import { hasRoomFor, plainId } from '#domain/event/life/conditions.ts';
import { filled } from '#domain/event/life/filling.ts';
import {
  create,
  endOfMoment,
  isEscalated,
  isOtherMoment,
  isReturned,
  isSilent,
  repeat,
} from '#domain/event/life/occurrence.ts';
import { silenced, silencedBy } from '#domain/event/life/silencing.ts';
import { passMoment, supersede } from '#domain/event/life/status.ts';
import { giveWay, inherited, isSameProblem } from '#domain/event/life/taking-place.ts';
import type { Recovery } from '#domain/pipeline/processor.ts';
import { fedByPlain, keyOf, type Rows, recoveryOf, rememberRecovery, seenOf } from './dedup-rows.ts';
import { answer, eventOf, type Repeated, save, saveCreated, saveRepeated, type Work } from './dedup-work.ts';

/** A message that says when a condition began may be on its way for so long after the end of the condition was received. */
const OVERTAKEN_MS = 120_000;
/** Events of one sourceId that are looked at for the same problem. */
const MOST_ALIKE = 8;

/** The condition that an occurrence belongs to: what a monitor declares, else the sourceId. */
const conditionOf = ({ conditionId, source, sourceId }: Occurrence): string => conditionId ?? plainId(source, sourceId);

/** Ids of the events that an occurrence may touch, as the index stands. */
export const namedBy = (rows: Rows | undefined, occurrence: Occurrence): (string | undefined)[] => {
  if (rows === undefined) return [];
  const { conditionId, identity, legacyIdentity, plain } = occurrence;
  const condition = conditionOf(occurrence);
  const ids = [rows.byIdentity.get(keyOf(identity))];
  if (rows.recoveries.size > 0) ids.push(rows.recoveries.get(condition)?.eventId);
  if (conditionId !== null) ids.push(rows.byCondition.get(conditionId));
  if (legacyIdentity !== undefined) ids.push(rows.byIdentity.get(keyOf(legacyIdentity)));
  if (plain) ids.push(...fedByPlain(rows.bySource, condition, MOST_ALIKE));
  return ids;
};

const openBy = (work: Work, identity: string): Event | undefined => {
  const event = eventOf(work, work.rows.byIdentity.get(keyOf(identity)));
  return event?.identity === identity ? event : undefined;
};

/** The open event of the complaint, also one that an older program gave its identity. */
const openOf = (work: Work, { identity, legacyIdentity }: Occurrence): Event | undefined =>
  openBy(work, identity) ?? (legacyIdentity === undefined ? undefined : openBy(work, legacyIdentity));

/** Plain ingest asks only where an end can matter: with nothing open, from before what is open, or with several sourceIds. */
const mayHaveEnded = (open: Event | undefined, { conditionId, plain }: Occurrence, time: number): boolean =>
  conditionId !== null ||
  (plain === true && (open === undefined || time < open.firstOccurrence || open.conditions.length > 0));

const isSameComplaint = (event: Event | undefined, { identity, legacyIdentity }: Occurrence): boolean =>
  event !== undefined && (event.identity === identity || event.identity === legacyIdentity);

/** One occurrence with its event time as it is used, ms. */
interface Heard {
  readonly occurrence: Occurrence;
  readonly time: number;
}

/** The end of its condition when the occurrence began no later but comes after it. Without a time of its own it began when it came. */
const endedBefore = (
  work: Work,
  open: Event | undefined,
  { occurrence, time }: Heard,
  { receivedAt }: Stamp,
): Recovery | null => {
  if (occurrence.untimed || !mayHaveEnded(open, occurrence, time)) return null;
  const end = recoveryOf(work.rows, conditionOf(occurrence), receivedAt);
  if (end === null || time > end.at) return null;
  if (occurrence.conditionId === null) return isSameComplaint(eventOf(work, end.eventId), occurrence) ? end : null;
  return occurrence.ongoing && receivedAt - end.receivedAt > OVERTAKEN_MS ? null : end;
};

/** The newest open event of the same source and sourceId that says the same with another severity. */
const predecessorOf = (work: Work, occurrence: Occurrence): Event | undefined => {
  const { plain, escalation, severity } = occurrence;
  if (!plain) return undefined;
  const alike = fedByPlain(work.rows.bySource, conditionOf(occurrence), MOST_ALIKE)
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

const receiptOf = (event: Event, outcome: 'created' | 'duplicate_updated', { occurrence, time }: Heard): Receipt => {
  const receipt = answer({ event, outcome });
  const held = silencedBy(event);
  const told = held === null ? receipt : { ...receipt, suppressedBy: held.by };
  return time === occurrence.timestamp ? told : { ...told, skewed: true };
};

const ESCALATED: Repeated['told'] = { happened: 'changed', again: 'escalated' };
const MOVED: Repeated['told'] = { happened: 'changed' };

/** Found by its condition; the CI that is found now outweighs everything else. */
const toldOf = (before: Event, counted: Event, after: Event, occurrence: Occurrence): Repeated['told'] => {
  if (before.ci === null && after.ci !== null) return { happened: 'bound' };
  // A return brings the new severity along; a change of severity alone is of no use to windows after such a silence.
  if (isReturned(before, after, occurrence)) return { happened: 'changed', again: 'returned' };
  if (isEscalated(before, after)) return ESCALATED;
  return after === counted ? null : { happened: 'changed' };
};

/** Found by its condition or as the same problem: severity and signature may have changed, and what is missing is filled in. */
const repeatedAs = (work: Work, event: Event, { occurrence, time }: Heard, stamp: Stamp): Receipt => {
  const seen = seenOf(work.rows, event.identity);
  const counted = repeat(event, { occurrence, time, seen, byCondition: true }, stamp);
  const said = filled(counted, occurrence, stamp);
  const after = silenced(event, said, occurrence, stamp);
  const told = toldOf(event, counted, said, occurrence) ?? (after === said ? null : MOVED);
  saveRepeated(work, event, after, { told, seen, time });
  return receiptOf(after, 'duplicate_updated', { occurrence, time });
};

/** `over`: its condition has ended. */
const counted = (work: Work, event: Event, { occurrence, time }: Heard, over: boolean, stamp: Stamp): Receipt => {
  const seen = seenOf(work.rows, event.identity);
  const once = repeat(event, { occurrence, time, seen, byCondition: false, over }, stamp);
  const after = over ? once : silenced(event, once, occurrence, stamp);
  const told = isEscalated(event, once) ? ESCALATED : after === once ? null : MOVED;
  saveRepeated(work, event, after, { told, seen, time });
  return receiptOf(after, 'duplicate_updated', { occurrence, time });
};

/** Stores find an event by the time in its id: one without it would hold up its partition for ever. */
const requireId = (id: string): void => {
  if (parseEventId(id) !== id) throw new Error(`The id of an event must be a ULID, not ${id}`);
};

interface Beginning {
  /** Event time of the end of its condition, which came first. */
  readonly recoveredAt: number | null;
  /** The event of the same problem with another severity. */
  readonly predecessor: Event | undefined;
}

const created = (
  work: Work,
  { occurrence, time }: Heard,
  { recoveredAt, predecessor }: Beginning,
  stamp: Stamp,
): Receipt => {
  const seen = seenOf(work.rows, occurrence.identity);
  const made = create({ tenant: work.tenant, occurrence, time, seen, recoveredAt }, stamp);
  const event = predecessor === undefined ? made : inherited(predecessor, made);
  if (predecessor !== undefined) save(work, predecessor, giveWay(predecessor, event.id, time, stamp).event);
  saveCreated(work, event, seen);
  if (recoveredAt !== null) noteEnd(work, conditionOf(occurrence), { at: recoveredAt, event }, stamp);
  return receiptOf(event, 'created', { occurrence, time });
};

/** The earlier event of the same complaint, when it does not go on: it was silent for too long, or it was another change. */
const closeOld = (work: Work, old: Event, { occurrence, time }: Heard, stamp: Stamp): void => {
  const follows = isOtherMoment(old, occurrence, time);
  const condition = old.conditions[0]?.id ?? `${old.source}#${old.sourceId}`;
  if (follows) noteEnd(work, condition, { at: endOfMoment(old), event: old }, stamp);
  save(work, old, (follows ? passMoment : supersede)(old, time, stamp).event);
};

/** Matching in this order: condition, end that came first, identity, the same problem with another severity, else a new event. */
export const occurred = (work: Work, { occurrence }: Extract<Ask, { kind: 'occurred' }>, stamp: Stamp): Receipt => {
  const { conditionId, timestamp, maxBehindMs } = occurrence;
  const time = timeInStream(timestamp, work.rows.newest, stamp.receivedAt, maxBehindMs);
  const heard = { occurrence, time };
  const held = conditionId === null ? undefined : eventOf(work, work.rows.byCondition.get(conditionId));
  if (held && !isOtherMoment(held, occurrence, time)) return repeatedAs(work, held, heard, stamp);
  // A change that is held by its condition is followed by this one; it is no event to count on.
  const found = openOf(work, occurrence);
  const open = found?.id === held?.id ? undefined : found;
  const end = endedBefore(work, open, heard, stamp);
  const ended = eventOf(work, end?.eventId);
  if (ended) return counted(work, ended, heard, true, stamp);
  const same = end === null ? open : undefined;
  const goesOn = same && !isSilent(same, occurrence, time) && !isOtherMoment(same, occurrence, time);
  const joins = goesOn && hasRoomFor(same, conditionId);
  if (!joins) requireId(occurrence.newId);
  if (held && end === null) closeOld(work, held, heard, stamp);
  if (joins) return counted(work, same, heard, false, stamp);
  const predecessor = end === null && same === undefined ? predecessorOf(work, occurrence) : undefined;
  if (predecessor && occurrence.escalation === 'same_event') return repeatedAs(work, predecessor, heard, stamp);
  if (same && !goesOn) closeOld(work, same, heard, stamp);
  return created(work, heard, { recoveredAt: end?.at ?? null, predecessor }, stamp);
};
