import type { Actor, Event } from '#domain/event/event.ts';
import type { Ask, Incoming, Occurrence, SavedEvent } from '#domain/event/incoming.ts';
import type { Entry } from '#domain/pipeline/processor.ts';
import { dedup } from '#processors/dedup.ts';
import { driveFold } from './drive-fold.ts';

export const TENANT = 'acme';
/** An arbitrary event time at the start of a ten-minute bin. */
export const T0 = 1_763_629_200_000;
export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;
export const ann: Actor = { id: 'u-ann', username: 'ann', name: 'Ann' };

/** A ULID that names a position. */
export const ulid = (n: number): string => String(n).padStart(26, '0');

/** An occurrence at T0 that dedup would make a new event of. */
export const occurrence = (changes: Partial<Occurrence> = {}): Occurrence => ({
  newId: ulid(0),
  source: 'zabbix',
  sourceId: 'z-1',
  severity: 'major',
  title: 'Disk full',
  timestamp: T0,
  hostname: 'db-01',
  ci: null,
  identity: 'disk-full@db-01',
  signature: 'disk-full',
  conditionId: null,
  dedupWindowMs: 24 * HOUR,
  tags: [],
  details: {},
  ...changes,
});

type Extra = Omit<Incoming, 'ask' | 'receivedAt'> & { readonly receivedAt?: number };

/** Drives dedup with one ask after the other; positions count from 1, and record p makes the event `ulid(p)`. */
export const driveDedup = (tenant: string = TENANT) => {
  const driven = driveFold(dedup);
  let position = 0;
  let receivedAt = T0;
  const entry = (ask: Ask, extra: Extra = {}): Entry<Incoming> => {
    position += 1;
    // Nothing is received before it happened, or before earlier records.
    if (ask.kind === 'occurred') receivedAt = Math.max(receivedAt, ask.occurrence.timestamp);
    const own = ask.kind === 'occurred' ? { ...ask, occurrence: { ...ask.occurrence, newId: ulid(position) } } : ask;
    return { tenant, position, value: { ask: own, receivedAt, ...extra } };
  };
  const batch = (...asks: readonly Ask[]) => driven.batch(asks.map((ask) => entry(ask)));
  const run = driven.batch;
  /** One batch of one record: the answer, the output, and the changed event. */
  const one = (ask: Ask, extra: Extra = {}) => {
    const asked = driven.batch([entry(ask, extra)]);
    const saved = asked.emitted.map(({ entry: { value } }) => value as SavedEvent);
    return { receipt: asked.receipts.get(position), saved, asked };
  };
  const occur = (changes: Partial<Occurrence> = {}, extra: Extra = {}) =>
    one({ kind: 'occurred', occurrence: occurrence(changes) }, extra);
  const recover = (
    conditionId: string | null,
    at: number = T0,
    extra: Extra & { sourceId?: string; source?: string; untimed?: true } = {},
  ) => {
    const { sourceId = 'z-1', source = 'zabbix', untimed, ...rest } = extra;
    return one({ kind: 'recovered', source, sourceId, conditionId, at, ...(untimed && { untimed }) }, rest);
  };
  const event = (n: number): Event => {
    const found = driven.events.get(`${tenant}/${ulid(n)}`);
    if (found === undefined) throw new Error(`there is no event ${n}`);
    return found;
  };
  return { ...driven, entry, run, batch, one, occur, recover, event };
};
