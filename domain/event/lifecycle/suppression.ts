/** Effects of silences and maintenance on an event: decided at its arrival, applied here. */

import { type Event, type Suppression, severityRank } from '#domain/event/event.ts';
import type { Occurrence } from '#domain/event/incoming.ts';
import { maintainedCi, manualEnd, manualSuppression } from '#domain/event/silences/silence-rule.ts';
import { type Change, entryOf, type Stamp, touched, withEntry } from './change.ts';

/** `SIL-…`, `maintenance of core-1` or `suppression`. */
const suppressionText = ({ by }: Suppression, { ci }: Pick<Event, 'ci'>): string => {
  if (isManual(by)) return 'suppression';
  const id = maintainedCi(by);
  return id === null ? by : `maintenance of ${ci?.id === id ? ci.name : id}`;
};

const isManual = (by: string): boolean => manualEnd(by) !== null;

export const suppressedNote = (silencing: Suppression, event: Pick<Event, 'ci'>): string =>
  `suppressed by ${suppressionText(silencing, event)}`;

/** Returns the silence that suppresses the event now; null when a user or a monitor does, or it is not suppressed. */
export const silencedBy = ({ status, silencing }: Event): Suppression | null =>
  status === 'suppressed' && silencing !== undefined && !silencing.over ? silencing : null;

const moved = (event: Event, to: Event['status'], silencing: Suppression, notes: string, stamp: Stamp): Event => {
  const entry = entryOf(event, { at: stamp.receivedAt, to, notes }, stamp);
  return { ...event, status: to, silencing, history: withEntry(event.history, entry), ...touched(event, stamp) };
};

const suppressed = (event: Event, silencing: Suppression, stamp: Stamp): Event =>
  moved(event, 'suppressed', silencing, suppressedNote(silencing, event), stamp);

const opened = (event: Event, held: Suppression, notes: string, stamp: Stamp): Event =>
  moved(event, 'open', { ...held, over: true }, notes, stamp);

const isSame = (one: Suppression, other: Suppression): boolean => one.by === other.by && one.until === other.until;

/** A user who opens an event in a silence takes precedence until the end of that silence. */
const isReleased = ({ silencing }: Event, by: string): boolean => silencing?.by === by && !silencing.over;

/** Applies an occurrence received under a silence. One of several conditions silences none of the others. */
const underSilence = (event: Event, silencing: Suppression, stamp: Stamp): Event => {
  const held = silencedBy(event);
  if (held !== null) {
    if (isSame(held, silencing) || isManual(held.by)) return event;
    return held.by === silencing.by ? { ...event, silencing } : suppressed(event, silencing, stamp);
  }
  if (event.status !== 'open' || event.conditions.length > 1 || isReleased(event, silencing.by)) return event;
  return suppressed(event, silencing, stamp);
};

/**
 * Applies an occurrence under no silence: it opens a suppressed event, and one that is worse than the silenced state.
 */
const underNone = (before: Event, event: Event, { severity }: Occurrence, stamp: Stamp): Event => {
  const held = silencedBy(event);
  if (held === null) return event;
  const text = suppressionText(held, event);
  if (held.until !== undefined && stamp.receivedAt >= held.until) return opened(event, held, `${text} ended`, stamp);
  if (isManual(held.by)) return event;
  if (severityRank(severity) > severityRank(before.severity))
    return opened(event, held, `severity higher than covered by ${text}`, stamp);
  return isUnsaid(before, event) && maintainedCi(held.by) === null
    ? opened(event, held, `no longer covered by ${text}`, stamp)
    : event;
};

/** A missing tag, or another title: the match of a silence may be outdated. */
const isUnsaid = (before: Event, { tags, title, signature }: Event): boolean =>
  (title !== before.title && signature !== before.signature) || before.tags.some((tag) => !tags.includes(tag));

/** The event after one more occurrence, which made `event` of `before`. The same object when silences change nothing. */
export const silenced = (before: Event, event: Event, occurrence: Occurrence, stamp: Stamp): Event =>
  occurrence.silencing === undefined
    ? underNone(before, event, occurrence, stamp)
    : underSilence(event, occurrence.silencing, stamp);

/** The status of a new event: only one that would be open is suppressed. */
export const firstSuppression = ({ status, silencing }: Occurrence, isOver: boolean): Suppression | null =>
  silencing === undefined || isOver || (status !== undefined && status !== 'open') ? null : silencing;

/** Returns the status of an event that supersedes `from`: silences are judged again, user actions stay. */
export const inheritedStatus = (from: Event, to: Event): Pick<Event, 'status' | 'silencing'> => {
  const own = { status: to.status, ...(to.silencing && { silencing: to.silencing }) };
  const silent = silencedBy(to);
  const held = silencedBy(from);
  if (from.status === 'resolved' || (held !== null && !isManual(held.by))) return own;
  if (from.status === 'open' && silent !== null && !isReleased(from, silent.by)) return own;
  return { status: from.status, ...(from.silencing && { silencing: from.silencing }) };
};

/**
 * Ends the suppression of an event. Something else may suppress it still; a user or its monitor may have moved it
 * since.
 */
export const liftSuppression = (event: Event, by: string, next: Suppression | undefined, stamp: Stamp): Change => {
  const held = silencedBy(event);
  if (held?.by !== by) return { event, outcome: 'ignored' };
  if (next !== undefined) return { event: suppressed(event, next, stamp), outcome: 'suppressed' };
  return { event: opened(event, held, `${suppressionText(held, event)} ended`, stamp), outcome: 'reopened' };
};

/** A user, or the monitor, suppresses the event: no end of a silence opens it. */
export const withoutSuppression = (event: Event, until?: number): Event => {
  const { silencing: _gone, ...rest } = event;
  return until === undefined ? rest : { ...rest, silencing: manualSuppression(until) };
};
