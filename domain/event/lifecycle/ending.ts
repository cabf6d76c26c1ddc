import type { Event } from '#domain/event/event.ts';
import { isChange } from '#domain/event/identity/problem-kind.ts';
import type { Silence } from '#domain/event/incoming.ts';
import type { Change, Stamp } from './change.ts';
import { isHeld } from './conditions.ts';
import type { Lifecycle } from './lifecycle.ts';
import { setStatus } from './status.ts';

/* Ends of events without an explicit resolution. */

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/**
 * Returns the time of the last message about an event, ms: its source may refer to earlier times, and users act later.
 */
const heardOf = ({ lastOccurrence, updatedAt }: Pick<Event, 'lastOccurrence' | 'updatedAt'>): number =>
  Math.max(lastOccurrence, updatedAt);

/** Conditions that Faultline itself watches: it detects their end, regardless of silence. */
export const OWN_CONDITION = 'faultline:';

/** The silence after which the event is over, ms; null: it waits for ever. */
export const silenceOf = (event: Event, lifecycle: Lifecycle): number | null => {
  if (event.conditions.some(({ id, plain }) => !plain && id.startsWith(OWN_CONDITION))) return null;
  if (isHeld(event)) return lifecycle.conditionResolveAfterMs;
  const exception = lifecycle.exceptions.find(
    ({ source = event.source, severity = event.severity }) => source === event.source && severity === event.severity,
  );
  return exception === undefined ? lifecycle.resolveAfterMs : exception.resolveAfterMs;
};

/** A span in words, rounded down: `45m`, `24h`, `7d`. */
const span = (ms: number): string => {
  if (ms < HOUR) return `${Math.floor(ms / MINUTE)}m`;
  return ms < 2 * DAY ? `${Math.floor(ms / HOUR)}h` : `${Math.floor(ms / DAY)}d`;
};

export interface EndRules {
  readonly lifecycle: Lifecycle;
  /** Changes are over after it, ms: until then they may explain what happens. */
  readonly longestWindowMs: number;
}

/** Returns the reason why the event is over at `now`; null when it is not. */
export const endOf = (event: Event, { lifecycle, longestWindowMs }: EndRules, now: number): Silence | null => {
  const heard = heardOf(event);
  const silent = now - heard;
  if (isChange(event) && !isHeld(event))
    return silent > longestWindowMs
      ? { heard, category: 'no-action-needed', notes: 'change events resolve automatically' }
      : null;
  const most = silenceOf(event, lifecycle);
  if (most === null || silent <= most) return null;
  return { heard, category: 'auto-resolved', notes: `no updates for ${span(silent)}` };
};

/** Ends the event unless it is over, or a message about it arrived since the request. */
export const endSilent = (event: Event, { heard, category, notes }: Silence, stamp: Stamp): Change =>
  event.status === 'resolved' || heardOf(event) > heard
    ? { event, outcome: 'ignored' }
    : setStatus(event, { to: 'resolved', at: stamp.receivedAt, by: null, notes, category }, stamp);
