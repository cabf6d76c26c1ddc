import { quietTimeMs } from '#domain/correlation/grouping/groups.ts';
import type { Arrival, CorrelationInput, Enriched } from '#domain/correlation/records.ts';
import { makeResolver, type Resolve } from '#domain/correlation/settings/tenant-settings.ts';
import { MOST_LATENESS_MS } from '#domain/correlation/settings.ts';
import { lastEndOf, turnOf } from '#domain/correlation/turns.ts';
import { arrivalOf, NO_ARRIVAL, NOWHERE, surroundingsOf } from '#domain/correlation/window/enrichment.ts';
import {
  commonnessAt,
  count,
  dayCount,
  openTenantRates,
  ratesAt,
  rewindRates,
  type TenantRates,
} from '#domain/correlation/window/rates.ts';
import { hear, type Rhythms, rewindRhythms, rhythmAt } from '#domain/correlation/window/rhythm.ts';
import { isChange } from '#domain/event/identity/complaint.ts';
import type { Saved, SavedEvent } from '#domain/event/incoming.ts';
import { believable, isAhead } from '#domain/event/life/change.ts';
import type { Effects, EnrichedKey, Entry, Found, Reads, Restorable } from '#domain/pipeline/processor.ts';
import { correlationHits, eventsEnriched, eventsSaved } from '#schemas/topics/topics.ts';
import { fold } from './fold.ts';
import { dropIdle, openTenants, type Tenants, tenantOf, touch } from './idle.ts';

/** State of one tenant's stream of new events. */
export interface TenantStream {
  readonly rates: TenantRates;
  readonly rhythms: Rhythms;
  /** Highest event time seen, ms. */
  watermark: number;
  /** The newest position restored by a start: records at or below it are counted already. */
  restored: number;
  touched: number;
}

export interface EnrichState extends Tenants<TenantStream> {
  readonly resolve: Resolve;
}

const DAY_MS = 24 * 3_600_000;
/** The day of the `auto` window, and what a late arrival may still want of it. */
const RESTORED_MS = DAY_MS + MOST_LATENESS_MS;

const openStream = (): TenantStream => ({
  rates: openTenantRates(),
  rhythms: new Map(),
  watermark: Number.NEGATIVE_INFINITY,
  restored: Number.NEGATIVE_INFINITY,
  touched: 0,
});

const isIdle = ({ watermark }: TenantStream, newest: number): boolean => watermark < newest - RESTORED_MS;

function noteArrival({ rates, rhythms }: TenantStream, arrival: Arrival): void {
  if (arrival.rebound) return;
  count(rates, arrival);
  if (arrival.source !== undefined) hear(rhythms, arrival.source, arrival.time);
}

async function restore(state: EnrichState, from: Restorable): Promise<void> {
  for await (const { tenant, time } of from.watermarks())
    if (time !== null) tenantOf(state, tenant, openStream).watermark = time;
  for await (const piece of from.arrivals(RESTORED_MS))
    for (const { arrival } of piece) {
      const stream = tenantOf(state, arrival.tenant, openStream);
      // A time ahead of now, by a clock that was, is no background of today.
      if (arrival.time <= from.until) noteArrival(stream, arrival);
      stream.restored = Math.max(stream.restored, arrival.position);
      touch(state, stream, arrival.time);
    }
}

/** The event was bound to a CI, or to one that has got relationships; or dedup says that it comes again. */
const isSecondArrival = ({ happened, again }: SavedEvent): boolean => again !== undefined || happened === 'bound';

const isArrival = (value: SavedEvent): boolean => value.happened === 'created' || isSecondArrival(value);

/**
 * Stored records are wanted for links found later, for what an event was before it arrives again, and for what is replayed after a
 * crash: one that exists counts.
 */
const wantsStored = (state: EnrichState, { tenant, position, value }: Entry<SavedEvent>): boolean =>
  value.happened === 'related' ||
  isSecondArrival(value) ||
  position <= (state.tenants.get(tenant)?.restored ?? Number.NEGATIVE_INFINITY);

