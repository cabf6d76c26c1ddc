import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type Event, SEVERITIES, STATUSES } from '#domain/event/event.ts';
import type {
  AggregateFilter,
  AggregateKey,
  AggregateRequest,
  Bucket,
  EventAggregates,
  Measure,
} from '#domain/ports/events/event-aggregates.ts';
import { AGGREGATE_KEYS, MEASURES } from '#domain/ports/events/event-aggregates.ts';
import type { EventPorts } from '#domain/ports/events/event-ports.ts';
import type { Opened } from './opened.ts';
import { MINUTE, NOON, sampleEvent } from './samples.ts';

const ci = (id: string) => ({ id, name: id, type: 'server' });
const LONG = 400 * 24 * 60 * MINUTE;

/** Sixty events that differ in everything that can be grouped or filtered by. */
const EVENTS = Array.from({ length: 60 }, (_, n): Event => {
  const timestamp = NOON + n * 7 * MINUTE;
  const status = STATUSES[n % 4]!;
  return sampleEvent(n + 1, {
    timestamp,
    firstOccurrence: timestamp,
    lastOccurrence: timestamp + MINUTE,
    status,
    count: 1 + (n % 5),
    severity: SEVERITIES[n % 5]!,
    source: n % 3 === 0 ? 'nagios' : 'zabbix',
    ci: n % 4 === 0 ? null : ci(`ci-${n % 7}`),
    ...(n % 2 === 0 && { environment: n % 6 === 0 ? 'prod' : 'staging' }),
    ...(n % 5 === 0 && { service: 'shop' }),
    ...(n % 3 === 1 && { application: n % 9 === 1 ? 'shop' : 'Billing "A"' }),
    signature: `signature-${n % 8}`,
    correlationId: n % 3 === 2 ? `COR-${n % 4}` : null,
    title: n % 2 === 0 ? `Disk full on host-${n}` : `Link down ${n}`,
    ...(n % 10 === 9 && { category: 'deployment' }),
    ...(n % 3 !== 0 && { acknowledgedAt: timestamp + n * 1_000 }),
    ...(n === 7 && { acknowledgedAt: timestamp - 1 }),
    ...(status === 'resolved' && { resolvedAt: timestamp + (n === 6 ? LONG : n * 2_000) }),
  });
});

const span = (value: number): number | null => (value >= 0 && value <= 366 * 24 * 60 * MINUTE ? value : null);

/** The measure of one event; null when it has none. */
const TAKEN: Readonly<Record<Measure, (event: Event) => number | null>> = {
  events: () => 1,
  occurrences: ({ count }) => count,
  correlated: ({ correlationId }) => (correlationId === null ? 0 : 1),
  resolution: ({ status, resolvedAt, firstOccurrence }) =>
    status === 'resolved' ? span(resolvedAt! - firstOccurrence) : null,
  acknowledgement: ({ acknowledgedAt, firstOccurrence }) =>
    acknowledgedAt === undefined ? null : span(acknowledgedAt - firstOccurrence),
};

const serviceOf = ({ service, application }: Event): string | null => service ?? application ?? null;
const KEYS: Readonly<Record<Exclude<AggregateKey, 'time'>, (event: Event) => string | null>> = {
  severity: ({ severity }) => severity,
  status: ({ status }) => status,
  source: ({ source }) => source,
  ci: (event) => event.ci?.id ?? null,
  host: (event) => event.hostname ?? null,
  service: serviceOf,
  environment: ({ environment }) => environment ?? null,
  signature: ({ signature }) => signature,
  group: ({ correlationId }) => correlationId,
};

const within = <T>(values: readonly T[] | undefined, value: T | null): boolean =>
  values === undefined || (value !== null && values.includes(value));

const meets = (event: Event, filter: AggregateFilter, at: number): boolean => {
  const { ofService } = filter;
  return (
    at >= (filter.from ?? 0) &&
    at < (filter.to ?? Infinity) &&
    within(filter.statuses, event.status) &&
    within(filter.severities, event.severity) &&
    within(filter.sources, event.source) &&
    within(filter.ciIds, event.ci?.id ?? null) &&
    within(filter.environments, event.environment ?? null) &&
    within(filter.signatures, event.signature) &&
    within(filter.correlationIds, event.correlationId) &&
    (filter.changes === undefined || filter.changes === (event.category === 'deployment')) &&
    (filter.search === undefined || event.title.toLowerCase().includes(filter.search)) &&
    (ofService === undefined ||
      within(ofService.names, serviceOf(event)) ||
      within(ofService.ciIds, event.ci?.id ?? null))
  );
};

/** Returns the expected result, computed one event after the other. */
function expectedOf(filter: AggregateFilter, { measure, by, edges = [] }: AggregateRequest): Bucket[] {
  const groups = new Map<string, Bucket>();
  for (const event of EVENTS) {
    const at = measure === 'resolution' ? (event.resolvedAt ?? -1) : event.timestamp;
    const value = TAKEN[measure](event);
    const edge = edges.findLast((one) => one <= at);
    const isTimed = by.includes('time');
    if (value === null || !meets(event, filter, at)) continue;
    if (isTimed && (edge === undefined || at >= edges.at(-1)!)) continue;
    const keys = by.map((key) => (key === 'time' ? String(edge) : KEYS[key](event)));
    const { count, sum } = groups.get(JSON.stringify(keys)) ?? { count: 0, sum: 0 };
    groups.set(JSON.stringify(keys), { keys, count: count + 1, sum: sum + value });
  }
  return [...groups]
    .sort(([a, one], [b, other]) => other.count - one.count || (a < b ? -1 : 1))
    .map(([, bucket]) => bucket);
}

