import { firstArrival } from '#application/events/first-arrival.ts';
import { firstItem } from '#domain/assert.ts';
import type { Event } from '#domain/event/event.ts';
import { isChange } from '#domain/event/identity/problem-kind.ts';
import type { AggregateFilter } from '#domain/ports/events/event-aggregates.ts';
import type { PastEvent } from '#domain/ports/events/event-history.ts';
import { forecast } from '#features/ai/rules/forecast/forecast.ts';
import type { InsightKind } from '#features/detectors/rules/finding.ts';
import { detectNewSignatures, UNHEARD_DAYS } from '#features/detectors/rules/new-signature.ts';
import { detectNoisyMonitors, type LoudSignature, NOISY_SHARE } from '#features/detectors/rules/noisy-monitor.ts';
import { detectRisingTrends, type TrendSeen } from '#features/detectors/rules/rising-trend.ts';
import { DAY_MS, type DetectorAsking, type DetectorReading, eventsHref } from './asking.ts';

/** Maximum of counted problems: those with most events, and those with most severe ones. */
const MAX_COUNTED = 300;
const MAX_SEVERE = 200;
/** Sample of a loud problem, and number of loud problems. */
const SAMPLE = 100;
const MAX_LOUD = 20;
/** Days before today that predict the next one. */
const DAYS = 60;

const SEVERE = ['critical', 'major'] as const;

type SignatureCounts = ReadonlyMap<string, number>;

/** Events per signature. */
async function counts({ tenant, ports }: DetectorAsking, filter: AggregateFilter, limit: number) {
  const request = { measure: 'events', by: ['signature'], limit } as const;
  const { buckets, truncated } = await ports.eventAggregates.aggregate(tenant, filter, request);
  const found: SignatureCounts = new Map(buckets.flatMap(({ keys: [key], count }) => (key ? [[key, count]] : [])));
  return { found, truncated };
}

const total = async ({ tenant, ports }: DetectorAsking, filter: AggregateFilter): Promise<number> => {
  const request = { measure: 'events', by: [], limit: 1 } as const;
  return (await ports.eventAggregates.aggregate(tenant, filter, request)).buckets[0]?.count ?? 0;
};

/** Returns the newest events of the range by signature, at most `limit`, newest first. */
async function newestOf(
  { tenant, ports, range }: DetectorAsking,
  signatures: readonly string[],
  limit: number,
): Promise<ReadonlyMap<string, readonly Event[]>> {
  if (signatures.length === 0) return new Map();
  const past = await ports.eventHistory.history(tenant, signatures, { ...range, limit });
  const ids = [...past.values()].flatMap((events) => events.map(({ id }) => id));
  const events = new Map((await ports.events.getMany(tenant, ids)).map((event) => [event.id, event]));
  const read = ({ id }: PastEvent): Event[] => [events.get(id) ?? []].flat();
  return new Map([...past].map(([signature, of]) => [signature, of.flatMap(read)]));
}

/** Counts each problem in the range, and before it. */
async function see(asking: DetectorAsking) {
  const { range, scope } = asking;
  const { from, to } = range;
  const [most, severe] = await Promise.all([
    counts(asking, { ...scope, ...range }, MAX_COUNTED),
    counts(asking, { ...scope, ...range, severities: SEVERE }, MAX_SEVERE),
  ]);
  const signatures = [...new Set([...most.found.keys(), ...severe.found.keys()])];
  const of = (filter: AggregateFilter) =>
    signatures.length === 0
      ? Promise.resolve(new Map<string, number>())
      : counts(asking, { ...filter, signatures }, signatures.length).then(({ found }) => found);
  const [unheard, before, newest] = await Promise.all([
    // Ignores the scope: a signature known elsewhere is not new.
    of({ from: from - UNHEARD_DAYS * DAY_MS, to: from }),
    of({ ...scope, from: 2 * from - to, to: from }),
    newestOf(asking, signatures, 1),
  ]);
  const seen = signatures.flatMap((signature) => {
    const event = newest.get(signature)?.[0];
    if (event === undefined || isChange(event)) return [];
    const count = most.found.get(signature) ?? severe.found.get(signature) ?? 0;
    return [
      { signature, newest: event, count, unheard: unheard.get(signature) ?? 0, before: before.get(signature) ?? 0 },
    ];
  });
  return { seen, truncated: most.truncated || severe.truncated };
}
type SignatureSightings = Awaited<ReturnType<typeof see>>['seen'];

