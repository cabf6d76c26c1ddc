import { firstItem } from '#domain/known.ts';
import { paired } from '#domain/paired.ts';
import { type Burst, type BurstTop, burstFinding, burstsOf } from '#features/detectors/rules/burst.ts';
import { DAY_MS, type DetectorAsking, type DetectorReading, HOUR_MS } from './asking.ts';

/** Hours that are looked at, the newest; those before the range are what it is compared with. */
const MOST_HOURS = 960;
const BEFORE_MS = 14 * DAY_MS;

/** The most frequent complaint of the hour. */
async function topOf({ tenant, ports, scope }: DetectorAsking, { at }: Burst): Promise<BurstTop | null> {
  const hour = { from: at, to: at + HOUR_MS };
  const request = { measure: 'events', by: ['signature'], limit: 1 } as const;
  const { buckets } = await ports.eventAggregates.aggregate(tenant, { ...scope, ...hour }, request);
  const [signature] = buckets[0]?.keys ?? [];
  if (!signature) return null;
  const past = await ports.eventHistory.history(tenant, [signature], { ...hour, limit: 1 });
  const id = past.get(signature)?.[0]?.id;
  const newest = id === undefined ? null : await ports.events.get(tenant, id);
  return newest && { newest, count: firstItem(buckets).count };
}

/** Of hours: those with far more events than others. */
export const hourReading: DetectorReading = {
  kinds: ['burst'],
  async detect(asking) {
    const { tenant, ports, range, scope } = asking;
    const end = Math.ceil(range.to / HOUR_MS) * HOUR_MS;
    const wanted = Math.ceil((end - Math.floor(range.from / HOUR_MS) * HOUR_MS + BEFORE_MS) / HOUR_MS);
    const hours = Math.min(MOST_HOURS, wanted);
    const edges = Array.from({ length: hours + 1 }, (_, n) => end - (hours - n) * HOUR_MS);
    const filter = { ...scope, from: firstItem(edges), to: end };
    const request = { measure: 'events', by: ['time'], edges, limit: hours } as const;
    const { buckets } = await ports.eventAggregates.aggregate(tenant, filter, request);
    const counted = new Map(buckets.map(({ keys, count }) => [Number(keys[0]), count]));
    const first = edges.findIndex((edge) => (counted.get(edge) ?? 0) > 0);
    // Before its first event a tenant was not quiet but not there.
    const known = first < 0 ? [] : edges.slice(first, -1);
    const seen = known.map((at) => ({ at, count: counted.get(at) ?? 0 }));
    const bursts = burstsOf(seen, range.from);
    const tops = await Promise.all(bursts.map((burst) => topOf(asking, burst)));
    return {
      findings: paired(bursts, tops).map(([burst, top]) => burstFinding(burst, top)),
      looked: [{ what: 'hours', read: hours, truncated: wanted > hours }],
    };
  },
};
