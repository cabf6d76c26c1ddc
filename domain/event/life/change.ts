import type { Actor, Event, HistoryEntry, Severity, Status } from '#domain/event/event.ts';
import type { RecordOutcome } from '#domain/event/incoming.ts';
import { believable } from '#domain/event/time.ts';

/** The record that changes an event: its position in `events.incoming` and when it was received, in ms. */
export interface Stamp {
  readonly position: number;
  readonly receivedAt: number;
}

/** The result of one record for an event. `event` is the same object when nothing changed. */
export interface Change {
  readonly event: Event;
  readonly outcome: RecordOutcome;
}

/** History keeps the first entry and the newest; a condition that flaps for months must not grow its event without end. */
export const MAX_HISTORY = 500;

export const withEntry = (history: readonly HistoryEntry[], entry: HistoryEntry): readonly HistoryEntry[] => {
  const first = history[0];
  if (history.length < MAX_HISTORY || first === undefined) return [...history, entry];
  return [first, ...history.slice(history.length - MAX_HISTORY + 2), entry];
};

interface Moved {
  readonly at: number;
  readonly to: Status;
  readonly by?: Actor | null;
  readonly notes?: string | undefined;
  readonly severity?: { readonly from: Severity; readonly to: Severity };
}

/** The entry that says what changed, written by the record of `stamp`. */
export const entryOf = (event: Event, { at, to, by = null, notes, severity }: Moved, stamp: Stamp): HistoryEntry => ({
  at: believable(at, stamp.receivedAt),
  by,
  from: event.status,
  to,
  ...(severity && { severity }),
  ...(notes && { notes }),
  position: stamp.position,
});

/** Fields that every change sets. Assignments come back with the position of their arrival, so the fence never falls. */
export const touched = (event: Event, stamp: Stamp): Pick<Event, 'position' | 'updatedAt'> => ({
  position: Math.max(event.position, stamp.position),
  updatedAt: Math.max(event.updatedAt, stamp.receivedAt),
});

/** A note beside the course of an event: who said what, with nothing moved. */
export const withNote = (
  event: Event,
  { by, notes }: { readonly by: Actor | null; readonly notes: string },
  stamp: Stamp,
): Event => ({
  ...event,
  history: withEntry(event.history, entryOf(event, { at: stamp.receivedAt, to: event.status, by, notes }, stamp)),
  ...touched(event, stamp),
});
