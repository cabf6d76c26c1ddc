import type { Event, HistoryEntry, Status } from '#domain/event/event.ts';
import { isChange, type ProblemFields } from '#domain/event/identity/problem-kind.ts';
import type { SavedEvent } from '#domain/event/incoming.ts';
import type { StatusTransition } from './records.ts';

/** A transition and the position of its record: an event is judged by its state at a position. */
export type PlacedTransition = StatusTransition & { readonly position: number };

export const NO_TRANSITIONS: readonly PlacedTransition[] = [];
/** Maximum of status transitions remembered per event; no two records that are decided together are further apart. */
const MAX_TRANSITIONS = 32;

const isOn = (status: Status | null): boolean => status !== 'resolved' && status !== 'suppressed';

const transitionIn = (eventId: string, { from, to, at }: HistoryEntry): StatusTransition | null =>
  isOn(from) === isOn(to) ? null : { kind: isOn(to) ? 'returned' : 'ended', eventId, at };

/** The turn that the record caused; null for nearly all records, and for a change: that is a moment, which has no end. */
export function transitionOf({ event, previousStatus }: SavedEvent): StatusTransition | null {
  if (previousStatus === undefined || isOn(previousStatus) === isOn(event.status) || isChange(event)) return null;
  const entry = event.history.findLast(({ from, to }) => from !== to);
  return entry === undefined ? null : transitionIn(event.id, entry);
}

/** The last turn of an event that is over now; null for one that is on, and for a change. */
export function lastEndOf(event: Lived & Pick<Event, 'status'>): StatusTransition | null {
  const last = isOn(event.status) ? undefined : transitionsOf(event).at(-1);
  return last?.kind === 'ended' ? { kind: 'ended', eventId: last.eventId, at: last.at } : null;
}

/** The fields of an event that show its turns. */
export type Lived = ProblemFields & Pick<Event, 'id' | 'history'>;

/**
 * Returns all status transitions of an event, by position, from its history: the same as those published when they
 * happened.
 */
export const transitionsOf = (event: Lived): readonly PlacedTransition[] =>
  event.history.length < 2 || isChange(event) ? NO_TRANSITIONS : transitionsIn(event.id, event.history);

/** The same of an event that is no change. */
export function transitionsIn(eventId: string, history: readonly HistoryEntry[]): readonly PlacedTransition[] {
  const turns: PlacedTransition[] = [];
  for (const entry of history) {
    const turn = entry.from === null ? null : transitionIn(eventId, entry);
    if (turn !== null) turns.push({ ...turn, position: entry.position });
  }
  return turns.length === 0 ? NO_TRANSITIONS : turns.slice(-MAX_TRANSITIONS);
}

/** Returns the time since when the event was over in its state at the position, ms; null while it was active. */
export function endedAt(turns: readonly PlacedTransition[], position = Number.POSITIVE_INFINITY): number | null {
  const last = turns.findLast((turn) => turn.position <= position);
  return last?.kind === 'ended' ? last.at : null;
}

/** Adds a transition; the same transition received twice changes nothing. */
export function withTransition(
  turns: readonly PlacedTransition[],
  turn: PlacedTransition,
): readonly PlacedTransition[] {
  const place = turns.findLastIndex(({ position }) => position <= turn.position) + 1;
  if (turns[place - 1]?.position === turn.position) return turns;
  return turns.toSpliced(place, 0, turn).slice(-MAX_TRANSITIONS);
}
