import type { Arrival, Enriched, Hit } from '#domain/correlation/records.ts';
import { ownSettings } from '#domain/correlation/settings/tenant-settings.ts';
import { MOST_LATENESS_MS, MOST_WINDOW_MS } from '#domain/correlation/settings.ts';
import type { Strategy } from '#domain/correlation/strategy.ts';
import { endedAt, NO_TURNS, type PlacedTurn, withTurn } from '#domain/correlation/turns.ts';
import { byNearness, insert, type Partners, remove, takeNearest } from './partners.ts';

/** The newest arrivals that one window keeps of a tenant, whatever their number in time; bounds memory in a storm. */
const KEPT_PER_TENANT = 200_000;

/**
 * How far behind the newest arrival partners are kept, ms: the longest window and the longest lateness that settings allow, so that a
 * window that a tenant widens finds what it would have found.
 */
export const REACH_MS = MOST_WINDOW_MS + MOST_LATENESS_MS;

/** Memory of one strategy for one tenant. */
export interface TenantWindow {
  /** By the keys of the strategy. */
  readonly partners: Map<string, Partners>;
  /** By the CIs above them. */
  readonly below: Map<string, Partners>;
  /** Arrivals in order of arrival, live from `head` on: each is looked at once when its time has come. */
  readonly queue: Arrival[];
  head: number;
  /** Position of the newest arrival of events that arrived again, or whose place another one took. */
  readonly replaced: Map<string, number>;
  /** Ends and returns of events by position; those that were never told of are not there. */
  readonly turns: Map<string, readonly PlacedTurn[]>;
  /** Goes round and round through `turns`. */
  sweep: Iterator<[string, readonly PlacedTurn[]]>;
  /** Highest event time seen, ms. */
  watermark: number;
  /** Value of the partition's count of arrivals at the newest arrival. */
  touched: number;
}

export const openTenantWindow = (): TenantWindow => {
  const turns = new Map<string, readonly PlacedTurn[]>();
  return {
    partners: new Map(),
    below: new Map(),
    queue: [],
    head: 0,
    replaced: new Map(),
    turns,
    sweep: turns.entries(),
    watermark: Number.NEGATIVE_INFINITY,
    touched: 0,
  };
};

interface Candidates {
  readonly partners: readonly Arrival[];
  /** How many inside the window the bounds cut off. */
  readonly cut: number;
}

const NONE: Candidates = { partners: [], cut: 0 };
const NEVER = (): boolean => false;

/**
 * Tells which arrivals are no partners: a later arrival of the event has replaced them; or, under `calibrated`, the event was over
 * when this one began, by the records before it.
 */
const goneFor = (
  { replaced, turns, watermark }: TenantWindow,
  { arrival: { position, time }, settings }: Enriched,
): ((partner: Arrival) => boolean) => {
  const outlives = settings.profile === 'calibrated' && turns.size > 0;
  if (replaced.size === 0 && !outlives) return NEVER;
  // Turns that the sweep may have dropped do not count even while they are there: a start reads them again.
  const isOver = (told: readonly PlacedTurn[] = NO_TURNS): boolean => {
    const ended = endedAt(told, position);
    return ended !== null && ended <= time && ended >= watermark - REACH_MS;
  };
  return (partner) =>
    (replaced.get(partner.eventId) ?? -1) > partner.position || (outlives && isOver(turns.get(partner.eventId)));
};

/** The nearest partners within the strategy's window and bounds, in the order of keys and nearness. */
export function candidatesOf(window: TenantWindow, strategy: Strategy, record: Enriched): Candidates {
  const { arrival, settings } = record;
  const own = ownSettings(strategy, settings);
  const { keys, below = null, perKey, total, perCi = perKey } = strategy.lookup(record, own);
  const isGone = goneFor(window, record);
  const wanted = { arrival, windowMs: own.windowMs, limit: perKey, perCi, isGone };
  const taken: Arrival[] = [];
  let cut = 0;
  for (const key of keys) {
    const partners = window.partners.get(key);
    if (partners !== undefined) cut += takeNearest(partners, wanted, taken);
  }
  const dependants = below === null ? undefined : window.below.get(below);
  if (dependants !== undefined) cut += takeNearest(dependants, wanted, taken);
  if (taken.length === 0) return cut === 0 ? NONE : { partners: taken, cut };
  if (taken.length <= total) return { partners: taken, cut };
  taken.sort(byNearness(arrival));
  return { partners: taken.slice(0, total), cut: cut + taken.length - total };
}