function reads(state: EnrichState, batch: readonly Entry<Saved>[]): Reads {
  const settings = new Set<string>();
  const fresh = new Set<string>();
  const around: { tenant: string; ciId: string; at: number }[] = [];
  const enriched: EnrichedKey[] = [];
  for (const entry of batch) {
    if (!isAboutEvent(entry)) continue;
    const { tenant, position: through, value } = entry;
    if (!isArrival(value) && value.happened !== 'related') continue;
    const { event, happened } = value;
    settings.add(tenant);
    if (happened === 'bound') fresh.add(tenant);
    if (event.ci !== null) around.push({ tenant, ciId: event.ci.id, at: event.timestamp });
    if (!wantsStored(state, entry)) continue;
    enriched.push({ tenant, id: event.id, through });
    if (event.supersedes !== undefined) enriched.push({ tenant, id: event.supersedes, through });
  }
  return { settings: [...settings], freshTopology: [...fresh], around, enriched };
}

/** The stored record of the event, or of the one whose place it takes, before this one. */
const latestOf = ({ tenant, position, value: { event } }: Entry<SavedEvent>, found: Found): Enriched | undefined =>
  found.enriched(tenant, event.id, position - 1) ??
  (event.supersedes === undefined ? undefined : found.enriched(tenant, event.supersedes, position - 1));

/**
 * A second arrival keeps the time of the one before; after more than the largest window, or after a silence, it comes at a new time. Null: it comes too late for any window.
 */
function timeAgain({ event, again }: SavedEvent, latest: Enriched | undefined, windowMs: number): number | null {
  if (again === 'returned') return event.lastOccurrence;
  const time = latest?.arrival.time ?? event.timestamp;
  if (again === 'opened') {
    const at = event.history.findLast(({ from, to }) => from !== to)?.at ?? event.updatedAt;
    return at - time <= windowMs ? time : at;
  }
  if (again === undefined || event.lastOccurrence - time <= windowMs) return time;
  return again === 'escalated' ? null : event.timestamp;
}

/** An event that was over before it came takes no part; neither does one whose place is taken. One that is resolved later does. */
const isPast = ({ event }: SavedEvent): boolean =>
  event.supersededBy !== undefined || (event.status === 'resolved' && !isChange(event));

/** As a second arrival of the event, or in the place of another one. */
const asSecond = (arrival: Arrival, { event, again }: SavedEvent): Arrival => ({
  ...arrival,
  rebound: true,
  ...(again !== undefined && { again }),
  ...(again === 'supersedes' && event.supersedes !== undefined && { supersedes: event.supersedes }),
});

/** The record of an event as of now, null when it makes no arrival; reads state and changes none. */
function enriched(state: EnrichState, entry: Entry<SavedEvent>, found: Found): Enriched | null {
  const { tenant, position, value } = entry;
  const { event } = value;
  const stream = state.tenants.get(tenant) ?? openStream();
  const watermark = believable(stream.watermark, value.receivedAt);
  // Before that, the memory of the stream depends on when the process started.
  const within = (at: number): number => Math.max(at, watermark - MOST_LATENESS_MS);
  const settingsAt = (at: number) =>
    state.resolve(found.settings(tenant), ({ auto }) => auto.windowMs(dayCount(stream.rates, within(at))));
  const isSecond = isSecondArrival(value);
  const time = isSecond
    ? timeAgain(value, latestOf(entry, found), quietTimeMs(settingsAt(event.timestamp)))
    : event.timestamp;
  if (time === null) return null;
  const around = (event.ci && found.around(tenant, event.ci.id, event.timestamp)) ?? NOWHERE;
  const plain = arrivalOf(event, around, position, time);
  const commonness = commonnessAt(stream.rates, plain.template ?? '', within(time));
  const rhythm = rhythmAt(stream.rhythms, event.source, within(time));
  const first = { ...plain, commonness, ...(rhythm > 0 && { rhythm }) };
  const arrival = isSecond ? asSecond(first, value) : first;
  const settings = settingsAt(time);
  // An event that was held back is not late.
  const late = isPast(value) || (value.again !== 'opened' && time < watermark - settings.latenessMs);
  return { ...surroundingsOf(around), arrival, rates: ratesAt(stream.rates, arrival, within(time)), settings, late };
}

/** A clock was ahead, and is right again: what was noted of that time would hold up everything until then. */
function rewind(stream: TenantStream, receivedAt: number): void {
  if (!isAhead(stream.watermark, receivedAt)) return;
  stream.watermark = receivedAt;
  rewindRates(stream.rates, receivedAt);
  rewindRhythms(stream.rhythms, receivedAt);
}

