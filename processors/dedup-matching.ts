import type { Event } from '#domain/event/event.ts';
import type { Occurrence } from '#domain/event/incoming.ts';
import type { Stamp } from '#domain/event/life/change.ts';
import { plainId } from '#domain/event/life/conditions.ts';
import { isSameProblem } from '#domain/event/life/taking-place.ts';
import type { Recovery } from '#domain/pipeline/processor.ts';
import { type Rows, recoveryOf, rememberRecovery } from './dedup-rows.ts';
import { fedByPlain, keyOf } from './dedup-sources.ts';
import { eventOf, type Work } from './dedup-work.ts';

/** Which events an occurrence may be about. */

/** A message that says when a condition began may be on its way for so long after the end of the condition was received. */
const OVERTAKEN_MS = 120_000;
/** Events of one sourceId that are looked at for the same problem. */
const MOST_ALIKE = 8;

/** The condition that an occurrence belongs to: what a monitor declares, else the sourceId. */
export const conditionOf = ({ conditionId, source, sourceId }: Occurrence): string =>
  conditionId ?? plainId(source, sourceId);

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
export const openOf = (work: Work, { identity, legacyIdentity }: Occurrence): Event | undefined =>
  openBy(work, identity) ?? (legacyIdentity === undefined ? undefined : openBy(work, legacyIdentity));

/** Plain ingest asks only where an end can matter: with nothing open, from before what is open, or with several sourceIds. */
const mayHaveEnded = (open: Event | undefined, { conditionId, plain }: Occurrence, time: number): boolean =>
  conditionId !== null ||
  (plain === true && (open === undefined || time < open.firstOccurrence || open.conditions.length > 0));

const isSameComplaint = (event: Event | undefined, { identity, legacyIdentity }: Occurrence): boolean =>
  event !== undefined && (event.identity === identity || event.identity === legacyIdentity);

interface Heard {
  readonly occurrence: Occurrence;
  readonly time: number;
}

/** The end of its condition when the occurrence began no later but comes after it. Without a time of its own it began when it came. */
export const endedBefore = (
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
export const predecessorOf = (work: Work, occurrence: Occurrence): Event | undefined => {
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
