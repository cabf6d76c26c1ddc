import { arrivalOf, NOWHERE, surroundingsOf } from '#domain/correlation/enrichment.ts';
import { count, dayCount, openTenantRates, ratesAt, type TenantRates } from '#domain/correlation/rates.ts';
import type { Arrival, CorrelationInput, Enriched } from '#domain/correlation/records.ts';
import { makeResolver, type Resolve } from '#domain/correlation/resolve-settings.ts';
import { MOST_LATENESS_MS } from '#domain/correlation/settings.ts';
import type { Saved, SavedEvent } from '#domain/event/incoming.ts';
import type { Effects, Entry, Found, Reads, Restorable } from '#domain/ports/processor.ts';
import { correlationHits, eventsEnriched, eventsSaved } from '#schemas/topics/topics.ts';
import { fold } from './fold.ts';
import { dropIdle, openTenants, type Tenants, tenantOf, touch } from './idle.ts';

/** What is known of one tenant's stream of new events. */
export interface TenantStream {
  readonly rates: TenantRates;
  /** Highest event time seen, ms. */
  watermark: number;
  /** What came back after a start goes up to here: what is at or below it was counted already. */
  restored: number;
  touched: number;
}

export interface EnrichState extends Tenants<TenantStream> {
  readonly resolve: Resolve;
}

const DAY_MS = 24 * 3_600_000;
/** The day of the `auto` window, and what a late arrival may still want of it. */
export const RESTORED_MS = DAY_MS + MOST_LATENESS_MS;

const openStream = (): TenantStream => ({
  rates: openTenantRates(),
  watermark: Number.NEGATIVE_INFINITY,
  restored: Number.NEGATIVE_INFINITY,
  touched: 0,
});

const isIdle = ({ watermark }: TenantStream, newest: number): boolean => watermark < newest - RESTORED_MS;

async function restore(state: EnrichState, from: Restorable): Promise<void> {
  for await (const { tenant, time } of from.watermarks())
    if (time !== null) tenantOf(state, tenant, openStream).watermark = time;
  for await (const piece of from.arrivals(RESTORED_MS))
    for (const { arrival } of piece) {
      const stream = tenantOf(state, arrival.tenant, openStream);
      if (!arrival.rebound) count(stream.rates, arrival);
      stream.restored = Math.max(stream.restored, arrival.position);
      touch(state, stream, arrival.time);
    }
}

const isArrival = ({ happened }: Pick<Saved, 'happened'>): boolean => happened === 'created' || happened === 'bound';

/** Stored records are wanted for links found later, and for what is replayed after a crash: one that exists counts. */
const wantsStored = (state: EnrichState, { tenant, position, value }: Entry<Saved>): boolean =>
  value.happened === 'related' ||
  (isArrival(value) && position <= (state.tenants.get(tenant)?.restored ?? Number.NEGATIVE_INFINITY));

function reads(state: EnrichState, batch: readonly Entry<Saved>[]): Reads {
  const settings = new Set<string>();
  const around: { tenant: string; ciId: string; at: number }[] = [];
  const enriched: { tenant: string; id: string }[] = [];
  for (const entry of batch) {
    const { tenant, value } = entry;
    if (value.happened === 'forgotten' || (!isArrival(value) && value.happened !== 'related')) continue;
    const { event } = value;
    settings.add(tenant);
    if (event.ci !== null) around.push({ tenant, ciId: event.ci.id, at: event.timestamp });
    if (wantsStored(state, entry)) enriched.push({ tenant, id: event.id });
  }
  return { settings: [...settings], around, enriched };
}

/** The record of an event as of now; reads state and changes none. */
function enriched(state: EnrichState, { tenant, position, value }: Entry<SavedEvent>, found: Found): Enriched {
  const { event, happened } = value;
  const stream = state.tenants.get(tenant) ?? openStream();
  const around = (event.ci && found.around(tenant, event.ci.id, event.timestamp)) ?? NOWHERE;
  const arrival = arrivalOf(event, around, position, happened === 'bound');
  // What is known of the stream before that depends on when the process started.
  const time = Math.max(arrival.time, stream.watermark - MOST_LATENESS_MS);
  const settings = state.resolve(found.settings(tenant), () => dayCount(stream.rates, time));
  // An event that was over before it came takes no part either; one that is resolved later does.
  const late = event.status === 'resolved' || arrival.time < stream.watermark - settings.latenessMs;
  return { ...surroundingsOf(around), arrival, rates: ratesAt(stream.rates, arrival, time), settings, late };
}

function note(state: EnrichState, arrival: Arrival): void {
  const stream = tenantOf(state, arrival.tenant, openStream);
  if (!arrival.rebound) count(stream.rates, arrival);
  stream.watermark = Math.max(stream.watermark, arrival.time);
  touch(state, stream, arrival.time);
  dropIdle(state, isIdle);
}

const factsOf = ({ arrival, upstream, settings }: Enriched): CorrelationInput & { kind: 'facts' } => ({
  kind: 'facts',
  arrival,
  upstream,
  settings,
});

function stepArrival(state: EnrichState, entry: Entry<SavedEvent>, found: Found, effects: Effects): void {
  const { tenant, position, value } = entry;
  const stored = wantsStored(state, entry) ? found.enriched(tenant, value.event.id) : undefined;
  const replayed = stored?.arrival.position === position;
  const record = replayed ? stored : enriched(state, entry, found);
  if (!replayed) note(state, record.arrival);
  effects.saveEnriched(record);
  // No strategy looks at what is late; that a member of a group has found its CI counts all the same.
  if (!record.late || record.arrival.rebound)
    effects.emit(correlationHits, { tenant, position, value: factsOf(record) });
  if (!record.late) effects.emit(eventsEnriched, { tenant, position, value: record });
}

/** Links found on demand or set by hand leave as facts alone, in the turn of the record that brought them. */
function stepRelated(state: EnrichState, entry: Entry<SavedEvent>, found: Found, effects: Effects): void {
  const { tenant, position, value } = entry;
  const record = found.enriched(tenant, value.event.id) ?? enriched(state, entry, found);
  const facts = factsOf({ ...record, arrival: { ...record.arrival, position } });
  const manual = value.manual ?? false;
  effects.emit(correlationHits, { tenant, position, value: { ...facts, links: value.links ?? [], manual } });
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
    if (!isAboutEvent(entry)) stepForgotten(state, entry, effects);
    else if (isArrival(entry.value)) stepArrival(state, entry, found, effects);
    else if (entry.value.happened === 'related') stepRelated(state, entry, found, effects);
  },
  sizes: ({ tenants }) => ({ tenants: tenants.size }),
});
