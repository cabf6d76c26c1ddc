import type { Arrival, Commonness, Rates } from '#domain/correlation/records.ts';
import { BIN_MS, binOf, countIn, forgetUnseen, openRings, type Rings, readBins } from './rings.ts';

/** Bins a rate is taken from: the 4 h before the arrival, without the current and the last full bin. */
export const RATE_BINS = 24;
const SKIPPED_BINS = 2;
/** A tenant is quiet when fewer bins of the last four hours are busy. */
const QUIET_BELOW = 12;
const DAY_BINS = 144;
/** A day, the current bin, and an hour of late arrivals. */
const TENANT_BINS = 152;

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
  /** Counts per bin of new events up to each commonness, all at last; bin b is at b mod 152. */
  readonly upTo: readonly [Float64Array, Float64Array, Float64Array];
  newest: number;
}

export const openTenantRates = (): TenantRates => ({
  signature: openRings(),
  service: openRings(),
  ci: openRings(),
  template: openRings(),
  upTo: [new Float64Array(TENANT_BINS), new Float64Array(TENANT_BINS), new Float64Array(TENANT_BINS)],
  newest: Number.NEGATIVE_INFINITY,
});

/**
 * Events per ms that must be reckoned with, from the counts of n bins (docs/specification.md §6):
 * max(−ln(1 − (busy + 1)/(n + 2)) / b, median / b), where the median is the lower one.
 */
export function rateOf(counts: Uint16Array | Float64Array): number {
  let busy = 0;
  for (const count of counts) if (count > 0) busy++;
  const occupied = -Math.log(1 - (busy + 1) / (counts.length + 2)) / BIN_MS;
  // The lower median is 0 unless more than half of the bins are busy.
  if (busy * 2 <= counts.length) return occupied;
  const median = counts.slice().sort()[Math.ceil(counts.length / 2) - 1] as number;
  return Math.max(occupied, median / BIN_MS);
}

const at = (bin: number): number => ((bin % TENANT_BINS) + TENANT_BINS) % TENANT_BINS;

const countAll = (rates: TenantRates, bin: number, commonness: Commonness): void => {
  const { upTo } = rates;
  if (bin > rates.newest) {
    const gone = Math.min(bin - rates.newest, TENANT_BINS);
    for (const counts of upTo) for (let back = 0; back < gone; back++) counts[at(bin - back)] = 0;
    rates.newest = bin;
  } else if (bin <= rates.newest - TENANT_BINS) return;
  for (let one: number = commonness; one < upTo.length; one++) {
    const counts = upTo[one] as Float64Array;
    counts[at(bin)] = (counts[at(bin)] as number) + 1;
  }
};

const countOf = ({ upTo, newest }: TenantRates, commonness: Commonness, bin: number): number =>
  bin <= newest && bin > newest - TENANT_BINS ? (upTo[commonness][at(bin)] as number) : 0;

const KEYS_LOOKED_AT = 2;

/** Counts a new event. Every count forgets a little of what is unseen, so memory is bounded by the keys of the last hours. */
export function count(rates: TenantRates, arrival: Arrival): void {
  const { time, signature, ciId, services, template, commonness = COMMON } = arrival;
  const bin = binOf(time);
  countAll(rates, bin, commonness);
  countIn(rates.signature, signature, bin);
  if (template !== undefined) countIn(rates.template, template, bin);
  if (ciId !== null) countIn(rates.ci, ciId, bin);
  for (const service of services) countIn(rates.service, service, bin);
  const oldest = rates.newest - RATE_BINS - SKIPPED_BINS;
  for (const rings of [rates.signature, rates.ci, rates.service, rates.template])
    forgetUnseen(rings, oldest, KEYS_LOOKED_AT);
}

/** New events of the 24 h before `time`, the current bin included. */
export function dayCount(rates: TenantRates, time: number): number {
  const bin = binOf(time);
  let sum = 0;
  for (let back = 0; back < DAY_BINS; back++) sum += countOf(rates, COMMON, bin - back);
  return sum;
}

export const QUIET: Rates = { quiet: true, tenant: 0, signature: 0, ci: 0, service: {} };

const bins = new Uint16Array(RATE_BINS);
const tenantBins = new Float64Array(RATE_BINS);

/** A tenant that was silent for half a day is as one that begins. Less than what a start reads, however late an event comes. */
const SINCE_BINS = 72;

/**
 * Bins from the tenant's first of the last half day to `bin`, at most 24: a tenant that began 40 minutes ago is judged by what has passed, and
 * not by the empty hours before.
 */
const passedBins = (rates: TenantRates, bin: number): number => {
  for (let back = SINCE_BINS - 1; back >= 0; back--)
    if (countOf(rates, COMMON, bin - back) > 0) return Math.min(RATE_BINS, back + 1);
  return 0;
};

const keyRate = (rings: Rings, key: string, bin: number, passed: number): number => {
  const counts = bins.subarray(0, passed);
  readBins(rings, key, bin, counts);
  return rateOf(counts);
};

/** Counts of the bins up to a commonness, the newest first; they are written over by the next call. */
const tenantCounts = (rates: TenantRates, commonness: Commonness, bin: number, passed: number): Float64Array => {
  for (let back = 0; back < passed; back++) tenantBins[back] = countOf(rates, commonness, bin - back);
  return tenantBins.subarray(0, passed);
};

/** Half of the bins are busy; of fewer than 24 more than half, so that one event in 20 minutes makes no young tenant busy. */
const isBusy = (counts: Float64Array): boolean => {
  let busy = 0;
  for (const count of counts) if (count > 0) busy++;
  return busy >= Math.min(QUIET_BELOW, Math.floor(counts.length / 2) + 1) && counts.length > 1;
};

/** How common the template is at a time. */
export function commonnessAt(rates: TenantRates, template: string, time: number): Commonness {
  readBins(rates.template, template, binOf(time) - SKIPPED_BINS, bins);
  let busy = 0;
  for (const count of bins) if (count > 0) busy++;
  return busy <= BINS_OF_RARE ? 0 : busy <= BINS_OF_SOME ? 1 : COMMON;
}

/** The background at a time against which this arrival is seen; the arrival itself does not count, since its bin does not. */
export function ratesAt(rates: TenantRates, { signature, ciId, services }: Arrival, time: number): Rates {
  const bin = binOf(time) - SKIPPED_BINS;
  const passed = passedBins(rates, bin);
  const all = tenantCounts(rates, COMMON, bin, passed);
  if (!isBusy(all)) return QUIET;
  return {
    quiet: false,
    tenant: rateOf(all),
    uncommon: rateOf(tenantCounts(rates, 1, bin, passed)),
    rare: rateOf(tenantCounts(rates, 0, bin, passed)),
    signature: keyRate(rates.signature, signature, bin, passed),
    ci: ciId === null ? 0 : keyRate(rates.ci, ciId, bin, passed),
    service: Object.fromEntries(services.map((name) => [name, keyRate(rates.service, name, bin, passed)])),
  };
}
