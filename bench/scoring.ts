/** Cost per arrival of each strategy's join and of enrich, with windows full. Run: `node bench/scoring.ts [arrivals in windows] [gap in ms] [hubs]`. */

import type { Enriched } from '#domain/correlation/records.ts';
import { DEFAULT_SETTINGS, makeResolver } from '#domain/correlation/settings/tenant-settings.ts';
import { strategies } from '#domain/correlation/strategies/strategies.ts';
import { arrivalOf as made, NOWHERE } from '#domain/correlation/window/enrichment.ts';
import { count, openTenantRates, ratesAt } from '#domain/correlation/window/rates.ts';
import type { Event } from '#domain/event/event.ts';
import type { Emits } from '#domain/pipeline/processor.ts';
import type { ArrivalTopology } from '#domain/topology/near.ts';
import { correlate } from '#processors/correlate.ts';

const [full = 150_000, gapMs = 4, hubShare = 100] = process.argv.slice(2).map(Number);
const CIS = 100_000;
const MEASURED = 20_000;

let seed = 42;
/** Mulberry32: the same numbers in every run. */
const random = (): number => {
  seed = (seed + 0x6d2b79f5) | 0;
  let mixed = Math.imul(seed ^ (seed >>> 15), 1 | seed);
  mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
  return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
};
const nameOf = (n: number): string => `01J${String(n).padStart(23, '0')}`;
/** One string per CI, as in the cache of the topology. */
const CI_NAMES = Array.from({ length: CIS }, (_, n) => nameOf(n));
const ciName = (n: number): string => CI_NAMES[n % CIS] as string;
/** CPU time of this process in us: steadier than the clock on a shared machine. */
const cpu = (): number => {
  const { user, system } = process.cpuUsage();
  return user + system;
};

const topologies = new Map<number, ArrivalTopology>();
/** One CI in `hubShare` has 256 neighbours, the others 20 within two hops; a chain of six above each. */
const around = (n: number): ArrivalTopology => {
  const known = topologies.get(n);
  if (known) return known;
  const near = Array.from({ length: n % hubShare === 0 ? 256 : 20 }, (_, i) => ({
    ci: ciName(n + 1 + i * 7),
    hops: i < 4 ? 1 : 2,
    via: null,
    criticalHops: 0,
  }));
  const chain = Array.from({ length: 6 }, (_, i) => ({ ci: ciName(n + 3 + i * 11), hops: (i >> 1) + 1, via: null }));
  const made = {
    ...NOWHERE,
    near,
    chain,
    upstream: chain,
    hasRelationships: true,
    degree: 4,
    reach2: 20,
    reach3: 60,
    all: CIS,
  };
  topologies.set(n, made);
  return made;
};

const rates = openTenantRates();
const resolve = makeResolver();
/** Six hours of a busy tenant before the first arrival; else it would count as quiet. */
const START = 1_763_629_200_000;
let enrichUs = 0;
const recordOf = (position: number): Enriched => {
  const n = Math.floor(random() * CIS);
  const event = {
    tenant: 'acme',
    id: nameOf(position),
    timestamp: START + position * gapMs + Math.floor(random() * 2_000),
    severity: 'major',
    signature: `s${Math.floor(random() * 2_000)}`,
    identity: `i${position}`,
    hostname: `host-${n}.example.com`,
    source: 'bench',
    service: `service-${n % 500}`,
    ci: { id: ciName(n), name: `host-${n}`, type: 'server' },
    status: 'open',
    usual: false,
    title: `HTTP 503 on host-${n}: service unavailable`,
  } as unknown as Event;
  const topology = around(n);
  const { hasRelationships: _h, above3: _a, below3: _b, chain: _c, ...surroundings } = topology;
  const before = performance.now();
  const arrival = made(event, topology, position, event.timestamp);
  const settings = resolve(DEFAULT_SETTINGS, ({ auto }) => auto.windowMs(200_000));
  const record = { ...surroundings, arrival, rates: ratesAt(rates, arrival, arrival.time), settings, late: false };
  count(rates, arrival);
  enrichUs += performance.now() - before;
  return record;
};

let hits = 0;
const effects: Emits = {
  emit: () => {
    hits++;
  },
};

for (let bin = 36; bin > 0; bin--)
  for (let n = 0; n < 50; n++) count(rates, { ...recordOf(0).arrival, time: START - bin * 600_000 });
enrichUs = 0;
const entries = Array.from({ length: full + MEASURED }, (_, position) => {
  const value = recordOf(position);
  return { tenant: 'acme', position, value };
});
console.log(
  `enrich: ${((enrichUs * 1_000) / entries.length).toFixed(2)} us per arrival without the look-up of the topology`,
);
for (const strategy of strategies) {
  const join = correlate(strategy);
  const state = join.open();
  for (let i = 0; i < full; i++) join.match(state, entries[i] as (typeof entries)[number], effects);
  hits = 0;
  const before = cpu();
  for (let i = full; i < full + MEASURED; i++) join.match(state, entries[i] as (typeof entries)[number], effects);
  const us = (cpu() - before) / MEASURED;
  console.log(
    `${join.name}: ${us.toFixed(2)} us per arrival, ${(hits / MEASURED).toFixed(2)} with hits`,
    join.sizes?.(state, 0),
  );
}
console.log(`${Math.round(process.memoryUsage().rss / 1e6)} MB resident`);