/** Returns the loud ones among them, with the actions of users on them. */
async function seeLoud(asking: DetectorAsking, seen: SignatureSightings): Promise<LoudSignature[]> {
  const { tenant, ports, range, scope } = asking;
  const all = await total(asking, { ...scope, ...range });
  const loud = seen.filter(({ count }) => count >= NOISY_SHARE * all).slice(0, MAX_LOUD);
  if (loud.length === 0) return [];
  const signatures = loud.map(({ signature }) => signature);
  const filter = { ...scope, ...range, signatures };
  const request = { measure: 'acknowledgement', by: ['signature'], limit: MAX_LOUD } as const;
  const [samples, { buckets }] = await Promise.all([
    newestOf(asking, signatures, SAMPLE),
    ports.eventAggregates.aggregate(tenant, filter, request),
  ]);
  const acknowledged = new Map(buckets.map(({ keys: [key], count }) => [key, count]));
  return loud.map(({ signature, newest, count }) => ({
    signature,
    source: newest.source,
    newest,
    count,
    total: all,
    acknowledged: acknowledged.get(signature) ?? 0,
    sample: samples.get(signature) ?? [],
  }));
}

/** The forecast of the day that begins. */
async function expectedToday({ tenant, ports, receivedAt, scope }: DetectorAsking): Promise<TrendSeen['expected']> {
  const today = Math.floor(receivedAt / DAY_MS) * DAY_MS;
  const edges = Array.from({ length: DAYS + 1 }, (_, n) => today - (DAYS - n) * DAY_MS);
  const request = { measure: 'events', by: ['time'], edges, limit: DAYS } as const;
  const filter = { ...scope, from: firstItem(edges), to: today };
  const { buckets } = await ports.eventAggregates.aggregate(tenant, filter, request);
  const counted = new Map(buckets.map(({ keys, count }) => [Number(keys[0]), count]));
  const all = edges.slice(0, -1).map((edge) => counted.get(edge) ?? 0);
  const first = all.findIndex((count) => count > 0);
  const found = forecast({ counts: first < 0 ? [] : all.slice(first), perDay: 1 }, 1);
  if ('reason' in found) return null;
  const { value, low80, high80 } = firstItem(found.predicted);
  return { value, low: low80, high: high80 };
}

async function seeTrends(asking: DetectorAsking, seen: SignatureSightings): Promise<TrendSeen[]> {
  const { range, scope } = asking;
  const before = { from: 2 * range.from - range.to, to: range.from };
  const [now, earlier, expected] = await Promise.all([
    total(asking, { ...scope, ...range }),
    total(asking, { ...scope, ...before }),
    expectedToday(asking),
  ]);
  const all = { signature: null, newest: null, now, before: earlier, expected };
  return [
    all,
    ...seen.map(({ signature, newest, count, before: count0 }) => ({
      signature,
      newest,
      now: count,
      before: count0,
      expected: null,
    })),
  ];
}

const KINDS: readonly InsightKind[] = ['new-signature', 'noisy-monitor', 'rising-trend'];

/** Detectors of problems: new, loud and increasing ones. */
export const signatureReading: DetectorReading = {
  kinds: KINDS,
  async detect(asking, isWanted) {
    const { tenant, ports, range } = asking;
    const { seen, truncated } = await see(asking);
    const first = isWanted('new-signature') ? await firstArrival(ports, tenant) : null;
    const knownDays = first === null ? 0 : Math.min(UNHEARD_DAYS, (range.from - first) / DAY_MS);
    const heard = seen.map(({ unheard, ...one }) => ({ ...one, before: unheard, knownDays }));
    return {
      findings: [
        ...(isWanted('new-signature') ? detectNewSignatures(heard) : []),
        ...(isWanted('noisy-monitor') ? detectNoisyMonitors(await seeLoud(asking, seen)) : []),
        ...(isWanted('rising-trend') ? detectRisingTrends(await seeTrends(asking, seen), eventsHref(range)) : []),
      ],
      looked: [{ what: 'signatures', read: seen.length, truncated }],
    };
  },
};
