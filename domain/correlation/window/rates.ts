import type { Arrival, Commonness, Rates } from '#domain/correlation/records.ts';

/** Width of a bin, ms of event time. */
export const BIN_MS = 600_000;
export const binOf = (time: number): number => Math.floor(time / BIN_MS);

/** The step of counts, so that the bins of a rate can end at any minute, ms of event time. */
const STEP_MS = 60_000;
const stepOf = (time: number): number => Math.floor(time / STEP_MS);
const STEPS_PER_BIN = BIN_MS / STEP_MS;

/** The steps that a rate needs, and an hour for late arrivals. */
const RING_STEPS = 320;
const FULL = 0xff;

/** Counts per step for many keys in one block of memory: 320 bytes a key. A count stops at 255. */
interface Rings {
  readonly slots: Map<string, number>;
  counts: Uint8Array;
  /** Newest step per slot; counts more than `RING_STEPS` before it are gone. */
  newest: Float64Array;
  readonly free: number[];
  /** Iterates over the keys, a few per count, to forget unseen ones. */
  sweep: IterableIterator<[string, number]> | null;
}

const FIRST_SLOTS = 64;

const openRings = (): Rings => ({
  slots: new Map(),
  counts: new Uint8Array(FIRST_SLOTS * RING_STEPS),
  newest: new Float64Array(FIRST_SLOTS),
  free: [],
  sweep: null,
});

const grow = (rings: Rings): void => {
  const counts = new Uint8Array(rings.counts.length * 2);
  counts.set(rings.counts);
  const newest = new Float64Array(rings.newest.length * 2);
  newest.set(rings.newest);
  rings.counts = counts;
  rings.newest = newest;
};

const openSlot = (rings: Rings, key: string, step: number): number => {
  const slot = rings.free.pop() ?? rings.slots.size;
  if (slot >= rings.newest.length) grow(rings);
  rings.counts.fill(0, slot * RING_STEPS, (slot + 1) * RING_STEPS);
  rings.newest[slot] = step;
  rings.slots.set(key, slot);
  return slot;
};

const placeOf = (slot: number, step: number): number =>
  slot * RING_STEPS + (((step % RING_STEPS) + RING_STEPS) % RING_STEPS);

/** Moves the ring on to `step`: the steps between are empty. */
const advance = ({ counts, newest }: Rings, slot: number, step: number): void => {
  const gone = Math.min(step - (newest[slot] as number), RING_STEPS);
  const end = placeOf(slot, step) + 1;
  const first = slot * RING_STEPS;
  counts.fill(0, Math.max(first, end - gone), end);
  const rest = gone - (end - first);
  if (rest > 0) counts.fill(0, first + RING_STEPS - rest, first + RING_STEPS);
  newest[slot] = step;
};

/** Counts one event of the key in its own step, while that step exists. */
function countIn(rings: Rings, key: string, step: number): void {
  const slot = rings.slots.get(key) ?? openSlot(rings, key, step);
  const newest = rings.newest[slot] as number;
  if (step > newest) advance(rings, slot, step);
  else if (step <= newest - RING_STEPS) return;
  const at = placeOf(slot, step);
  if ((rings.counts[at] as number) < FULL) rings.counts[at] = (rings.counts[at] as number) + 1;
}

/**
 * Writes the counts of bins into `into`, the last of which ends with the step `end`, from there backwards; steps that are gone or not
 * there yet count as empty.
 */
function readBins({ slots, counts, newest }: Rings, key: string, end: number, into: Uint16Array): void {
  into.fill(0);
  const slot = slots.get(key);
  if (slot === undefined) return;
  const last = newest[slot] as number;
  const first = Math.max(end - into.length * STEPS_PER_BIN + 1, last - RING_STEPS + 1);
  let place = placeOf(slot, Math.min(end, last));
  for (let step = Math.min(end, last); step >= first; step--) {
    const count = counts[place] as number;
    if (count > 0) into[Math.floor((end - step) / STEPS_PER_BIN)]! += count;
    place = place === slot * RING_STEPS ? place + RING_STEPS - 1 : place - 1;
  }
}

/**
 * Checks a few keys and forgets those unseen since before `oldest`; called per count, it bounds memory to live keys.
 */
function forgetUnseen(rings: Rings, oldest: number, keys: number): void {
  for (let looked = 0; looked < keys; looked++) {
    rings.sweep ??= rings.slots.entries();
    const next = rings.sweep.next();
    if (next.done) {
      rings.sweep = null;
      return;
    }
    const [key, slot] = next.value;
    if ((rings.newest[slot] as number) >= oldest) continue;
    rings.slots.delete(key);
    rings.free.push(slot);
  }
}

