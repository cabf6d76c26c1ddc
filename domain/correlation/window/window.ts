import type { Arrival, Enriched, Hit } from '#domain/correlation/records.ts';
import { ownSettings } from '#domain/correlation/settings/tenant-settings.ts';
import { MAX_LATENESS_MS, MAX_WINDOW_MS } from '#domain/correlation/settings.ts';
import {
  endedAt,
  NO_TRANSITIONS,
  type PlacedTransition,
  withTransition,
} from '#domain/correlation/status-transitions.ts';
import type { Strategy } from '#domain/correlation/strategy.ts';

/** Selection of partners under one key. Distances in ms. */
interface Wanted {
  readonly arrival: Arrival;
  /** Inclusive: a partner at exactly this distance is inside the window. */
  readonly windowMs: number;
  readonly limit: number;
  /** Maximum number per CI. */
  readonly perCi: number;
  /** Entries that are no partners any more. */
  readonly isGone: (partner: Arrival) => boolean;
}

/** Compares by distance, then earlier before later, then by id, so that the choice depends on the two events alone. */
export function byNearness(arrival: Arrival): (a: Arrival, b: Arrival) => number {
  const { time } = arrival;
  return (a, b) => {
    const difference = Math.abs(a.time - time) - Math.abs(b.time - time);
    if (difference !== 0) return difference;
    if (a.time !== b.time) return a.time - b.time;
    const ascending = a.eventId < b.eventId ? -1 : 1;
    return a.time < time ? -ascending : ascending;
  };
}

/** Adds the nearest partners to `taken` and returns the number inside the window that the bounds cut off. */
function takeNearest(partners: Partners, wanted: Wanted, taken: Arrival[]): number {
  const { arrival, windowMs, limit, perCi, isGone } = wanted;
  const { time } = arrival;
  const first = firstKept(partners);
  let right = Math.max(first, firstAt(partners, time));
  let left = right - 1;
  let room = limit;
  let cut = 0;
  const ofCi = perCi < limit && partners.length - first > perCi ? new Map<string | null, number>() : null;
  while (room > 0) {
    const before = left >= first ? (partners[left] as Arrival) : null;
    const after = right < partners.length ? (partners[right] as Arrival) : null;
    const gapBefore = before === null ? Number.POSITIVE_INFINITY : time - before.time;
    const gapAfter = after === null ? Number.POSITIVE_INFINITY : after.time - time;
    const partner = gapBefore <= gapAfter ? before : after;
    if (partner === null || Math.min(gapBefore, gapAfter) > windowMs) return cut;
    if (partner === before) left--;
    else right++;
    if (partner.eventId === arrival.eventId || isGone(partner)) continue;
    const alike = ofCi?.get(partner.ciId) ?? 0;
    if (alike >= perCi) {
      cut++;
      continue;
    }
    ofCi?.set(partner.ciId, alike + 1);
    room--;
    if (!taken.includes(partner)) taken.push(partner);
  }
  const inside = firstAt(partners, time + windowMs + 1) - Math.max(first, firstAt(partners, time - windowMs));
  return cut + inside - (right - left - 1);
}

/** Maximum of newest partners compared under one key; older ones are no candidates in a storm. */
export const KEPT_PER_KEY = 512;

/** Partners under one key, by event time, then by event id: the same list in any order of arrival. */
type Partners = Arrival[];

/** First index whose time is at or after `time`. */
function firstAt(partners: Partners, time: number): number {
  let low = 0;
  let high = partners.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((partners[middle] as Arrival).time < time) low = middle + 1;
    else high = middle;
  }
  return low;
}

const isBefore = (a: Arrival, b: Arrival): boolean => a.time < b.time || (a.time === b.time && a.eventId < b.eventId);

/**
 * Returns the index where the arrival is or belongs. Most belong at the end, since events mostly arrive in order of
 * time.
 */