function note(state: EnrichState, arrival: Arrival, receivedAt: number): void {
  const stream = tenantOf(state, arrival.tenant, openStream);
  rewind(stream, receivedAt);
  noteArrival(stream, arrival);
  stream.watermark = Math.max(stream.watermark, arrival.time);
  touch(state, stream, arrival.time);
  dropIdle(state, isIdle);
}

const factsOf = ({ arrival, upstream, settings, rates, late }: Enriched): CorrelationInput & { kind: 'facts' } => ({
  kind: 'facts',
  arrival,
  upstream,
  settings,
  quiet: rates.quiet,
  ...(late && { late }),
});

function stepArrival(state: EnrichState, entry: Entry<SavedEvent>, found: Found, effects: Effects): void {
  const { tenant, position, value } = entry;
  const stored = wantsStored(state, entry) ? found.enriched(tenant, value.event.id, position) : undefined;
  const replayed = stored?.arrival.position === position;
  const record = replayed ? stored : enriched(state, entry, found);
  if (record === null) return;
  if (!replayed) note(state, record.arrival, value.receivedAt);
  effects.saveEnriched(record);
  // No strategy looks at what is late; that a member of a group has found its CI counts all the same.
  if (!record.late || record.arrival.rebound)
    effects.emit(correlationHits, { tenant, position, value: factsOf(record) });
  if (record.late) return;
  effects.emit(eventsEnriched, { tenant, position, value: record });
  // Windows that have forgotten the event since, or were not there yet, have not heard of its end.
  const turn = record.arrival.rebound ? lastEndOf(value.event) : null;
  if (turn !== null) effects.emit(eventsEnriched, { tenant, position, value: { ...NO_ARRIVAL, turn } });
}

/** Links found on demand or set by hand leave as facts alone, in the turn of the record that brought them. */
function stepRelated(state: EnrichState, entry: Entry<SavedEvent>, found: Found, effects: Effects): void {
  const { tenant, position, value } = entry;
  const record = found.enriched(tenant, value.event.id, position) ?? enriched(state, entry, found);
  if (record === null) return;
  const { again: _again, supersedes: _other, ...known } = record.arrival;
  const facts = factsOf({ ...record, arrival: { ...known, position, rebound: false }, late: false });
  const { links = [], manual = false, apart, hand } = value;
  const asked = { links, manual, ...(apart && { apart }), ...(hand && { hand }) };
  effects.emit(correlationHits, { tenant, position, value: { ...facts, ...asked } });
}

/** An end or a return is told to windows and to merge, in the order of positions. */
function stepTurn({ tenant, position, value }: Entry<SavedEvent>, effects: Effects): void {
  const turn = turnOf(value);
  if (turn === null) return;
  effects.emit(correlationHits, { tenant, position, value: turn });
  effects.emit(eventsEnriched, { tenant, position, value: { ...NO_ARRIVAL, turn } });
}

/** The tenant's stream ends here; merge hears of it in the order of positions. */
function stepForgotten(state: EnrichState, { tenant, position }: Entry<Saved>, effects: Effects): void {
  state.tenants.delete(tenant);
  const value: CorrelationInput = { kind: 'forgotten' };
  effects.emit(correlationHits, { tenant, position, value });
}

const isAboutEvent = (entry: Entry<Saved>): entry is Entry<SavedEvent> => entry.value.happened !== 'forgotten';

/** Gives each new event, once, all that everything after it needs: topology, background rates, settings. */
export const enrich = fold<EnrichState, Saved>({
  name: 'enrich',
  input: eventsSaved,
  open: () => ({ ...openTenants<TenantStream>(), resolve: makeResolver() }),
  restore,
  reads,
  step(state, entry, found, effects) {
    if (!isAboutEvent(entry)) return stepForgotten(state, entry, effects);
    if (entry.value.previousStatus !== undefined) stepTurn(entry, effects);
    if (isArrival(entry.value)) stepArrival(state, entry, found, effects);
    else if (entry.value.happened === 'related') stepRelated(state, entry, found, effects);
  },
  sizes: ({ tenants }) => ({ tenants: tenants.size }),
});