/** Forgets keys that were counted after `step`. */
function rewindRings(rings: Rings, step: number): void {
  for (const [key, slot] of rings.slots)
    if ((rings.newest[slot] as number) > step) {
      rings.slots.delete(key);
      rings.free.push(slot);
    }
}

/** Bins used for a rate; they end some minutes before the arrival, so that its own incident is no background. */
export const RATE_BINS = 24;
const RATE_STEPS = RATE_BINS * STEPS_PER_BIN;
const SKIPPED_STEPS = 15;
/** A tenant is quiet when fewer bins of the last four hours are busy. */
const QUIET_BELOW = 12;
const DAY_STEPS = 144 * STEPS_PER_BIN;
/** A day, and an hour of late arrivals. */
const TENANT_STEPS = DAY_STEPS + 80;

/** Maximum bins with a template for commonness 0, and for 1. */
const BINS_OF_RARE = 1;
const BINS_OF_SOME = 6;
const COMMON: Commonness = 2;

/** Rates of new events of a tenant. */
export interface TenantRates {
  readonly signature: Rings;
  readonly service: Rings;
  readonly ci: Rings;
  readonly template: Rings;
  /** Counts per step of new events up to each commonness, all at last; step s is at s mod 1,520. */
  readonly upTo: readonly [Uint32Array, Uint32Array, Uint32Array];
  newest: number;
}

export const openTenantRates = (): TenantRates => ({
  signature: openRings(),
  service: openRings(),
  ci: openRings(),
  template: openRings(),
  upTo: [new Uint32Array(TENANT_STEPS), new Uint32Array(TENANT_STEPS), new Uint32Array(TENANT_STEPS)],
  newest: Number.NEGATIVE_INFINITY,
});

/**
 * Events per ms that must be reckoned with, from the counts of n bins (docs/specification.md §6):
 * max(−ln(1 − (busy + 1)/(n + 2)) / b, median / b), where the median is the lower one.
 */
export function rateOf(counts: Uint16Array | Uint32Array): number {
  let busy = 0;
  for (const count of counts) if (count > 0) busy++;
  const occupied = -Math.log(1 - (busy + 1) / (counts.length + 2)) / BIN_MS;
  // The lower median is 0 unless more than half of the bins are busy.
  if (busy * 2 <= counts.length) return occupied;
  const median = counts.slice().sort()[Math.ceil(counts.length / 2) - 1] as number;
  return Math.max(occupied, median / BIN_MS);
}

const at = (step: number): number => ((step % TENANT_STEPS) + TENANT_STEPS) % TENANT_STEPS;

const countAll = (rates: TenantRates, step: number, commonness: Commonness): void => {
  const { upTo } = rates;
  if (step > rates.newest) {
    const gone = Math.min(step - rates.newest, TENANT_STEPS);
    for (const counts of upTo) for (let back = 0; back < gone; back++) counts[at(step - back)] = 0;
    rates.newest = step;
  } else if (step <= rates.newest - TENANT_STEPS) return;
  for (let one: number = commonness; one < upTo.length; one++) {
    const counts = upTo[one] as Uint32Array;
    counts[at(step)] = (counts[at(step)] as number) + 1;
  }
};

/** Events of the steps `from` to `to`; steps that are gone or not there yet count as empty. */
const sumOf = ({ upTo, newest }: TenantRates, commonness: Commonness, from: number, to: number): number => {
  const counts = upTo[commonness];
  const last = Math.min(to, newest);
  let place = at(Math.max(from, newest - TENANT_STEPS + 1));
  let sum = 0;
  for (let step = Math.max(from, newest - TENANT_STEPS + 1); step <= last; step++) {
    sum += counts[place] as number;
    place = place === TENANT_STEPS - 1 ? 0 : place + 1;
  }
  return sum;
};

const KEYS_LOOKED_AT = 2;

/** Counts a new event. Every count forgets a few unseen keys, so memory is bounded by the keys of the last hours. */
export function count(rates: TenantRates, arrival: Arrival): void {
  const { time, signature, ciId, services, template, commonness = COMMON } = arrival;
  const step = stepOf(time);
  countAll(rates, step, commonness);
  countIn(rates.signature, signature, step);
  if (template !== undefined) countIn(rates.template, template, step);
  if (ciId !== null) countIn(rates.ci, ciId, step);
  for (const service of services) countIn(rates.service, service, step);
  const oldest = rates.newest - RATE_STEPS - SKIPPED_STEPS;
  for (const rings of [rates.signature, rates.ci, rates.service, rates.template])
    forgetUnseen(rings, oldest, KEYS_LOOKED_AT);
}

