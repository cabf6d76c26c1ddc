import { besideSaid } from '#domain/event/business-impact.ts';
import type {
  Actor,
  AiAnalysis,
  BusinessImpact,
  CiRef,
  Event,
  HistoryEntry,
  Severity,
  Status,
} from '#domain/event/event.ts';
import { sign } from '#domain/event/identity/signature.ts';
import type { RecordOutcome } from '#domain/event/incoming.ts';

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

/** A clock may be this far ahead of ours before its time stamp is not believed (architecture, "Time"). */
export const MAX_AHEAD_MS = 5 * 60_000;

/** No monitor of today was there before; ms. */
const EARLIEST = Date.UTC(2015, 0, 1);

/** Maximum distance behind the newest event of its tenant for a plausible time, unless the tenant sets another; ms. */
export const MAX_BEHIND_MS = 7 * 24 * 3_600_000;

/**
 * Returns the event time to use: the time of receipt for one too far back. `newest`: event time of the tenant's newest
 * event in its stream, 0 without one; so all readers of the stream agree.
 */
export const timeInStream = (
  at: number,
  newest: number,
  receivedAt: number,
  maxBehindMs: number = MAX_BEHIND_MS,
): number => (at < EARLIEST || at < newest - maxBehindMs ? receivedAt : at);

/** True if no correct clock can have returned `at` by the time of receipt; both in ms. */
export const isAhead = (at: number, receivedAt: number): boolean => at > receivedAt + MAX_AHEAD_MS;

/**
 * Returns the time to use: more than 5 minutes in the future becomes the time of receipt; both in ms. So does the
 * newest time known of a stream or an event: it arrived while a clock was ahead.
 */
export const believable = (at: number, receivedAt: number): number => (isAhead(at, receivedAt) ? receivedAt : at);

/**
 * True if a condition began after its end, ms. A start ahead of the receipt of that end was set by a clock that was
 * ahead.
 */
export const isSince = (start: number, end: number, receivedAt: number): boolean =>
  start > end && !isAhead(start, receivedAt);

/**
 * History retains the first entry and the newest; a condition that flaps for months must not grow its event without
 * end.
 */
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

/** Returns the entry for the change, written by the record of `stamp`. */
export const entryOf = (event: Event, { at, to, by = null, notes, severity }: Moved, stamp: Stamp): HistoryEntry => ({
  at: believable(at, stamp.receivedAt),
  by,
  from: event.status,
  to,
  ...(severity && { severity }),
  ...(notes && { notes }),
  position: stamp.position,
});

/**
 * Returns the fields that every change sets. Assignments return with the position of their arrival, so the fence never
 * falls.
 */
export const touched = (event: Event, stamp: Stamp): Pick<Event, 'position' | 'updatedAt'> => ({
  position: Math.max(event.position, stamp.position),
  updatedAt: Math.max(event.updatedAt, stamp.receivedAt),
});

/** Adds a note to the history of an event, with its author and no change of state. */
export const withNote = (
  event: Event,
  { by, notes }: { readonly by: Actor | null; readonly notes: string },
  stamp: Stamp,
): Event => ({
  ...event,
  history: withEntry(event.history, entryOf(event, { at: stamp.receivedAt, to: event.status, by, notes }, stamp)),
  ...touched(event, stamp),
});

/** The group of an event is written once, unless it `moves`: else a second assignment changes nothing (architecture §3). */
export const assign = (event: Event, correlationId: string | null, stamp: Stamp, moves = false): Change =>
  (event.correlationId === null || moves) && event.correlationId !== correlationId
    ? { event: { ...event, correlationId, position: touched(event, stamp).position }, outcome: 'changed' }
    : { event, outcome: 'ignored' };

/** Tag of an event that could have been bound to several CIs. */
export const AMBIGUOUS_CI = 'ambiguous-ci';

/** The signature as it would have been with this CI; identity does not name the CI type, so it stays. */
const signatureOn = (ci: CiRef, { ci: _before, ...event }: Event): string =>
  sign({ ...event, ciType: ci.type }, 'system')?.signature ?? event.signature;

/** The CI of an event is found later, or another than before. */
export const bind = (event: Event, ci: CiRef, stamp: Stamp, found?: BusinessImpact): Change => {
  if (event.ci?.id === ci.id) return { event, outcome: 'ignored' };
  const tags = event.tags.filter((tag) => tag !== AMBIGUOUS_CI);
  // The impact of an event without a CI is that of its sender.
  const impact = event.ci === null ? besideSaid(event.businessImpact, found) : (found ?? event.businessImpact);
  return {
    event: {
      ...event,
      ci,
      tags,
      signature: signatureOn(ci, event),
      ...touched(event, stamp),
      ...(impact && { businessImpact: impact }),
    },
    outcome: 'changed',
  };
};

/** The newest analysis replaces the one before; it is no message about the event. */
export const analyse = (event: Event, aiAnalysis: AiAnalysis, stamp: Stamp): Change => ({
  event: { ...event, aiAnalysis, position: touched(event, stamp).position },
  outcome: 'changed',
});
