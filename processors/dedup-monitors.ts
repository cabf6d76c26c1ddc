import type { Actor, Event, Status } from '#domain/event/event.ts';
import type { Ask, EventReference, Occurrence, Receipt } from '#domain/event/incoming.ts';
import { believable, type Change, type Stamp, timeInStream } from '#domain/event/lifecycle/change.ts';
import { isFedBySourceId, plainId } from '#domain/event/lifecycle/conditions.ts';
import { news } from '#domain/event/lifecycle/occurrence.ts';
import { recover, setStatus, unacknowledge, unsuppress } from '#domain/event/lifecycle/status.ts';
import { type Marking, noteEnd, nothingOpen, occurred } from './dedup-occurrences.ts';
import { eventsFromSource, recoveryOf } from './dedup-rows.ts';
import { changed, eventOf, type Work } from './dedup-work.ts';

/** Later messages of senders about their events: recovery, acknowledgment, downtime. */
type AskOf<K extends Ask['kind']> = Extract<Ask, { readonly kind: K }>;

/** The open events that a message is about, the newest last: by its condition; without one, by sourceId. */
const referred = (work: Work, ask: EventReference): readonly Event[] => {
  const { source, sourceId, conditionId } = ask;
  if (conditionId === null)
    return eventsFromSource(work.rows, source, sourceId)
      .map((id) => eventOf(work, id))
      .filter((event): event is Event => event !== undefined && isFedBySourceId(event, source, sourceId));
  const event = eventOf(work, work.rows.byCondition.get(conditionId));
  return event ? [event] : [];
};

/**
 * Returns the time from which an occurrence is a new one; for a recovery without a time only its ended event was before
 * it. Null: unknown.
 */
const overSince = (
  { untimed }: AskOf<'recovered'>,
  at: number,
  event: Event | undefined,
  { receivedAt }: Stamp,
): number | null => (untimed ? (event?.lastOccurrence ?? null) : believable(at, receivedAt));

const end = (ask: AskOf<'recovered'>, event: Event, at: number, stamp: Stamp): Change => {
  const { untimed, notes, source, sourceId } = ask;
  const plain = event.conditions.length === 0 ? null : plainId(source, sourceId);
  return recover(event, { conditionId: ask.conditionId ?? plain, at, untimed, notes }, stamp);
};

/** A sender that reported several problems under one sourceId ends all of them; the receipt names the newest. */
export const recovered = (work: Work, ask: AskOf<'recovered'>, stamp: Stamp): Receipt => {
  const { conditionId, source, sourceId, maxBehindMs } = ask;
  // Compared as reported: while our clock is behind, the time of receipt may be before the start.
  const at = timeInStream(ask.at, work.rows.newest, stamp.receivedAt, maxBehindMs);
  let receipt: Receipt = nothingOpen;
  let ended: Event | undefined;
  for (const event of referred(work, ask)) {
    const change = end(ask, event, at, stamp);
    receipt = changed(work, event, change);
    if (change.outcome !== 'ignored') ended = event;
  }
  const since = overSince(ask, at, ended, stamp);
  if (since !== null && (conditionId !== null || ended))
    noteEnd(work, conditionId ?? plainId(source, sourceId), { at: since, event: ended }, stamp);
  return receipt;
};

/** A user of the monitor, not of ours. */
const authorOf = ({ source }: EventReference, author: string | undefined): Actor | null =>
  author ? { id: `${source}:${author}`, username: author, name: author } : null;

type Mark = AskOf<'acknowledged' | 'unacknowledged' | 'suppressed' | 'unsuppressed'>;

const marked = (event: Event, ask: Mark, stamp: Stamp): Change => {
  const move = { at: ask.at, by: authorOf(ask, ask.author), notes: ask.notes };
  if (ask.kind === 'unsuppressed') return unsuppress(event, move, stamp);
  if (ask.kind === 'unacknowledged') return unacknowledge(event, { ...move, source: ask.source }, stamp);
  return setStatus(event, { ...move, to: ask.kind }, stamp);
};

const STATUS_OF: Readonly<Record<Mark['kind'], Exclude<Status, 'resolved'>>> = {
  acknowledged: 'acknowledged',
  suppressed: 'suppressed',
  unacknowledged: 'open',
  unsuppressed: 'open',
};

/** Gives a new event the initial status from its monitor. */
const begunBy = (event: Event, { kind, notes, ...ask }: Mark): Event => {
  const by = authorOf(ask, ask.author);
  const [first, ...rest] = event.history;
  if (first === undefined || (by === null && !notes)) return event;
  return {
    ...event,
    ...(by && kind === 'acknowledged' && event.status === kind && { acknowledgedBy: by }),
    history: [{ ...first, by, ...(notes && { notes }) }, ...rest],
  };
};

/** An unknown problem begins with the data of its monitor, unless that is older than its end. */
const beginning = (work: Work, ask: Mark, said: Occurrence, stamp: Stamp): Receipt => {
  const end = ask.conditionId === null ? null : recoveryOf(work.rows, ask.conditionId, stamp.receivedAt);
  if (end !== null && ask.at <= end.at) return nothingOpen;
  const status = STATUS_OF[ask.kind];
  const marking: Marking = { of: (event) => marked(event, ask, stamp).event, ofNew: (event) => begunBy(event, ask) };
  return occurred(work, status === 'open' ? said : { ...said, status }, stamp, marking);
};

export const byMonitor = (work: Work, ask: Mark, stamp: Stamp): Receipt => {
  const event = referred(work, ask).at(-1);
  const { occurrence } = ask;
  if (!event) return occurrence ? beginning(work, ask, occurrence, stamp) : nothingOpen;
  const told = occurrence ? news(event, occurrence, stamp) : event;
  const { event: after, outcome } = marked(told, ask, stamp);
  return changed(work, event, { event: after, outcome: occurrence && outcome === 'ignored' ? 'changed' : outcome });
};