const addTo = (lists: Map<string, Partners>, key: string, arrival: Arrival): void => {
  const partners = lists.get(key);
  if (partners === undefined) lists.set(key, [arrival]);
  else insert(partners, arrival);
};
const removeFrom = (lists: Map<string, Partners>, key: string, arrival: Arrival): void => {
  const partners = lists.get(key);
  if (partners === undefined) return;
  remove(partners, arrival);
  if (partners.length === 0) lists.delete(key);
};

const forgetOldest = (window: TenantWindow, strategy: Strategy): void => {
  const oldest = window.queue[window.head++] as Arrival;
  for (const key of strategy.keys(oldest)) removeFrom(window.partners, key, oldest);
  if (strategy.above !== undefined) for (const { ci } of strategy.above(oldest)) removeFrom(window.below, ci, oldest);
  const { eventId, supersedes, position } = oldest;
  if (window.replaced.get(eventId) === position) window.replaced.delete(eventId);
  if (supersedes !== undefined && window.replaced.get(supersedes) === position) window.replaced.delete(supersedes);
};

/** Frees what no arrival can reach any more; each entry is freed once, so the cost per arrival is constant. */
export function evict(window: TenantWindow, strategy: Strategy): void {
  const { queue } = window;
  const before = window.watermark - REACH_MS;
  while (window.head < queue.length && (queue[window.head] as Arrival).time < before) forgetOldest(window, strategy);
  while (queue.length - window.head > KEPT_PER_TENANT) forgetOldest(window, strategy);
  if (window.head > 1_024 && window.head * 2 > queue.length) {
    queue.splice(0, window.head);
    window.head = 0;
  }
}

/** Takes the arrival in as a partner of later ones. A second arrival of an event replaces the first, and the one whose place it takes. */
export function admit(window: TenantWindow, strategy: Strategy, arrival: Arrival): void {
  if (arrival.rebound) {
    window.replaced.set(arrival.eventId, arrival.position);
    if (arrival.supersedes !== undefined) window.replaced.set(arrival.supersedes, arrival.position);
  }
  for (const key of strategy.keys(arrival)) addTo(window.partners, key, arrival);
  if (strategy.above !== undefined) for (const { ci } of strategy.above(arrival)) addTo(window.below, ci, arrival);
  window.queue.push(arrival);
  window.watermark = Math.max(window.watermark, arrival.time);
}

/** Events looked at per turn, so that what no window reaches leaves faster than anything can come. */
const SWEPT = 2;

const sweepTurns = (window: TenantWindow): void => {
  const { turns } = window;
  for (let looked = 0; looked < SWEPT; looked++) {
    const next = window.sweep.next();
    if (next.done) {
      window.sweep = turns.entries();
      continue;
    }
    const [eventId, told] = next.value;
    if (told.at(-1)!.at < window.watermark - REACH_MS || turns.size > KEPT_PER_TENANT) turns.delete(eventId);
  }
};

/** Notes that an event is over, or on again. O(1). */
export function turn(window: TenantWindow, told: PlacedTurn): void {
  window.turns.set(told.eventId, withTurn(window.turns.get(told.eventId) ?? NO_TURNS, told));
  sweepTurns(window);
}

/** Findings are passed on when their final score is strictly greater (docs/specification.md §5). */
const WORTH_LISTING = 0.5;

interface Matches {
  readonly hits: readonly Hit[];
  readonly cut: number;
}

const NO_MATCHES: Matches = { hits: [], cut: 0 };

/** The hits of one strategy for an arrival in its window; none when the tenant has switched it off. */
export function match(window: TenantWindow, strategy: Strategy, record: Enriched): Matches {
  const own = record.settings.strategies[strategy.name];
  if (own === undefined || !own.enabled) return NO_MATCHES;
  const { partners, cut } = candidatesOf(window, strategy, record);
  const hits: Hit[] = [];
  for (const partner of partners) {
    const found = strategy.score(record, partner, own);
    if (found === null || found.score <= WORTH_LISTING) continue;
    const { score, literalScore, reason, details } = found;
    hits.push({ other: partner.eventId, score, literalScore, reason, details });
  }
  return { hits, cut };
}