const HOUR = 60 * MINUTE;
const EDGES = [NOON + 3 * MINUTE, NOON + HOUR, NOON + 2 * HOUR + 15 * MINUTE, NOON + 5 * HOUR, NOON + 6 * HOUR + 1];

const FILTERS: readonly (readonly [string, AggregateFilter])[] = [
  ['nothing', {}],
  ['a range', { from: NOON + 7 * MINUTE, to: NOON + 210 * MINUTE }],
  ['statuses that are not resolved', { statuses: ['open', 'acknowledged'] }],
  ['one status and a range', { statuses: ['resolved'], from: NOON + HOUR }],
  ['severities', { severities: ['critical', 'info'] }],
  ['a source', { sources: ['nagios'] }],
  ['CIs', { ciIds: ['ci-1', 'ci-2', 'nobody'] }],
  ['no CI at all', { ciIds: [] }],
  ['environments', { environments: ['prod', 'unknown'] }],
  ['signatures', { signatures: ['signature-1', 'signature-2'] }],
  ['a service by name or CI', { ofService: { names: ['shop'], ciIds: ['ci-3'] } }],
  ['a service with nothing', { ofService: { names: [], ciIds: [] } }],
  ['groups', { correlationIds: ['COR-1', 'COR-2'] }],
  ['changes', { changes: true }],
  ['no changes', { changes: false, statuses: ['open', 'acknowledged'] }],
  ['words', { search: 'disk' }],
  ['words that are none', { search: '"* (' }],
  ['much at once', { search: 'link', severities: ['major'], sources: ['zabbix'], to: NOON + 5 * HOUR }],
];

const pairs = AGGREGATE_KEYS.flatMap((one) => AGGREGATE_KEYS.map((other) => [one, other] as const));

export function eventAggregatesContract(name: string, open: () => Promise<Opened<EventPorts>>) {
  describe(`${name} keeps the EventAggregates contract`, () => {
    let aggregates: EventAggregates;
    let close: () => Promise<void>;
    beforeAll(async () => {
      const { store, ...opened } = await open();
      await store.events.save([...EVENTS, sampleEvent(90, { tenant: 'other' })]);
      aggregates = store.eventAggregates;
      close = opened.close;
    });
    afterAll(() => close());

    test('every measure by every key and pair of keys', async () => {
      const asked: AggregateRequest['by'][] = [[], ...AGGREGATE_KEYS.map((key) => [key])];
      for (const by of asked.concat(pairs.filter(([one, other]) => one !== other)))
        for (const measure of by.length < 2 ? MEASURES : (['events', 'occurrences'] as const)) {
          const request = { measure, by, edges: EDGES, limit: 1_000 };
          const found = await aggregates.aggregate('acme', {}, request);
          expect({ measure, by, ...found }).toEqual({
            measure,
            by,
            buckets: expectedOf({}, request),
            truncated: false,
          });
        }
    });

    test('every filter with every measure', async () => {
      for (const [what, filter] of FILTERS)
        for (const measure of MEASURES)
          for (const by of [[], ['severity'], ['time']] as const) {
            const request = { measure, by, edges: EDGES, limit: 1_000 };
            const { buckets } = await aggregates.aggregate('acme', filter, request);
            expect({ what, measure, by, buckets }).toEqual({ what, measure, by, buckets: expectedOf(filter, request) });
          }
    });

    test('only those with most events are kept when there are more', async () => {
      for (const by of [['signature'], ['signature', 'severity'], ['time', 'severity']] as const) {
        const request = { measure: 'events', by, edges: EDGES, limit: 3 } as const;
        const { buckets, truncated } = await aggregates.aggregate('acme', {}, request);
        expect(truncated).toBe(true);
        const counts = (of: readonly Bucket[]) => of.map(({ count }) => count);
        expect(counts(buckets)).toEqual(counts(expectedOf({}, request).slice(0, 3)));
      }
      const exact = { measure: 'events', by: ['severity'], limit: 5 } as const;
      expect(await aggregates.aggregate('acme', {}, exact)).toMatchObject({ truncated: false });
    });

    test('edges that leave nothing between them, and a foreign tenant', async () => {
      const request = { measure: 'events', by: ['time'], limit: 10 } as const;
      const nothing = { buckets: [], truncated: false };
      expect(await aggregates.aggregate('acme', {}, { ...request, edges: [] })).toEqual(nothing);
      expect(await aggregates.aggregate('acme', {}, { ...request, edges: [NOON] })).toEqual(nothing);
      expect(await aggregates.aggregate('nobody', {}, { ...request, edges: EDGES })).toEqual(nothing);
      expect(await aggregates.aggregate('nobody', {}, { ...request, by: [] })).toEqual(nothing);
    });
  });
}
