import { quietTimeMs } from '#domain/correlation/grouping/groups.ts';
import type { Arrival, CorrelationInput, Enriched } from '#domain/correlation/records.ts';
import { makeResolver, type Resolve } from '#domain/correlation/settings/tenant-settings.ts';
import { MAX_LATENESS_MS } from '#domain/correlation/settings.ts';
import { lastEndOf, transitionOf } from '#domain/correlation/status-transitions.ts';
import { arrivalOf, NO_ARRIVAL, NOWHERE, surroundingsOf } from '#domain/correlation/window/enrichment.ts';
import {
  HABIT_AGE_MS,
  HABITS,
  type Habits,
  habitAt,
  noteHabit,
  openHabits,
  restoreHabits,
  rewindHabits,
  takeUnsaved,
} from '#domain/correlation/window/habits.ts';
import {
  commonnessAt,
  count,
  dayCount,
  openTenantRates,
  ratesAt,
  rewindRates,
  type TenantRates,
} from '#domain/correlation/window/rates.ts';
import { UNGROUPED } from '#domain/event/identity/check-rules.ts';
import { isChange } from '#domain/event/identity/problem-kind.ts';
import type { Saved, SavedEvent } from '#domain/event/incoming.ts';
import { believable, isAhead } from '#domain/event/lifecycle/change.ts';
import type { BatchRows, Effects, EnrichedKey, Entry, Reads, Restorable } from '#domain/pipeline/processor.ts';
import { correlationHits, eventsEnriched, eventsSaved } from '#schemas/topics/topics.ts';
import { fold } from './fold.ts';
import { dropIdle, openTenants, type Tenants, tenantOf, touch } from './idle.ts';
import { hear, type PollTimes, pollingIntervalAt, rewindPollTimes } from './polling-interval.ts';

