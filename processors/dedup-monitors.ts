import type { Actor, Event } from '#domain/event/event.ts';
import type { Ask, EventReference, Receipt } from '#domain/event/incoming.ts';
import { isFedBy } from '#domain/event/life/accumulated.ts';
import { believable, type Change, type Stamp, timeInStream } from '#domain/event/life/change.ts';
import { plainId } from '#domain/event/life/conditions.ts';
import { recover, setStatus, unsuppress } from '#domain/event/life/status.ts';
import { noteEnd } from './dedup-occurrences.ts';
import { fedBy } from './dedup-rows.ts';
import { changed, eventOf, type Work } from './dedup-work.ts';

/** Later messages of senders about their events: recovery, acknowledgement, downtime. */
type Asked<K extends Ask['kind']> = Extract<Ask, { readonly kind: K }>;

const nothingOpen: Receipt = { ok: true, outcome: 'ignored', id: null, count: 0, correlationId: null };

/** Whether the sourceId is one of those that an event of plain ingest waits for. */
const feeds = ({ source, sourceId }: EventReference, event: Event): boolean => {
  if (event.conditions.length === 0) return isFedBy(event, source, sourceId);
  const id = plainId(source, sourceId);
  return event.conditions.some((condition) => condition.plain && condition.id === id);
};

/** The open events that a message is about, the newest last: by its condition; without one, by sourceId. */
const referred = (work: Work, ask: EventReference): readonly Event[] => {
  const { source, sourceId, conditionId } = ask;
  if (conditionId === null)
    return fedBy(work.rows.bySource, source, sourceId)
      .map((id) => eventOf(work, id))
      .filter((event): event is Event => event !== undefined && feeds(ask, event));
  const event = eventOf(work, work.rows.byCondition.get(conditionId));
  return event ? [event] : [];
};

/** From when on an occurrence is a new one; of a recovery without a time only that what it ended was before it. Null: nothing is known. */
const overSince = ({ untimed }: Asked<'recovered'>, at: number, event: Event | undefined): number | null =>
  untimed ? (event?.lastOccurrence ?? null) : at;

const end = (ask: Asked<'recovered'>, event: Event, at: number, stamp: Stamp): Change => {
  const { untimed, notes, source, sourceId } = ask;
  const plain = event.conditions.length === 0 ? null : plainId(source, sourceId);
  return recover(event, { conditionId: ask.conditionId ?? plain, at, untimed, notes }, stamp);
};

/** A sender that reported several complaints under one sourceId says that all of them are over; the receipt names the newest. */
export const recovered = (work: Work, ask: Asked<'recovered'>, stamp: Stamp): Receipt => {
  const { conditionId, source, sourceId, maxBehindMs } = ask;
  const said = believable(ask.at, stamp.receivedAt);
  const at = timeInStream(said, work.rows.newest, stamp.receivedAt, maxBehindMs);
  let receipt: Receipt = nothingOpen;
  let ended: Event | undefined;
  for (const event of referred(work, ask)) {
    const change = end(ask, event, at, stamp);
    receipt = changed(work, event, change);
    if (change.outcome !== 'ignored') ended = event;
  }
  const since = overSince(ask, at, ended);
  if (since !== null && (conditionId !== null || ended))
    noteEnd(work, conditionId ?? plainId(source, sourceId), { at: since, event: ended }, stamp);
  return receipt;
};

/** A person known to the monitor, not to us. */
const authorOf = ({ source }: EventReference, author: string | undefined): Actor | null =>
  author ? { id: `${source}:${author}`, username: author, name: author } : null;

export const byMonitor = (
  work: Work,
  ask: Asked<'acknowledged' | 'suppressed' | 'unsuppressed'>,
  stamp: Stamp,
): Receipt => {
  const event = referred(work, ask).at(-1);
  if (!event) return nothingOpen;
  const move = { at: ask.at, by: authorOf(ask, ask.author), notes: ask.notes };
  if (ask.kind === 'unsuppressed') return changed(work, event, unsuppress(event, move, stamp));
  return changed(work, event, setStatus(event, { ...move, to: ask.kind }, stamp));
};
