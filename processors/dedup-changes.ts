import { changedByPerson, correlatedByPerson } from '#domain/access/trail.ts';
import { type Event, eventIdOf } from '#domain/event/event.ts';
import type { Ask, Receipt } from '#domain/event/incoming.ts';
import { analyse, assign, bind, type Stamp, withNote } from '#domain/event/life/change.ts';
import { endSilent } from '#domain/event/life/ending.ts';
import { handOver } from '#domain/event/life/hand-over.ts';
import { unsilence } from '#domain/event/life/silencing.ts';
import { expire, setStatus } from '#domain/event/life/status.ts';
import { keyOf } from './dedup-sources.ts';
import { answer, changed, eventOf, save, type Work } from './dedup-work.ts';

/** Changes of an event that the record names by its id. */
type Asked<K extends Ask['kind']> = Extract<Ask, { readonly kind: K }>;

const notFound = (id: string): Receipt => ({
  ok: false,
  fault: 'not-found',
  message: `Event ${eventIdOf(id)} was not found`,
});

/** Leaving resolved is refused while another open event has the identity (docs/specification.md §4). */
const conflict = (work: Work, event: Event): Receipt | null => {
  const other = work.rows.byIdentity.get(keyOf(event.identity));
  if (event.status !== 'resolved' || other === undefined) return null;
  const conflictingEventId = eventIdOf(other);
  const message = `Event ${conflictingEventId} is open for the same complaint: change that one`;
  return { ok: false, fault: 'conflict', message, data: { conflictingEventId } };
};

export const statusSet = (
  work: Work,
  { eventId, status, by, notes, category, trail, ...assignment }: Asked<'status-set'>,
  stamp: Stamp,
): Receipt => {
  const event = eventOf(work, eventId);
  if (!event) return notFound(eventId);
  const refused = status === 'resolved' ? null : conflict(work, event);
  const move = { to: status, at: stamp.receivedAt, by, notes, category };
  if (refused !== null) return refused;
  const change = handOver(setStatus(event, move, stamp), { ...assignment, by }, stamp);
  const receipt = changed(work, event, change);
  if (trail && change.event !== event)
    work.effects.saveRecord(changedByPerson({ event, by, trail, at: stamp.receivedAt }, change.event, notes));
  return receipt;
};

/** A note beside the course of the event, whatever its status. */
export const noted = (work: Work, { eventId, by, text, trail }: Asked<'noted'>, stamp: Stamp): Receipt => {
  const event = eventOf(work, eventId);
  if (!event) return notFound(eventId);
  const after = withNote(event, { by, notes: text }, stamp);
  if (trail) work.effects.saveRecord(changedByPerson({ event, by, trail, at: stamp.receivedAt }, after, text));
  return changed(work, event, { event: after, outcome: 'changed' });
};

/** Nobody waits for an assignment, and it may carry the position of the arrival that was answered already. */
export const assigned = (
  work: Work,
  { eventId, correlationId, moves, leaves }: Asked<'assigned'>,
  stamp: Stamp,
): null => {
  const event = eventOf(work, eventId);
  if (!event) return null;
  const change = leaves ? assign(event, null, stamp, true) : assign(event, correlationId, stamp, moves);
  save(work, event, change.event, 'assigned');
  return null;
};

/** Merge answers when the links are decided; here only what is unknown is refused. */
export const related = (
  work: Work,
  { eventId, links, manual, by, notes, trail, apart }: Asked<'related'>,
  stamp: Stamp,
): Receipt | null => {
  const event = eventOf(work, eventId);
  if (!event) return notFound(eventId);
  const after = notes ? withNote(event, { by, notes }, stamp) : event;
  const hand = by && trail && { by, at: stamp.receivedAt, trail };
  save(work, event, after, 'related', { links, manual, ...(hand && { hand }), ...(apart && { apart }) });
  // Merge writes the audit entry of a split, since only merge knows whether it was made.
  if (trail && by && !apart)
    work.effects.saveRecord(correlatedByPerson({ event, by, trail, at: stamp.receivedAt }, links, notes));
  return null;
};

export const bound = (work: Work, { eventId, ci, businessImpact }: Asked<'bound'>, stamp: Stamp): Receipt => {
  const event = eventOf(work, eventId);
  if (!event) return notFound(eventId);
  const change = bind(event, ci, stamp, businessImpact);
  save(work, event, change.event, 'bound');
  return answer(change);
};

/** Changes nothing of the event; one that is over, or without a CI, has no use for surroundings. */
export const rewired = (work: Work, { eventId }: Asked<'rewired'>): Receipt => {
  const event = eventOf(work, eventId);
  if (!event) return notFound(eventId);
  if (event.ci === null || event.status === 'resolved') return answer({ event, outcome: 'ignored' });
  save(work, event, event, 'bound', {});
  return answer({ event, outcome: 'changed' });
};

export const analysed = (work: Work, { eventId, analysis }: Asked<'analysed'>, stamp: Stamp): Receipt => {
  const event = eventOf(work, eventId);
  return event ? changed(work, event, analyse(event, analysis, stamp)) : notFound(eventId);
};

export const expired = (work: Work, { eventId, silence }: Asked<'expired'>, stamp: Stamp): Receipt => {
  const event = eventOf(work, eventId);
  if (!event) return notFound(eventId);
  return changed(work, event, silence === undefined ? expire(event, stamp) : endSilent(event, silence, stamp));
};

export const unsilenced = (work: Work, { eventId, by, next }: Asked<'unsilenced'>, stamp: Stamp): Receipt => {
  const event = eventOf(work, eventId);
  return event ? changed(work, event, unsilence(event, by, next, stamp)) : notFound(eventId);
};
