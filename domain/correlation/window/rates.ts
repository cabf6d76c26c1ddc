import type { Arrival, Commonness, Rates } from '#domain/correlation/records.ts';
import { BIN_MS, countIn, forgetUnseen, openRings, type Rings, readBins, STEPS_PER_BIN, stepOf } from './rings.ts';

/** Bins a rate is taken from; they end some minutes before the arrival, so that what it belongs to is no background. */
export const RATE_BINS = 24;
const RATE_STEPS = RATE_BINS * STEPS_PER_BIN;
const SKIPPED_STEPS = 15;
/** A tenant is quiet when fewer bins of the last four hours are busy. */
const QUIET_BELOW = 12;
const DAY_STEPS = 144 * STEPS_PER_BIN;
/** A day, and an hour of late arrivals. */
const TENANT_STEPS = DAY_STEPS + 80;

/** A template that was seen in at most so many of its bins is of commonness 0, and of 1. */
const BINS_OF_RARE = 1;
const BINS_OF_SOME = 6;
const COMMON: Commonness = 2;

/** How often a tenant has new events. */
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

/** Counts a new event. Every count forgets a little of what is unseen, so memory is bounded by the keys of the last hours. */
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

/** New events of the 24 h that end with `time`. */
export function dayCount(rates: TenantRates, time: number): number {
  const end = stepOf(time);
  return sumOf(rates, COMMON, end - DAY_STEPS + 1, end);
}

export const QUIET: Rates = { quiet: true, tenant: 0, signature: 0, ci: 0, service: {} };

const bins = new Uint16Array(RATE_BINS);
const tenantBins = new Uint32Array(RATE_BINS);

/** A tenant that was silent for half a day is as one that begins. Less than what a start reads, however late an event comes. */
const SINCE_STEPS = 72 * STEPS_PER_BIN;

/** The step with which the bins end that an arrival is judged by. */
const endFor = (time: number): number => stepOf(time) - SKIPPED_STEPS;

/**
 * Bins from the tenant's first event of the last half day to `end`, at most 24: a tenant that began 40 minutes ago is judged by what has
 * passed, and not by the empty hours before.
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

/** How common the template is at a time. */
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