/** Forgets counts after `time` (ms), and the keys that were counted then: a clock had been ahead. */
export function rewindRates(rates: TenantRates, time: number): void {
  const step = stepOf(time);
  for (const rings of [rates.signature, rates.ci, rates.service, rates.template]) rewindRings(rings, step);
  const gone = Math.min(rates.newest - step, TENANT_STEPS);
  if (gone <= 0) return;
  for (const counts of rates.upTo) for (let ahead = 0; ahead < gone; ahead++) counts[at(rates.newest - ahead)] = 0;
  rates.newest = step;
}

/** New events of the 24 h that end with `time`. */
export function dayCount(rates: TenantRates, time: number): number {
  const end = stepOf(time);
  return sumOf(rates, COMMON, end - DAY_STEPS + 1, end);
}

export const QUIET: Rates = { quiet: true, tenant: 0, signature: 0, ci: 0, service: {} };

const bins = new Uint16Array(RATE_BINS);
const tenantBins = new Uint32Array(RATE_BINS);

/**
 * A tenant that was silent for half a day counts as new. Less than the range that a start reads, however late an event
 * arrives.
 */
const SINCE_STEPS = 72 * STEPS_PER_BIN;

/** The step with which the bins end that an arrival is judged by. */
const endFor = (time: number): number => stepOf(time) - SKIPPED_STEPS;

/**
 * Returns the bins from the tenant's first event of the last half day to `end`, at most 24: a tenant that began 40
 * minutes ago is judged by that time, and not by the empty hours before.
 */
const passedBins = (rates: TenantRates, end: number): number => {
  if (sumOf(rates, COMMON, end - SINCE_STEPS + 1, end - RATE_STEPS) > 0) return RATE_BINS;
  for (let back = RATE_STEPS - 1; back >= 0; back--)
    if (sumOf(rates, COMMON, end - back, end - back) > 0) return Math.floor(back / STEPS_PER_BIN) + 1;
  return 0;
};

const keyRate = (rings: Rings, key: string, end: number, passed: number): number => {
  const counts = bins.subarray(0, passed);
  readBins(rings, key, end, counts);
  return rateOf(counts);
};

/** Counts of the bins up to a commonness, the newest first; they are written over by the next call. */
const tenantCounts = (rates: TenantRates, commonness: Commonness, end: number, passed: number): Uint32Array => {
  for (let back = 0; back < passed; back++) {
    const last = end - back * STEPS_PER_BIN;
    tenantBins[back] = sumOf(rates, commonness, last - STEPS_PER_BIN + 1, last);
  }
  return tenantBins.subarray(0, passed);
};

/** Half of the bins are busy; of fewer than 24 more than half, so that one event in 20 minutes makes no young tenant busy. */
const isBusy = (counts: Uint32Array): boolean => {
  let busy = 0;
  for (const count of counts) if (count > 0) busy++;
  return busy >= Math.min(QUIET_BELOW, Math.floor(counts.length / 2) + 1) && counts.length > 1;
};

/** Returns the commonness of the template at a time. */
export function commonnessAt(rates: TenantRates, template: string, time: number): Commonness {
  readBins(rates.template, template, endFor(time), bins);
  let busy = 0;
  for (const count of bins) if (count > 0) busy++;
  return busy <= BINS_OF_RARE ? 0 : busy <= BINS_OF_SOME ? 1 : COMMON;
}

/** The background at a time against which this arrival is seen; the arrival itself does not count. */
export function ratesAt(rates: TenantRates, { signature, ciId, services }: Arrival, time: number): Rates {
  const end = endFor(time);
  const passed = passedBins(rates, end);
  const all = tenantCounts(rates, COMMON, end, passed);
  if (!isBusy(all)) return QUIET;
  return {
    quiet: false,
    tenant: rateOf(all),
    uncommon: rateOf(tenantCounts(rates, 1, end, passed)),
    rare: rateOf(tenantCounts(rates, 0, end, passed)),
    signature: keyRate(rates.signature, signature, end, passed),
    ci: ciId === null ? 0 : keyRate(rates.ci, ciId, end, passed),
    service: Object.fromEntries(services.map((name) => [name, keyRate(rates.service, name, end, passed)])),
  };
}
