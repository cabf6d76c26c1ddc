import type { Decision, Enriched } from '#domain/correlation/records.ts';
import { endedAt, turnsOf } from '#domain/correlation/turns.ts';
import { type Event, eventIdOf } from '#domain/event/event.ts';
import { eventWords } from '#domain/event/event-words.ts';
import { duration, type Explanation } from './explain.ts';

/** Why the pipeline never compared two events, whatever their scores. */
export interface NotCompared {
  readonly cause: 'late' | 'resolved_on_arrival' | 'bound_late' | 'ended' | 'truncated';
  /** The event that took no part; for `truncated` the earlier one, which was not among the candidates. */
  readonly eventId: string;
  /** For `truncated`: how many candidates each strategy that would join the two left out. */
  readonly truncated?: Decision['cut'];
  /** For `ended`: when it was over, ISO. */
  readonly endedAt?: string;
  /** A sentence that calls the event by its title. */
  readonly reason: string;
}

/** One event with the newest record of its arrival. */
export interface ArrivedEvent {
  readonly event: Event;
  readonly record: Enriched;
}

const wasResolved = ({ history: [first] }: Event): boolean => first?.from === null && first.to === 'resolved';

const lateness = ({ event, record }: ArrivedEvent): NotCompared => {
  const [eventId, named] = [eventIdOf(event.id), eventWords(event)];
  const behind = `more than ${duration(record.settings.latenessMs)} behind the newest event`;
  if (wasResolved(event))
    return { cause: 'resolved_on_arrival', eventId, reason: `not compared: ${named} was over before it came` };
  return record.arrival.rebound && record.arrival.again === undefined
    ? {
        cause: 'bound_late',
        eventId,
        reason: `not compared by CI: ${named} was bound to its CI when it was resolved, or ${behind}`,
      }
    : { cause: 'late', eventId, reason: `not compared: ${named} came late, ${behind}` };
};

/** Under `calibrated` what was over when the later one began is no partner. */
const ending = (later: ArrivedEvent, earlier: ArrivedEvent): NotCompared | null => {
  const { arrival, settings } = later.record;
  const ended = endedAt(turnsOf(earlier.event), arrival.position);
  if (settings.profile === 'specified' || ended === null || ended > arrival.time) return null;
  const eventId = eventIdOf(earlier.event.id);
  const before =
    arrival.time === ended ? 'when the other began' : `${duration(arrival.time - ended)} before the other began`;
  return {
    cause: 'ended',
    eventId,
    endedAt: new Date(ended).toISOString(),
    reason: `not compared: ${eventWords(earlier.event)} was over ${before}`,
  };
};

const truncation = (
  { event }: ArrivedEvent,
  strategies: readonly Explanation[],
  cut: Decision['cut'],
): NotCompared | null => {
  const missed: [string, number][] = [];
  for (const { strategy, joined } of strategies) if (joined && cut[strategy]) missed.push([strategy, cut[strategy]]);
  if (missed.length === 0) return null;
  const eventId = eventIdOf(event.id);
  const counts = missed.map(([strategy, count]) => `${strategy} left out ${count}`).join(', ');
  const reason = `not compared: ${eventWords(event)} was not among the nearest candidates; ${counts}`;
  return { cause: 'truncated', eventId, truncated: Object.fromEntries(missed), reason };
};

/**
 * For two events of which no link is known. A late event has not looked for partners, and none has found it; `cut` is what the later
 * one's decision counted.
 */
export function notCompared(
  later: ArrivedEvent,
  earlier: ArrivedEvent,
  strategies: readonly Explanation[],
  cut: Decision['cut'],
): NotCompared | null {
  const late = [later, earlier].find(({ record }) => record.late);
  return late ? lateness(late) : (ending(later, earlier) ?? truncation(earlier, strategies, cut));
}
