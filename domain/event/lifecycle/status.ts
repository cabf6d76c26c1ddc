import type { Actor, Event, ResolutionCategory, Status } from '#domain/event/event.ts';
import type { RecordOutcome } from '#domain/event/incoming.ts';
import { believable, type Change, entryOf, isSince, type Stamp, touched, withEntry, withNote } from './change.ts';
import { endOf, withShown } from './conditions.ts';
import { silencedBy, withoutSuppression } from './suppression.ts';

/** A wish to move an event to a status. `at` is event time in ms; `by` is null when a monitor or a rule asks. */
export interface Move {
  readonly to: Status;
  readonly at: number;
  readonly by: Actor | null;
  readonly notes?: string | undefined;
  readonly category?: ResolutionCategory | undefined;
  /** End of a suppression, ms. */
  readonly until?: number | undefined;
}

const OUTCOMES: Readonly<Record<Status, RecordOutcome>> = {
  open: 'reopened',
  acknowledged: 'acknowledged',
  resolved: 'resolved',
  suppressed: 'suppressed',
};

/** All notes on the resolution together; beyond, the oldest are left to the history, which has each. */
const MAX_NOTES = 32_768;
const joinedNotes = (notes: string | undefined, more: string): string =>
  (notes ? `${notes}\n${more}` : more).slice(-MAX_NOTES);

const unresolved = (event: Event): Event => {
  const { resolvedBy: _by, resolvedAt: _at, resolutionNotes: _notes, resolutionCategory: _category, ...rest } = event;
  return rest;
};

/** Its conditions stay: it waits for them again when a user opens it. */
const resolved = (event: Event, { at, by, notes, category }: Move): Event => ({
  ...event,
  resolvedAt: at,
  ...(by && { resolvedBy: by }),
  ...(notes && { resolutionNotes: notes }),
  ...(category && { resolutionCategory: category }),
});

const unacknowledged = (event: Event): Event => {
  const { acknowledgedBy: _by, acknowledgedAt: _at, ...rest } = event;
  return rest;
};

/** Opening an event again clears these fields. */
const leaving = (event: Event, to: Status): Event => {
  if (event.status === 'resolved') return unresolved(event);
  return event.status === 'acknowledged' && to === 'open' ? unacknowledged(event) : event;
};

const entered = (event: Event, move: Move): Event => {
  if (move.to === 'resolved') return resolved(event, move);
  const left = leaving(event, move.to);
  if (move.to === 'suppressed') return withoutSuppression(left, move.until);
  if (move.to !== 'acknowledged') return left;
  const { acknowledgedBy: _by, ...rest } = left;
  return { ...rest, acknowledgedAt: move.at, ...(move.by && { acknowledgedBy: move.by }) };
};

/** The same state again: nothing moves, notes are added (docs/specification.md §4). */
const noted = (event: Event, move: Move): Event => {
  const category = move.category && event.status === 'resolved' ? { resolutionCategory: move.category } : null;
  if (!move.notes) return category ? { ...event, ...category } : event;
  const notes =
    event.status === 'resolved' ? { resolutionNotes: joinedNotes(event.resolutionNotes, move.notes) } : null;
  return { ...event, ...notes, ...category };
};

/**
 * Moves an event to a status, from any status, not before it began; the owner of events checks first that no other open event has its
 * identity.
 */
export const setStatus = (event: Event, wish: Move, stamp: Stamp): Change => {
  const move = { ...wish, at: Math.max(believable(wish.at, stamp.receivedAt), event.firstOccurrence) };
  const outcome = OUTCOMES[move.to];
  const isReplaced = move.to === 'suppressed' && (silencedBy(event) !== null || move.until !== undefined);
  const taken = isReplaced ? withoutSuppression(event, move.until) : event;
  const moved = event.status === move.to ? noted(taken, move) : entered(event, move);
  if (moved === event && event.status === move.to) return { event, outcome };
  const history =
    event.status === move.to && !move.notes ? event.history : withEntry(event.history, entryOf(event, move, stamp));
  return { event: { ...moved, status: move.to, history, ...touched(event, stamp) }, outcome };
};

export interface Recovered {
  /** Null: the only one, which is not written down. */
  readonly conditionId: string | null;
  /** Event time of the end, ms. */
  readonly at: number;
  readonly untimed?: true | undefined;
  readonly notes?: string | undefined;
}

/** An end that arrived after the next start changes nothing; history has the reason. */
const overtaken = (event: Event, at: number, stamp: Stamp): Change => {
  const notes = `Recovery at ${new Date(at).toISOString()} is older than the latest occurrence; ignored`;
  const told = event.history.at(-1)?.notes === notes;
  return { event: told ? event : withNote(event, { by: null, notes }, stamp), outcome: 'ignored' };
};

/** A condition is over when it began no later: it leaves the event, and the event resolves when it was the last. */
export const recover = (event: Event, { conditionId, at, untimed, notes }: Recovered, stamp: Stamp): Change => {
  const only = conditionId === null;
  const { receivedAt } = stamp;
  const begunSince = only
    ? isSince(event.lastOccurrence, at, receivedAt)
    : endOf(event, conditionId, { at, receivedAt }) === 'begun-since';
  if (begunSince && !untimed) return overtaken(event, at, stamp);
  const conditions = only ? [] : event.conditions.filter(({ id }) => id !== conditionId);
  if (conditions.length > 0)
    return {
      event: withShown({ ...event, conditions, ...touched(event, stamp) }, stamp.receivedAt, stamp, true),
      outcome: 'changed',
    };
  return setStatus({ ...event, conditions }, { to: 'resolved', at, by: null, notes, category: 'auto-resolved' }, stamp);
};

/** Silent for longer than the deduplication window: the next occurrence is a new event. */
export const supersede = (event: Event, at: number, stamp: Stamp): Change =>
  setStatus(event, { to: 'resolved', at, by: null, notes: 'superseded', category: 'auto-resolved' }, stamp);

/** A change that is followed by the next one: it was a moment, nothing has to recover. */
export const passMoment = (event: Event, at: number, stamp: Stamp): Change =>
  setStatus(event, { to: 'resolved', at, by: null, notes: 'followed', category: 'no-action-needed' }, stamp);

/** Open events are resolved before their index is due (architecture, "Retention"). */
export const expire = (event: Event, stamp: Stamp): Change =>
  event.status === 'resolved'
    ? { event, outcome: 'ignored' }
    : setStatus(
        event,
        { to: 'resolved', at: stamp.receivedAt, by: null, notes: 'expired', category: 'auto-resolved' },
        stamp,
      );

/** The end of a downtime or of flapping with a bad state: an event that it suppressed is open again, another stays as it is. */
export const unsuppress = (event: Event, move: Pick<Move, 'at' | 'by' | 'notes'>, stamp: Stamp): Change =>
  event.status === 'suppressed' && silencedBy(event) === null
    ? setStatus(event, { ...move, to: 'open' }, stamp)
    : { event, outcome: 'ignored' };

/** The monitor withdraws its acknowledgment: the event is open again, unless a user here has acknowledged it. */
export const unacknowledge = (
  event: Event,
  { source, ...move }: Pick<Move, 'at' | 'by' | 'notes'> & { readonly source: string },
  stamp: Stamp,
): Change => {
  const { acknowledgedBy } = event;
  const isMonitors = acknowledgedBy === undefined || acknowledgedBy.id.startsWith(`${source}:`);
  return event.status === 'acknowledged' && isMonitors
    ? setStatus(event, { ...move, to: 'open' }, stamp)
    : { event, outcome: 'ignored' };
};
