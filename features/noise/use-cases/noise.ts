import type { TimedContext } from '#application/access/context.ts';
import type { Event } from '#domain/event/event.ts';
import { type KnownByTenant, knownByTenant } from '#domain/lru.ts';
import type { AggregateFilter, AggregateRequest, Bucket } from '#domain/ports/events/event-aggregates.ts';
import type { MemorySlot } from '#domain/ports/memory.ts';
import type { Ports } from '#domain/ports/ports.ts';
import { type Noise, type NoiseTotals, type NoisyCheck, sampleOf } from '#features/noise/rules/noise.ts';

const QUARTER_MS = 15 * 60_000;
const WEEK_MS = 7 * 24 * 3_600_000;
const WEEKS = 4;
const KEPT_MS = 5 * 60_000;
const CHECKS = 50;
const SAMPLE = 40;
const MAX_BUCKETS = 10_000;

type NoisePorts = Pick<Ports, 'eventAggregates' | 'eventHistory' | 'events'>;
interface NoiseReading {
  readonly ports: NoisePorts;
  readonly tenant: string;
  /** Starts of the weeks and the end of the last, ms. */
  readonly edges: readonly number[];
  readonly from: number;
  readonly to: number;
}

const bucketsOf = async (
  { ports, tenant, from, to }: NoiseReading,
  filter: AggregateFilter,
  request: Omit<AggregateRequest, 'limit'>,
  limit = MAX_BUCKETS,
): Promise<readonly Bucket[]> =>
  (await ports.eventAggregates.aggregate(tenant, { from, to, ...filter }, { ...request, limit })).buckets;

/** Totals of the current week, and of the one before. */
async function totals(reading: NoiseReading): Promise<readonly [now: NoiseTotals, before: NoiseTotals]> {
  const edges = reading.edges.slice(-3);
  const [start = 0, middle = 0] = edges;
  const of = (measure: AggregateRequest['measure']) =>
    bucketsOf(reading, { from: start }, { measure, by: ['time'], edges });
  const [counted, acknowledged] = await Promise.all([of('correlated'), of('acknowledgement')]);
  const week = (at: number): NoiseTotals => {
    const isOf = ({ keys }: Bucket): boolean => keys[0] === String(at);
    const { count = 0, sum = 0 } = counted.find(isOf) ?? {};
    return { events: count, grouped: sum, acknowledged: acknowledged.find(isOf)?.count ?? 0 };
  };
  return [week(middle), week(start)];
}

/** Returns the newest events of each signature, newest first. */
async function samples(
  { ports, tenant, from, to }: NoiseReading,
  signatures: readonly string[],
): Promise<ReadonlyMap<string, readonly Event[]>> {
  const past = await ports.eventHistory.history(tenant, signatures, { from, to, limit: SAMPLE });
  const ids = [...past.values()].flatMap((events) => events.map(({ id }) => id));
  const found = await ports.events.getMany(tenant, ids);
  const known = new Map(found.map((event) => [event.id, event]));
  return new Map([...past].map(([signature, of]) => [signature, of.flatMap(({ id }) => known.get(id) ?? [])]));
}

async function checks(reading: NoiseReading): Promise<readonly NoisyCheck[]> {
  const { edges } = reading;
  const most = await bucketsOf(reading, {}, { measure: 'events', by: ['signature'] }, CHECKS);
  const signatures = most.flatMap(({ keys: [signature] }) => signature ?? []);
  if (signatures.length === 0) return [];
  const [byWeek, byGroup, newest] = await Promise.all([
    bucketsOf(reading, { signatures, from: edges[0] ?? 0 }, { measure: 'events', by: ['signature', 'time'], edges }),
    bucketsOf(reading, { signatures }, { measure: 'events', by: ['signature', 'group'] }),
    samples(reading, signatures),
  ]);
  const perWeek = new Map(byWeek.map(({ keys, count }) => [keys.join(' '), count]));
  const groups = Map.groupBy(
    byGroup.filter(({ keys }) => keys[1] !== null),
    ({ keys }) => keys[0],
  );
  return signatures.flatMap((signature) => {
    const events = newest.get(signature) ?? [];
    const [first] = events;
    if (first === undefined) return [];
    const weeks = edges.slice(0, -1).map((edge) => perWeek.get(`${signature} ${edge}`) ?? 0);
    return [{ signature, newest: first, weeks, groups: groups.get(signature)?.length ?? 0, ...sampleOf(events) }];
  });
}

async function count(ports: NoisePorts, tenant: string, now: number): Promise<Noise> {
  const quarter = Math.floor(now / QUARTER_MS) * QUARTER_MS;
  const starts = Array.from({ length: WEEKS }, (_, n) => quarter - (WEEKS - n) * WEEK_MS);
  const to = now + 1;
  const reading = { ports, tenant, edges: [...starts, to], from: quarter - WEEK_MS, to };
  const [[current, before], found] = await Promise.all([totals(reading), checks(reading)]);
  return { from: reading.from, to, now: current, before, checks: found };
}

const MAX_TENANTS = 100;
const COUNTED: MemorySlot<KnownByTenant<Noise, [NoisePorts, number]>> = {
  name: 'noise',
  open: () => knownByTenant(KEPT_MS, (tenant, ports, now) => count(ports, tenant, now), MAX_TENANTS),
};

/** Counts the last seven days, at most once in five minutes. */
export const readNoise = ({ ports, tenant, receivedAt: now }: TimedContext): Promise<Noise> =>
  ports.memory.of(COUNTED).of(tenant, now, ports, now);
