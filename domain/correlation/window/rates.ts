import type { Arrival, Rates } from '#domain/correlation/records.ts';
import { BIN_MS, binOf, countIn, forgetUnseen, openRings, type Rings, readBins } from './rings.ts';

/** Bins a rate is taken from: the 4 h before the arrival, without the current and the last full bin. */
export const RATE_BINS = 24;
const SKIPPED_BINS = 2;
/** A tenant with fewer busy bins is quiet. */
const QUIET_BELOW = 12;
const DAY_BINS = 144;
/** A day, the current bin, and an hour of late arrivals. */
const TENANT_BINS = 152;

/** How often a tenant has new events. */
export interface TenantRates {
  readonly signature: Rings;
  readonly service: Rings;
  readonly ci: Rings;
  /** Counts per bin of all new events; bin b is at b mod 152. */
  readonly all: Float64Array;
  newest: number;
}

export const openTenantRates = (): TenantRates => ({
  signature: openRings(),
  service: openRings(),
  ci: openRings(),
  all: new Float64Array(TENANT_BINS),
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

const countAll = (rates: TenantRates, bin: number): void => {
  if (bin > rates.newest) {
    const gone = Math.min(bin - rates.newest, TENANT_BINS);
    for (let back = 0; back < gone; back++) rates.all[at(bin - back)] = 0;
    rates.newest = bin;
  } else if (bin <= rates.newest - TENANT_BINS) return;
  rates.all[at(bin)] = (rates.all[at(bin)] as number) + 1;
};

const countOfAll = ({ all, newest }: TenantRates, bin: number): number =>
  bin <= newest && bin > newest - TENANT_BINS ? (all[at(bin)] as number) : 0;

const KEYS_LOOKED_AT = 2;

/** Counts a new event. Every count forgets a little of what is unseen, so memory is bounded by the keys of the last hours. */
export function count(rates: TenantRates, { time, signature, ciId, services }: Arrival): void {
  const bin = binOf(time);
  countAll(rates, bin);
  countIn(rates.signature, signature, bin);
  if (ciId !== null) countIn(rates.ci, ciId, bin);
  for (const service of services) countIn(rates.service, service, bin);
  const oldest = rates.newest - RATE_BINS - SKIPPED_BINS;
  for (const rings of [rates.signature, rates.ci, rates.service]) forgetUnseen(rings, oldest, KEYS_LOOKED_AT);
}

/** New events of the 24 h before `time`, the current bin included. */
export function dayCount(rates: TenantRates, time: number): number {
  const bin = binOf(time);
  let sum = 0;
  for (let back = 0; back < DAY_BINS; back++) sum += countOfAll(rates, bin - back);
  return sum;
}

export const QUIET: Rates = { quiet: true, tenant: 0, signature: 0, ci: 0, service: {} };

const bins = new Uint16Array(RATE_BINS);
const tenantBins = new Float64Array(RATE_BINS);

const keyRate = (rings: Rings, key: string, bin: number): number => {
  readBins(rings, key, bin, bins);
  return rateOf(bins);
};

/** The background at a time against which this arrival is seen; the arrival itself does not count, since its bin does not. */
export function ratesAt(rates: TenantRates, { signature, ciId, services }: Arrival, time: number): Rates {
  const bin = binOf(time) - SKIPPED_BINS;
  let busy = 0;
  for (let back = 0; back < RATE_BINS; back++) {
    tenantBins[back] = countOfAll(rates, bin - back);
    if (tenantBins[back] !== 0) busy++;
  }
  if (busy < QUIET_BELOW) return QUIET;
  return {
    quiet: false,
    tenant: rateOf(tenantBins),
    signature: keyRate(rates.signature, signature, bin),
    ci: ciId === null ? 0 : keyRate(rates.ci, ciId, bin),
    service: Object.fromEntries(services.map((name) => [name, keyRate(rates.service, name, bin)])),
  };
}
