import type { Event, HistoryEntry, Status } from '#domain/event/event.ts';
import { type Complaining, isChange } from '#domain/event/identity/complaint.ts';
import type { SavedEvent } from '#domain/event/incoming.ts';
import type { Turn } from './records.ts';

/** A turn and the position of the record that made it: an event is judged as it stood at a position. */
export type PlacedTurn = Turn & { readonly position: number };

export const NO_TURNS: readonly PlacedTurn[] = [];
/** Turns remembered of one event; more than that lie between no two records that are decided together. */
const MOST_TURNS = 32;

const isOn = (status: Status | null): boolean => status !== 'resolved' && status !== 'suppressed';

const turnIn = (eventId: string, { from, to, at }: HistoryEntry): Turn | null =>
  isOn(from) === isOn(to) ? null : { kind: isOn(to) ? 'returned' : 'ended', eventId, at };

/** The turn that the record caused; null for nearly all records, and for a change: that is a moment, which has no end. */
export function turnOf({ event, previousStatus }: SavedEvent): Turn | null {
  if (previousStatus === undefined || isOn(previousStatus) === isOn(event.status) || isChange(event)) return null;
  const entry = event.history.findLast(({ from, to }) => from !== to);
  return entry === undefined ? null : turnIn(event.id, entry);
}

/** The last turn of an event that is over now; null for one that is on, and for a change. */
export function lastEndOf(event: Lived & Pick<Event, 'status'>): Turn | null {
  const last = isOn(event.status) ? undefined : turnsOf(event).at(-1);
  return last?.kind === 'ended' ? { kind: 'ended', eventId: last.eventId, at: last.at } : null;
}

/** The fields of an event that show its turns. */
export type Lived = Complaining & Pick<Event, 'id' | 'history'>;

/** All turns of an event, by position, as its history tells them: the same that were told when they happened. */
export const turnsOf = (event: Lived): readonly PlacedTurn[] =>
  event.history.length < 2 || isChange(event) ? NO_TURNS : turnsIn(event.id, event.history);

/** The same of an event that is no change. */
export function turnsIn(eventId: string, history: readonly HistoryEntry[]): readonly PlacedTurn[] {
  const turns: PlacedTurn[] = [];
  for (const entry of history) {
    const turn = entry.from === null ? null : turnIn(eventId, entry);
    if (turn !== null) turns.push({ ...turn, position: entry.position });
  }
  return turns.length === 0 ? NO_TURNS : turns.slice(-MOST_TURNS);
}

/** Since when the event was over as it stood at the position, ms; null while it was on. */
export function endedAt(turns: readonly PlacedTurn[], position = Number.POSITIVE_INFINITY): number | null {
  const last = turns.findLast((turn) => turn.position <= position);
  return last?.kind === 'ended' ? last.at : null;
}

/** One turn more; the same turn told twice changes nothing. */
export function withTurn(turns: readonly PlacedTurn[], turn: PlacedTurn): readonly PlacedTurn[] {
  const place = turns.findLastIndex(({ position }) => position <= turn.position) + 1;
  if (turns[place - 1]?.position === turn.position) return turns;
  return turns.toSpliced(place, 0, turn).slice(-MOST_TURNS);
}