function placeOf(partners: Partners, arrival: Arrival): number {
  let low = 0;
  let high = partners.length;
  if (high > 0 && isBefore(partners[high - 1] as Arrival, arrival)) return high;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (isBefore(partners[middle] as Arrival, arrival)) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Returns the index of the first valid one; earlier ones only wait to be cut off. */
const firstKept = (partners: Partners): number => Math.max(0, partners.length - KEPT_PER_KEY);

/** Puts an arrival in its place; one of the same event and time is replaced. Cuts in large steps, which is O(1) for each. */
function insert(partners: Partners, arrival: Arrival): void {
  const at = placeOf(partners, arrival);
  const there = partners[at];
  if (there !== undefined && !isBefore(arrival, there)) partners[at] = arrival;
  else if (at === partners.length) partners.push(arrival);
  else partners.splice(at, 0, arrival);
  if (partners.length >= 2 * KEPT_PER_KEY) partners.splice(0, partners.length - KEPT_PER_KEY);
}

/** Removes this very arrival, if it is still there. */
function remove(partners: Partners, arrival: Arrival): void {
  const at = placeOf(partners, arrival);
  if (partners[at] !== arrival) return;
  if (at === 0) partners.shift();
  else partners.splice(at, 1);
}

/** Maximum of newest arrivals that one window stores per tenant, regardless of time; bounds memory in a storm. */
const KEPT_PER_TENANT = 200_000;

/**
 * Time behind the newest arrival for which partners are stored, ms: the longest window and lateness that settings
 * allow, so that a widened window finds all of its partners.
 */
export const REACH_MS = MAX_WINDOW_MS + MAX_LATENESS_MS;

/** Memory of one strategy for one tenant. */
export interface TenantWindow {
  /** Partners by the keys of the strategy. */
  readonly partners: Map<string, Partners>;
  /** Partners by the CIs above them. */
  readonly below: Map<string, Partners>;
  /** Arrivals in order of arrival, live from `head` on: each is checked once when its time is reached. */
  readonly queue: Arrival[];
  head: number;
  /** Position of the newest arrival of events that arrived again or were superseded. */
  readonly replaced: Map<string, number>;
  /** Ends and returns of events by position; events without any are absent. */
  readonly turns: Map<string, readonly PlacedTransition[]>;
  /** Iterates over `turns` repeatedly. */
  sweep: Iterator<[string, readonly PlacedTransition[]]>;
  /** Highest event time seen, ms. */
  watermark: number;
  /** Value of the partition's count of arrivals at the newest arrival. */
  touched: number;
}

export const openTenantWindow = (): TenantWindow => {
  const turns = new Map<string, readonly PlacedTransition[]>();
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
  /** Number inside the window that the bounds cut off. */
  readonly cut: number;
}

const NONE: Candidates = { partners: [], cut: 0 };
const NEVER = (): boolean => false;

/**
 * Returns a filter for arrivals that are no partners: a later arrival of the event has replaced them; or, under
 * `calibrated`, the event was over when this one began, by the records before it.
 */
const goneFor = (
  { replaced, turns, watermark }: TenantWindow,
  { arrival: { position, time }, settings }: Enriched,
): ((partner: Arrival) => boolean) => {
  const outlives = settings.profile === 'calibrated' && turns.size > 0;
  if (replaced.size === 0 && !outlives) return NEVER;
  // Turns that the sweep may have dropped do not count even while they are there: a start reads them again.
  const isOver = (told: readonly PlacedTransition[] = NO_TRANSITIONS): boolean => {
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

const isBeside = ({ time }: Arrival, before: number, beyond: number): boolean => time < before || time > beyond;

/** Frees what no arrival can reach any more; each entry is freed once, so the cost per arrival is constant. */
export function evict(window: TenantWindow, strategy: Strategy): void {
  const { queue } = window;
  const [before, beyond] = [window.watermark - REACH_MS, window.watermark + REACH_MS];
  while (window.head < queue.length && isBeside(queue[window.head] as Arrival, before, beyond))
    forgetOldest(window, strategy);
  while (queue.length - window.head > KEPT_PER_TENANT) forgetOldest(window, strategy);
  if (window.head > 1_024 && window.head * 2 > queue.length) {
    queue.splice(0, window.head);
    window.head = 0;
  }
}

/**
 * Admits the arrival as a partner of later ones. A second arrival of an event replaces the first, and a superseding
 * event replaces its predecessor.
 */
export function admit(window: TenantWindow, strategy: Strategy, arrival: Arrival): void {
  if (arrival.rebound) {
    window.replaced.set(arrival.eventId, arrival.position);
    if (arrival.supersedes !== undefined) window.replaced.set(arrival.supersedes, arrival.position);
  }
  for (const key of strategy.keys(arrival)) addTo(window.partners, key, arrival);
  if (strategy.above !== undefined) for (const { ci } of strategy.above(arrival)) addTo(window.below, ci, arrival);
  window.queue.push(arrival);
  // No arrival is later than that: a watermark further ahead is of a clock that was.
  window.watermark = Math.min(Math.max(window.watermark, arrival.time), arrival.time + MAX_LATENESS_MS);
}

/** Events checked per step, so that entries outside all windows leave faster than new ones can arrive. */
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
export function turn(window: TenantWindow, told: PlacedTransition): void {
  window.turns.set(told.eventId, withTransition(window.turns.get(told.eventId) ?? NO_TRANSITIONS, told));
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
