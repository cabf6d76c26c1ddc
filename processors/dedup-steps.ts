import type { Stamp } from '#domain/event/change.ts';
import { type Actor, type Event, parseEventId } from '#domain/event/event.ts';
import type { Ask, EventReference, Occurrence, Receipt } from '#domain/event/incoming.ts';
import { create, hasRoomFor, isEscalated, isSilent, repeat } from '#domain/event/occurrence.ts';
import { recover, setStatus, supersede, unsuppress } from '#domain/event/status.ts';
import { believable } from '#domain/event/time.ts';
import { isFedBy } from '#domain/event/union.ts';
import type { Recovery } from '#domain/ports/processor.ts';
import { recoveryOf, rememberRecovery, seenOf } from './dedup-rows.ts';
import { fedBy, keyOf } from './dedup-sources.ts';
import { answer, changed, eventOf, save, saveCreated, saveRepeated, type Work } from './dedup-work.ts';

/** Occurrences, and what monitors say of what they reported. */
type Asked<K extends Ask['kind']> = Extract<Ask, { readonly kind: K }>;

const nothingOpen: Receipt = { ok: true, outcome: 'ignored', id: null, count: 0, correlationId: null };

/** A message that says when a condition began may be on its way for so long after the end of the condition was received. */
const OVERTAKEN_MS = 120_000;

/** Time of a recovery that came before this older occurrence of its condition; null when there is none. */
const recoveredAfter = (
  { rows }: Work,
  { conditionId, timestamp, ongoing }: Occurrence,
  { receivedAt }: Stamp,
): number | null => {
  const recovery = conditionId === null ? null : recoveryOf(rows, conditionId, receivedAt);
  if (recovery === null || timestamp >= recovery.at) return null;
  return ongoing && receivedAt - recovery.receivedAt > OVERTAKEN_MS ? null : recovery.at;
};

const repeated = (work: Work, event: Event, occurrence: Occurrence, byCondition: boolean, stamp: Stamp): Receipt => {
  const seen = seenOf(work.rows, event.identity);
  const after = repeat(event, { occurrence, seen, byCondition }, stamp);
  saveRepeated(work, event, after, { escalated: isEscalated(event, after), seen, time: occurrence.timestamp });
  return answer({ event: after, outcome: 'duplicate_updated' });
};

/** Stores find an event by the time in its id: one without it would hold up its partition for ever. */
const requireId = (id: string): void => {
  if (parseEventId(id) !== id) throw new Error(`The id of an event must be a ULID, not ${id}`);
};

const created = (work: Work, occurrence: Occurrence, recoveredAt: number | null, stamp: Stamp): Receipt => {
  const seen = seenOf(work.rows, occurrence.identity);
  const event = create({ tenant: work.tenant, occurrence, seen, recoveredAt }, stamp);
  saveCreated(work, event, seen);
  return answer({ event, outcome: 'created' });
};

/** Matching in the order of rulings §1: condition, recovery that came first, identity, else a new event. */
export const occurred = (work: Work, { occurrence }: Asked<'occurred'>, stamp: Stamp): Receipt => {
  const { byCondition, byIdentity } = work.rows;
  const { conditionId, identity } = occurrence;
  const held = conditionId === null ? undefined : eventOf(work, byCondition.get(conditionId));
  if (held) return repeated(work, held, occurrence, true, stamp);
  const recoveredAt = recoveredAfter(work, occurrence, stamp);
  const found = recoveredAt === null ? eventOf(work, byIdentity.get(keyOf(identity))) : undefined;
  const same = found?.identity === identity ? found : undefined;
  const silent = same !== undefined && isSilent(same, occurrence);
  if (same && !silent && hasRoomFor(same, conditionId)) return repeated(work, same, occurrence, false, stamp);
  requireId(occurrence.newId);
  if (silent) save(work, same, supersede(same, occurrence.timestamp, stamp).event);
  return created(work, occurrence, recoveredAt, stamp);
};

/** The open events that a monitor's message is about, the newest last: by its condition; without one, those without conditions by sourceId. */
const referred = (work: Work, { source, sourceId, conditionId }: EventReference): readonly Event[] => {
  if (conditionId === null)
    return fedBy(work.rows.bySource, source, sourceId)
      .map((id) => eventOf(work, id))
      .filter((event): event is Event => event !== undefined && isFedBy(event, source, sourceId));
  const event = eventOf(work, work.rows.byCondition.get(conditionId));
  return event ? [event] : [];
};

/** The latest event time at which the condition was said to be over; kept also when nothing is open. */
const recoveryAt = (work: Work, conditionId: string, at: number, { position, receivedAt }: Stamp): Recovery => {
  const known = recoveryOf(work.rows, conditionId, receivedAt);
  return { tenant: work.tenant, conditionId, at: Math.max(at, known?.at ?? at), receivedAt, position };
};

/** From when on an occurrence is a new one; of a recovery without a time only that what it ended was before it. Null: nothing is known. */
const overSince = ({ untimed }: Asked<'recovered'>, at: number, event: Event | undefined): number | null =>
  untimed ? (event?.lastOccurrence ?? null) : at;

/** Who reported several complaints under one sourceId says that all of them are over; the receipt names the newest. */
export const recovered = (work: Work, ask: Asked<'recovered'>, stamp: Stamp): Receipt => {
  const at = believable(ask.at, stamp.receivedAt);
  const events = referred(work, ask);
  let receipt: Receipt = nothingOpen;
  for (const event of events) receipt = changed(work, event, recover(event, { ...ask, at }, stamp));
  const since = overSince(ask, at, events.at(-1));
  if (ask.conditionId !== null && since !== null) {
    const recovery = recoveryAt(work, ask.conditionId, since, stamp);
    rememberRecovery(work.rows, recovery);
    work.effects.saveRecovery(recovery);
  }
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
