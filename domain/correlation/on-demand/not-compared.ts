import type { Decision, Enriched } from '#domain/correlation/records.ts';
import { endedAt, transitionsOf } from '#domain/correlation/status-transitions.ts';
import { type Event, eventIdOf } from '#domain/event/event.ts';
import { eventWords } from '#domain/event/event-words.ts';
import { UNGROUPED } from '#domain/event/identity/check-rules.ts';
import { durationText } from '#domain/numbers.ts';
import type { Explanation } from './explain.ts';

/** Reason why the pipeline never compared two events, regardless of their scores. */
export interface NotCompared {
  readonly cause: 'ungrouped' | 'late' | 'resolved_on_arrival' | 'bound_late' | 'ended' | 'truncated';
  /** The event that was not compared; for `truncated` the earlier one, which was not among the candidates. */
  readonly eventId: string;
  /** Number of candidates omitted by each strategy that would join the two, for `truncated`. */
  readonly truncated?: Decision['cut'];
  /** Time of its end, ISO, for `ended`. */
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
  if (event.tags.includes(UNGROUPED))
    return {
      cause: 'ungrouped',
      eventId,
      reason: `not compared: ${named} is excluded from groups by the tag ${UNGROUPED}`,
    };
  const behind = `more than ${durationText(record.settings.latenessMs)} behind the newest event`;
  if (wasResolved(event))
    return { cause: 'resolved_on_arrival', eventId, reason: `not compared: ${named} had ended before it arrived` };
  return record.arrival.rebound && record.arrival.again === undefined
    ? {
        cause: 'bound_late',
        eventId,
        reason: `not compared by CI: ${named} was bound to its CI only after it was resolved, or ${behind}`,
      }
    : { cause: 'late', eventId, reason: `not compared: ${named} arrived late, ${behind}` };
};

/** An event that was over when the later one began is no partner under `calibrated`. */
const ending = (later: ArrivedEvent, earlier: ArrivedEvent): NotCompared | null => {
  const { arrival, settings } = later.record;
  const ended = endedAt(transitionsOf(earlier.event), arrival.position);
  if (settings.profile === 'specified' || ended === null || ended > arrival.time) return null;
  const eventId = eventIdOf(earlier.event.id);
  const before =
    arrival.time === ended
      ? 'when the other started'
      : `${durationText(arrival.time - ended)} before the other started`;
  return {
    cause: 'ended',
    eventId,
    endedAt: new Date(ended).toISOString(),
    reason: `not compared: ${eventWords(earlier.event)} had ended ${before}`,
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
  const counts = missed.map(([strategy, count]) => `${strategy} skipped ${count}`).join(', ');
  const reason = `not compared: ${eventWords(event)} exceeded the candidate limit; ${counts}`;
  return { cause: 'truncated', eventId, truncated: Object.fromEntries(missed), reason };
};

/**
 * Explains two events without a known link. A late event has not searched for partners, and none has found it; `cut` is
 * the count of the later one's decision.
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
