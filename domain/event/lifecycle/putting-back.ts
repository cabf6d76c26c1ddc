import type { Actor, Event, EventBefore, Status } from '#domain/event/event.ts';
import { entryOf, type Stamp, touched, withEntry } from './change.ts';

export const beforeOf = (event: Event): EventBefore => {
  const { id, status, conditions, silencing, assignedTo, assignedTeam } = event;
  const { acknowledgedBy, acknowledgedAt, resolvedBy, resolvedAt, resolutionNotes, resolutionCategory } = event;
  return {
    id,
    status,
    conditions,
    ...(silencing && { silencing }),
    ...(assignedTo && { assignedTo }),
    ...(assignedTeam && { assignedTeam }),
    ...(acknowledgedBy && { acknowledgedBy }),
    ...(acknowledgedAt !== undefined && { acknowledgedAt }),
    ...(resolvedBy && { resolvedBy }),
    ...(resolvedAt !== undefined && { resolvedAt }),
    ...(resolutionNotes !== undefined && { resolutionNotes }),
    ...(resolutionCategory && { resolutionCategory }),
  };
};

const withoutThem = (event: Event): Omit<Event, keyof EventBefore> => {
  const { id: _id, status: _status, conditions: _conditions, silencing: _silencing, ...more } = event;
  const { assignedTo: _user, assignedTeam: _team, acknowledgedBy: _by, acknowledgedAt: _at, ...rest } = more;
  const { resolvedBy: _who, resolvedAt: _when, resolutionNotes: _notes, resolutionCategory: _category, ...left } = rest;
  return left;
};

/** Returns the event in its earlier state; `by` has undone the change. */
export const putBack = (event: Event, standing: EventBefore, by: Actor, stamp: Stamp): Event => {
  const entry = entryOf(event, { at: stamp.receivedAt, to: standing.status, by, notes: 'undone' }, stamp);
  const history = withEntry(event.history, entry);
  return { ...withoutThem(event), ...standing, history, ...touched(event, stamp) };
};

/** True if the record at this position was the last to change the visible state of the event. */
export const isAsLeft = ({ history }: Event, position: number): boolean => history.at(-1)?.position === position;

/** A user has closed neither an event that another superseded nor one that recovered by itself. */
export const wasClosed = ({ status, resolvedBy, supersededBy }: Event): boolean =>
  status !== 'resolved' || (resolvedBy !== undefined && supersededBy === undefined);

/** Members of a group that move to a status, and events that a filter finds: resolved ones stay resolved unless they are opened. */
export const MOVED_FROM: Readonly<Record<Status, readonly Status[]>> = {
  open: ['acknowledged', 'suppressed', 'resolved'],
  acknowledged: ['open'],
  suppressed: ['open', 'acknowledged'],
  resolved: ['open', 'acknowledged', 'suppressed'],
};
