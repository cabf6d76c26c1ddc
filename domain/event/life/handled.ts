import type { Event, HistoryEntry, Status } from '#domain/event/event.ts';
import type { Saved } from '#domain/event/incoming.ts';

/** States that show that a person handled the event. */
const HANDLED = ['acknowledged', 'resolved'] as const satisfies readonly Status[];
type HandledStatus = (typeof HANDLED)[number];

export interface Handled {
  readonly to: HandledStatus;
  /** From the beginning of the problem, ms. */
  readonly afterMs: number;
}

const moves = ({ from, to }: HistoryEntry): boolean => from !== null && from !== to;

const first = (event: Event, to: HandledStatus): HistoryEntry | null => {
  const newest = event.history.findLast(moves);
  if (newest?.to !== to || newest.by === null) return null;
  const earlier = event.history.some((entry) => entry !== newest && moves(entry) && entry.to === to && entry.by);
  return earlier ? null : newest;
};

/** The first time that a person acknowledged or resolved the event; null of any other change, and of what is done again. */
export const handledIn = (saved: Saved): Handled | null => {
  if (saved.happened !== 'changed' || saved.previousStatus === undefined) return null;
  const { event } = saved;
  const to = HANDLED.find((status) => status === event.status);
  const entry = to === undefined ? null : first(event, to);
  if (to === undefined || entry === null) return null;
  return { to, afterMs: Math.max(0, entry.at - (event.problemSince ?? event.firstOccurrence)) };
};
