import { operatedByPerson } from '#domain/access/trail.ts';
import { entryId, GROUP_ENTRY, type GroupEntry } from '#domain/correlation/grouping/group-entry.ts';
import { type EventsPart, OPERATION, UNDO_MS } from '#domain/correlation/grouping/operation.ts';
import type { Event, EventBefore } from '#domain/event/event.ts';
import type { Ask, Operated, Receipt } from '#domain/event/incoming.ts';
import type { Stamp } from '#domain/event/lifecycle/change.ts';
import { beforeOf, isAsLeft, putBack, wasClosed } from '#domain/event/lifecycle/putting-back.ts';
import { setStatus } from '#domain/event/lifecycle/status.ts';
import { assignEvent } from './assign-event.ts';
import { conflict, eventOf, lasts, save, type Work, waitingAgain } from './dedup-work.ts';

type AskOf<K extends Ask['kind']> = Extract<Ask, { readonly kind: K }>;

const answered = ({ groupId }: Operated, count: number): Receipt => ({
  ok: true,
  outcome: count > 0 ? 'changed' : 'ignored',
  id: null,
  count,
  correlationId: groupId,
});

/** The entries of the group and of the audit trail; all parts of an operation write the same one of the latter. */
const tell = ({ tenant, effects }: Work, ask: Operated, { receivedAt: at }: Stamp, more: object): void => {
  const { operation, groupId, by, said } = ask;
  effects.saveRecord(operatedByPerson(tenant, ask, at, more));
  if (groupId === null) return;
  const entry: GroupEntry = { id: operation, group: groupId, kind: 'status', at, by, text: said };
  effects.saveRecord({ tenant, kind: GROUP_ENTRY, id: entryId(entry), body: entry });
};

const keep = (
  { tenant, effects }: Work,
  ask: AskOf<'operated'>,
  events: readonly EventBefore[],
  stamp: Stamp,
): void => {
  const { operation, groupId } = ask;
  const { position, receivedAt: at } = stamp;
  const subject = groupId ?? events[0]?.id ?? '';
  const body: EventsPart = { subject, at, groupId, position, events };
  // A retry of the undo may arrive at the last moment.
  const expiresAt = at + 2 * UNDO_MS;
  effects.saveRecord({ tenant, kind: OPERATION, id: `${operation}/${subject}/${position}`, body, expiresAt });
};

const moved = (work: Work, event: Event, ask: AskOf<'operated'>, stamp: Stamp): Event => {
  const { status = event.status, by, notes, category, assignedTo, assignedTeam } = ask;
  const known = status === 'resolved' ? event : waitingAgain(work, event, stamp);
  const change = setStatus(known, { to: status, at: stamp.receivedAt, by, notes, category }, stamp);
  return assignEvent(change, { by, ...(assignedTo && { assignedTo }), ...(assignedTeam && { assignedTeam }) }, stamp)
    .event;
};

/** True if the others have changed since the request was made, or another event is open for the same problem. */
const isMeant = (work: Work, event: Event, { from, status }: AskOf<'operated'>): boolean =>
  from.includes(event.status) &&
  wasClosed(event) &&
  (status === undefined || status === 'resolved' || conflict(work, event) === null);

export const groupSet = (work: Work, ask: AskOf<'operated'>, stamp: Stamp): Receipt => {
  const before: EventBefore[] = [];
  for (const id of ask.eventIds) {
    const event = eventOf(work, id);
    if (event === undefined || !isMeant(work, event, ask)) continue;
    const after = moved(work, event, ask, stamp);
    if (after === event) continue;
    save(work, event, after);
    before.push(beforeOf(event));
  }
  if (before.length > 0) {
    const { status, category, notes, assignedTo, assignedTeam } = ask;
    tell(work, ask, stamp, {
      ...(status && { status }),
      ...(category && { resolutionCategory: category }),
      ...(notes !== undefined && { notes }),
      ...(assignedTo && { assignedTo: assignedTo.user }),
      ...(assignedTeam && { assignedTeam: assignedTeam.team }),
    });
    keep(work, ask, before, stamp);
  }
  return answered(ask, before.length);
};

/** Null: a later change prevents it. */
const backOf = (work: Work, event: Event, standing: EventBefore, { receivedAt }: Stamp): EventBefore | null => {
  if (standing.status === 'resolved') return standing;
  const conditions = standing.conditions.filter((condition) => lasts(work, event, condition, receivedAt));
  const isOver = standing.conditions.length > 0 && conditions.length === 0;
  return isOver || conflict(work, event) !== null ? null : { ...standing, conditions };
};

export const groupUndone = (work: Work, ask: AskOf<'undone'>, stamp: Stamp): Receipt => {
  let count = 0;
  for (const before of ask.events) {
    const event = eventOf(work, before.id);
    const standing = event && isAsLeft(event, ask.setAt) ? backOf(work, event, before, stamp) : null;
    if (event === undefined || standing === null) continue;
    save(work, event, putBack(event, standing, ask.by, stamp), 'changed', undefined, true);
    count += 1;
  }
  if (count > 0) tell(work, ask, stamp, {});
  return answered(ask, count);
};
