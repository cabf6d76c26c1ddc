/** Effects of silences and maintenance on an event: decided at its arrival, applied here. */

import { type Event, type Silencing, severityRank } from '#domain/event/event.ts';
import type { Occurrence } from '#domain/event/incoming.ts';
import { maintainedCi } from '#domain/event/silences/silence-rule.ts';
import { type Change, entryOf, type Stamp, touched, withEntry } from './change.ts';

/** `SIL-…`, or `maintenance of core-1`. */
const silencingText = ({ by }: Silencing, { ci }: Pick<Event, 'ci'>): string => {
  const id = maintainedCi(by);
  return id === null ? by : `maintenance of ${ci?.id === id ? ci.name : id}`;
};

export const suppressedNote = (silencing: Silencing, event: Pick<Event, 'ci'>): string =>
  `suppressed by ${silencingText(silencing, event)}`;

/** The silence that keeps the event suppressed now; null when a person or a monitor does, or it is not suppressed. */
export const silencedBy = ({ status, silencing }: Event): Silencing | null =>
  status === 'suppressed' && silencing !== undefined && !silencing.over ? silencing : null;

const moved = (event: Event, to: Event['status'], silencing: Silencing, notes: string, stamp: Stamp): Event => {
  const entry = entryOf(event, { at: stamp.receivedAt, to, notes }, stamp);
  return { ...event, status: to, silencing, history: withEntry(event.history, entry), ...touched(event, stamp) };
};

const suppressed = (event: Event, silencing: Silencing, stamp: Stamp): Event =>
  moved(event, 'suppressed', silencing, suppressedNote(silencing, event), stamp);

const opened = (event: Event, held: Silencing, notes: string, stamp: Stamp): Event =>
  moved(event, 'open', { ...held, over: true }, notes, stamp);

const isSame = (one: Silencing, other: Silencing): boolean => one.by === other.by && one.until === other.until;

/** A person who opens an event in a silence has the last word as long as that silence lasts. */
const isReleased = ({ silencing }: Event, by: string): boolean => silencing?.by === by && !silencing.over;

/** An occurrence that was taken in under a silence. One of several conditions silences none of the others. */
const underSilence = (event: Event, silencing: Silencing, stamp: Stamp): Event => {
  const held = silencedBy(event);
  if (held !== null) {
    if (isSame(held, silencing)) return event;
    return held.by === silencing.by ? { ...event, silencing } : suppressed(event, silencing, stamp);
  }
  if (event.status !== 'open' || event.conditions.length > 1 || isReleased(event, silencing.by)) return event;
  return suppressed(event, silencing, stamp);
};

/** An occurrence under no silence: it opens what was suppressed until then, and what is worse than what was silenced. */
const underNone = (before: Event, event: Event, { severity }: Occurrence, stamp: Stamp): Event => {
  const held = silencedBy(event);
  if (held === null) return event;
  const text = silencingText(held, event);
  if (held.until !== undefined && stamp.receivedAt >= held.until) return opened(event, held, `${text} is over`, stamp);
  if (severityRank(severity) > severityRank(before.severity))
    return opened(event, held, `worse than what ${text} suppressed`, stamp);
  return isUnsaid(before, event) && maintainedCi(held.by) === null
    ? opened(event, held, `no longer what ${text} suppresses`, stamp)
    : event;
};

/** A tag that is gone, or another title: what a silence has matched may be unsaid. */
const isUnsaid = (before: Event, { tags, title, signature }: Event): boolean =>
  (title !== before.title && signature !== before.signature) || before.tags.some((tag) => !tags.includes(tag));

/** The event after one more occurrence, which made `event` of `before`. The same object when silences change nothing. */
export const silenced = (before: Event, event: Event, occurrence: Occurrence, stamp: Stamp): Event =>
  occurrence.silencing === undefined
    ? underNone(before, event, occurrence, stamp)
    : underSilence(event, occurrence.silencing, stamp);

/** The status of a new event: only one that would be open is suppressed. */
export const firstSilencing = ({ status, silencing }: Occurrence, isOver: boolean): Silencing | null =>
  silencing === undefined || isOver || (status !== undefined && status !== 'open') ? null : silencing;

/** The status of an event that takes the place of `from`: silences are judged anew, what a person has done stays. */
export const inheritedStatus = (from: Event, to: Event): Pick<Event, 'status' | 'silencing'> => {
  const own = { status: to.status, ...(to.silencing && { silencing: to.silencing }) };
  const silent = silencedBy(to);
  if (from.status === 'resolved' || silencedBy(from) !== null) return own;
  if (from.status === 'open' && silent !== null && !isReleased(from, silent.by)) return own;
  return { status: from.status, ...(from.silencing && { silencing: from.silencing }) };
};

/** The end of what suppressed an event. Something else may suppress it still; a person or its monitor may have moved it since. */
export const unsilence = (event: Event, by: string, next: Silencing | undefined, stamp: Stamp): Change => {
  const held = silencedBy(event);
  if (held?.by !== by) return { event, outcome: 'ignored' };
  if (next !== undefined) return { event: suppressed(event, next, stamp), outcome: 'suppressed' };
  return { event: opened(event, held, `${silencingText(held, event)} is over`, stamp), outcome: 'reopened' };
};

/** A person, or the monitor, suppresses the event without an end: no end of a silence opens it. */
export const withoutSilencing = (event: Event): Event => {
  const { silencing: _gone, ...rest } = event;
  return rest;
};