/** State of one tenant's stream of new events. */
export interface TenantStream {
  readonly rates: TenantRates;
  readonly rhythms: PollTimes;
  readonly habits: Habits;
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
/** The day of the `auto` window, and the range that a late arrival may still need. */
const RESTORED_MS = DAY_MS + MAX_LATENESS_MS;

/** Ids of records sort in the order of their texts. */
const POSITION_DIGITS = 16;

const openStream = (): TenantStream => ({
  rates: openTenantRates(),
  rhythms: new Map(),
  habits: openHabits(),
  watermark: Number.NEGATIVE_INFINITY,
  restored: Number.NEGATIVE_INFINITY,
  touched: 0,
});

const isIdle = ({ watermark }: TenantStream, newest: number): boolean => watermark < newest - RESTORED_MS;

function noteArrival({ rates, rhythms, habits }: TenantStream, arrival: Arrival): void {
  noteHabit(habits, arrival);
  if (arrival.rebound) return;
  count(rates, arrival);
  if (arrival.source !== undefined) hear(rhythms, arrival.source, arrival.time);
}

async function restore(state: EnrichState, from: Restorable): Promise<void> {
  for await (const { tenant, time } of from.watermarks())
    if (time !== null) tenantOf(state, tenant, openStream).watermark = time;
  for await (const { tenant, saved } of from.habits()) restoreHabits(tenantOf(state, tenant, openStream).habits, saved);
  for await (const piece of from.arrivals(RESTORED_MS))
    for (const { arrival } of piece) {
      const stream = tenantOf(state, arrival.tenant, openStream);
      // A time ahead of now, by a clock that was, is no background of today.
      if (arrival.time <= from.until) noteArrival(stream, arrival);
      stream.restored = Math.max(stream.restored, arrival.position);
      touch(state, stream, arrival.time);
    }
}

/** True if the event was bound to a CI, or to one that has got relationships; or dedup returned it again. */
const isSecondArrival = ({ happened, again }: SavedEvent): boolean => again !== undefined || happened === 'bound';

const isArrival = (value: SavedEvent): boolean => value.happened === 'created' || isSecondArrival(value);

/**
 * Stored records are needed for links found later, for the earlier state of an event before it arrives again, and for
 * replays after a crash: an existing one counts.
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

/** Returns the latest stored record of the event, or of its predecessor, before this one. */
const latestOf = ({ tenant, position, value: { event } }: Entry<SavedEvent>, found: BatchRows): Enriched | undefined =>
  found.enriched(tenant, event.id, position - 1) ??
  (event.supersedes === undefined ? undefined : found.enriched(tenant, event.supersedes, position - 1));

/**
 * Returns the time of a second arrival: that of the previous one; after more than the largest window, or after a
 * silence, a new time. Null: it is too late for any window.
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

/**
 * True for an event that is not to be grouped, was over before it arrived, or is superseded: it is not correlated. One
 * that is resolved later is.
 */
const isPast = ({ event }: SavedEvent): boolean =>
  event.supersededBy !== undefined ||
  event.tags.includes(UNGROUPED) ||
  (event.status === 'resolved' && !isChange(event));

/** Returns it as a second arrival of the event, or as a replacement of another one. */
const asSecond = (arrival: Arrival, { event, again }: SavedEvent): Arrival => ({
  ...arrival,
  rebound: true,
  ...(again !== undefined && { again }),
  ...(again === 'supersedes' && event.supersedes !== undefined && { supersedes: event.supersedes }),
});

/** The record of an event as of now, null when it makes no arrival; reads state and changes none. */
function enriched(state: EnrichState, entry: Entry<SavedEvent>, found: BatchRows): Enriched | null {
  const { tenant, position, value } = entry;
  const { event } = value;
  const stream = state.tenants.get(tenant) ?? openStream();
  const watermark = believable(stream.watermark, value.receivedAt);
  // The memory of the stream depends on the start of the process before that.
  const within = (at: number): number => Math.max(at, watermark - MAX_LATENESS_MS);
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
  const rhythm = pollingIntervalAt(stream.rhythms, event.source, within(time));
  const habit = (isSecond ? latestOf(entry, found)?.arrival.habit : undefined) ?? habitAt(stream.habits, plain);
  const said = { commonness, ...(habit !== undefined && { habit }), ...(rhythm > 0 && { rhythm }) };
  const first = { ...plain, ...said };
  const arrival = isSecond ? asSecond(first, value) : first;
  const settings = settingsAt(time);
  // An event that was held back is not late.
  const late = isPast(value) || (value.again !== 'opened' && time < watermark - settings.latenessMs);
  return { ...surroundingsOf(around), arrival, rates: ratesAt(stream.rates, arrival, within(time)), settings, late };
}

/** A clock was ahead, and is right again: records of that time would block everything until then. */
function rewind(stream: TenantStream, receivedAt: number): void {
  if (!isAhead(stream.watermark, receivedAt)) return;
  stream.watermark = receivedAt;
  rewindRates(stream.rates, receivedAt);
  rewindPollTimes(stream.rhythms, receivedAt);
  rewindHabits(stream.habits, receivedAt);
}

/** Saves the habits that have changed; a start could not make up for all of them. */
function saveHabits({ habits }: TenantStream, { tenant, position }: Arrival, at: number, effects: Effects): void {
  const body = takeUnsaved(habits);
  if (body === null) return;
  const id = String(position).padStart(POSITION_DIGITS, '0');
  effects.saveRecord({ tenant, kind: HABITS, id, body, expiresAt: at + HABIT_AGE_MS });
}

function note(state: EnrichState, arrival: Arrival, receivedAt: number, effects: Effects): void {
  const stream = tenantOf(state, arrival.tenant, openStream);
  rewind(stream, receivedAt);
  noteArrival(stream, arrival);
  saveHabits(stream, arrival, receivedAt, effects);
  stream.watermark = Math.max(stream.watermark, arrival.time);
  touch(state, stream, arrival.time);
  dropIdle(state, isIdle);
}

const factsOf = ({
  arrival,
  upstream,
  wholes,
  settings,
  rates,
  late,
}: Enriched): CorrelationInput & { kind: 'facts' } => ({
  kind: 'facts',
  arrival,
  upstream,
  ...(wholes && { wholes }),
  settings,
  quiet: rates.quiet,
  ...(late && { late }),
});

function stepArrival(state: EnrichState, entry: Entry<SavedEvent>, found: BatchRows, effects: Effects): void {
  const { tenant, position, value } = entry;
  const stored = wantsStored(state, entry) ? found.enriched(tenant, value.event.id, position) : undefined;
  const replayed = stored?.arrival.position === position;
  const record = replayed ? stored : enriched(state, entry, found);
  if (record === null) return;
  if (!replayed) note(state, record.arrival, value.receivedAt, effects);
  effects.saveEnriched(record);
  // Strategies ignore late events; that a member of a group has found its CI counts all the same.
  if (!record.late || record.arrival.rebound)
    effects.emit(correlationHits, { tenant, position, value: factsOf(record) });
  if (record.late) return;
  effects.emit(eventsEnriched, { tenant, position, value: record });
  // Windows that have forgotten the event since, or did not exist yet, have not received its end.
  const turn = record.arrival.rebound ? lastEndOf(value.event) : null;
  if (turn !== null) effects.emit(eventsEnriched, { tenant, position, value: { ...NO_ARRIVAL, turn } });
}

/** Links found on demand or set manually are emitted as facts alone, in the turn of their record. */
function stepRelated(state: EnrichState, entry: Entry<SavedEvent>, found: BatchRows, effects: Effects): void {
  const { tenant, position, value } = entry;
  const record = found.enriched(tenant, value.event.id, position) ?? enriched(state, entry, found);
  if (record === null) return;
  const { again: _again, supersedes: _other, ...known } = record.arrival;
  const facts = factsOf({ ...record, arrival: { ...known, position, rebound: false }, late: false });
  const { links = [], manual = false, apart, hand } = value;
  const asked = { links, manual, ...(apart && { apart }), ...(hand && { hand }) };
  effects.emit(correlationHits, { tenant, position, value: { ...facts, ...asked } });
}

/** Publishes an end or a return to windows and to merge, in the order of positions. */
function stepTransition({ tenant, position, value }: Entry<SavedEvent>, effects: Effects): void {
  const turn = transitionOf(value);
  if (turn === null) return;
  effects.emit(correlationHits, { tenant, position, value: turn });
  effects.emit(eventsEnriched, { tenant, position, value: { ...NO_ARRIVAL, turn } });
}

/** The tenant's stream ends here; merge receives it in the order of positions. */
function stepForgotten(state: EnrichState, { tenant, position }: Entry<Saved>, effects: Effects): void {
  state.tenants.delete(tenant);
  const value: CorrelationInput = { kind: 'forgotten' };
  effects.emit(correlationHits, { tenant, position, value });
}

const isAboutEvent = (entry: Entry<Saved>): entry is Entry<SavedEvent> => entry.value.happened !== 'forgotten';

/** Adds to each new event, once, all data that later processors need: topology, background rates, settings. */
export const enrich = fold<EnrichState, Saved>({
  name: 'enrich',
  input: eventsSaved,
  open: () => ({ ...openTenants<TenantStream>(), resolve: makeResolver() }),
  restore,
  reads,
  step(state, entry, found, effects) {
    if (!isAboutEvent(entry)) return stepForgotten(state, entry, effects);
    if (entry.value.previousStatus !== undefined) stepTransition(entry, effects);
    if (isArrival(entry.value)) stepArrival(state, entry, found, effects);
    else if (entry.value.happened === 'related') stepRelated(state, entry, found, effects);
  },
  sizes: ({ tenants }) => ({ tenants: tenants.size }),
});
