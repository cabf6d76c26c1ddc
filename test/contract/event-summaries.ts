import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type Event, SEVERITIES, STATUSES } from '#domain/event/event.ts';
import type { EventPorts } from '#domain/ports/events/event-ports.ts';
import type { EventFilter } from '#domain/ports/events/event-store.ts';
import {
  type EventSummaries,
  FACETS,
  type Facet,
  type FacetCount,
  type Histogram,
  type HistogramRange,
  MAX_FACET_VALUES,
} from '#domain/ports/events/event-summaries.ts';
import type { Opened } from './opened.ts';
import { MINUTE, NOON, sampleEvent } from './samples.ts';

const user = (id: string) => ({ id, username: id, name: id });
/** Sixty events that differ in everything that they can be narrowed by. */
const EVENTS = Array.from({ length: 60 }, (_, n): Event => {
  const timestamp = NOON + n * 7 * MINUTE;
  const status = STATUSES[n % 4]!;
  return sampleEvent(n + 1, {
    timestamp,
    firstOccurrence: timestamp,
    lastOccurrence: timestamp + MINUTE,
    status,
    severity: SEVERITIES[n % 5]!,
    source: n % 3 === 0 ? 'nagios' : 'zabbix',
    ci: n % 4 === 0 ? null : { id: `ci-${n % 7}`, name: 'db', type: 'server' },
    ...(n % 2 === 0 && { environment: n % 6 === 0 ? 'prod' : 'staging' }),
    ...(n % 5 === 0 && { service: 'shop' }),
    ...(n % 3 === 1 && { application: n % 9 === 1 ? 'shop' : 'Billing "A"' }),
    ...(n % 8 !== 0 && { hostname: `Host-${n % 25}` }),
    ...(n % 10 === 0 && { assignedTo: user(n % 20 === 0 ? 'kim' : 'lee') }),
    ...(n % 15 === 0 && { assignedTeam: { id: 'storage', name: 'Storage' } }),
    ...(status === 'resolved' && { resolvedAt: timestamp }),
    correlationId: n % 6 === 0 ? 'COR-1' : null,
    usual: n % 9 === 0,
    tags: n % 7 === 0 ? ['gold'] : [],
  });
});

const VALUES: Readonly<Record<Facet, (event: Event) => string | undefined>> = {
  severity: ({ severity }) => severity,
  status: ({ status }) => status,
  source: ({ source }) => source,
  service: ({ service, application }) => service ?? application,
  environment: ({ environment }) => environment,
  host: ({ hostname }) => hostname?.toLowerCase(),
  ci: ({ ci }) => ci?.id,
  assignee: ({ assignedTo }) => assignedTo?.id,
};

function facetOf(events: readonly Event[], name: Facet): FacetCount[] {
  const counts = new Map<string, number>();
  for (const event of events) {
    const value = VALUES[name](event);
    if (value !== undefined) counts.set(value, (counts.get(value) ?? 0) + 1);
  }
  return [...counts]
    .map(([value, count]) => ({ value, count }))
    .sort((a, b) => b.count - a.count || (a.value < b.value ? -1 : 1));
}

/** Facets without hosts, of which there are more than are shown. */
const expectedFacets = (events: readonly Event[]) =>
  Object.fromEntries(FACETS.filter((name) => name !== 'host').map((name) => [name, facetOf(events, name)]));

function expectedHistogram(events: readonly Event[], { from, to, stepMs }: HistogramRange): Histogram {
  const buckets = new Map<number, Record<string, number>>();
  for (const { timestamp, severity } of events) {
    if (timestamp < from || timestamp > to) continue;
    const at = Math.floor(timestamp / stepMs) * stepMs;
    const bucket = buckets.get(at) ?? Object.fromEntries(SEVERITIES.map((name) => [name, 0]));
    bucket[severity] = (bucket[severity] ?? 0) + 1;
    buckets.set(at, bucket);
  }
  const sorted = [...buckets].sort(([a], [b]) => a - b).map(([at, bySeverity]) => ({ at, bySeverity }));
  return { buckets: sorted as unknown as Histogram['buckets'], truncated: false };
}

type Case = readonly [name: string, filter: EventFilter, matches: (event: Event, n: number) => boolean];
const FILTERS: readonly Case[] = [
  ['nothing', {}, () => true],
  ['status', { statuses: ['open', 'acknowledged'] }, ({ status }) => ['open', 'acknowledged'].includes(status)],
  ['severity', { severities: ['critical'] }, ({ severity }) => severity === 'critical'],
  [
    'status and severity',
    { statuses: ['resolved'], severities: ['critical', 'info'] },
    ({ status, severity }) => status === 'resolved' && ['critical', 'info'].includes(severity),
  ],
  ['source', { sources: ['nagios'] }, (_event, n) => n % 3 === 0],
  ['host', { hosts: ['host-1*'] }, ({ hostname }) => hostname?.startsWith('Host-1') === true],
  ['host and status', { hosts: ['host-2'], statuses: ['open'] }, (e) => e.hostname === 'Host-2' && e.status === 'open'],
  ['service', { services: ['shop'] }, (event) => VALUES.service(event) === 'shop'],
  ['environment', { environments: ['prod'] }, ({ environment }) => environment === 'prod'],
  ['tag', { tags: ['gold'] }, (_event, n) => n % 7 === 0],
  ['CI', { ciId: 'ci-3' }, ({ ci }) => ci?.id === 'ci-3'],
  ['assignee', { assignee: 'kim' }, ({ assignedTo }) => assignedTo?.id === 'kim'],
  [
    'assignees',
    { assignee: ['kim', 'storage'] },
    ({ assignedTo, assignedTeam }) => assignedTo?.id === 'kim' || assignedTeam !== undefined,
  ],
  [
    'nobody',
    { assignee: null },
    ({ assignedTo, assignedTeam }) => assignedTo === undefined && assignedTeam === undefined,
  ],
  ['grouped', { grouped: true }, (_event, n) => n % 6 === 0],
  ['unbound and usual', { bound: false, usual: true }, (_event, n) => n % 4 === 0 && n % 9 === 0],
  [
    'words',
    { search: 'disk host-4' },
    (e, n) => /^4/.test(String(n + 1)) || (e.hostname?.startsWith('Host-4') ?? false),
  ],
  ['what nobody says', { search: 'nothing' }, () => false],
  ['what cannot be searched', { search: '*' }, () => false],
];

export function eventSummariesContract(name: string, open: () => Promise<Opened<EventPorts>>) {
  describe(`${name} keeps the EventSummaries contract`, () => {
    let store: EventPorts;
    let summaries: EventSummaries;
    let close: () => Promise<void>;
    beforeAll(async () => {
      const opened = await open();
      ({ store, close } = opened);
      summaries = store.eventSummaries;
      await store.events.save([
        ...EVENTS,
        sampleEvent(99, { tenant: 'other', hostname: 'host-1', environment: 'prod' }),
      ]);
    });
    afterAll(() => close());

    test.each(FILTERS)('facets of %s', async (_name, filter, matches) => {
      const events = EVENTS.filter(matches);
      const { total, facets, truncated } = await summaries.facets('acme', filter);
      expect({ total, truncated }).toEqual({ total: events.length, truncated: false });
      const { host, ...others } = facets;
      expect(others).toEqual(expectedFacets(events));
      const counts = facetOf(events, 'host').map(({ count }) => count);
      expect(host.map(({ count }) => count)).toEqual(counts.slice(0, MAX_FACET_VALUES));
      expect(facetOf(events, 'host')).toEqual(expect.arrayContaining([...host]));
    });

    test('facets of a time range', async () => {
      const filter = { from: NOON + 70 * MINUTE, to: NOON + 140 * MINUTE };
      const events = EVENTS.filter((e) => e.lastOccurrence >= filter.from && e.firstOccurrence <= filter.to);
      const { total, facets } = await summaries.facets('acme', filter);
      expect(total).toBe(events.length);
      expect(facets).toMatchObject(expectedFacets(events));
    });

    test.each(FILTERS)('histogram of %s', async (_name, filter, matches) => {
      const ranges = [
        { from: NOON, to: NOON + 600 * MINUTE, stepMs: 60 * MINUTE },
        { from: NOON + 7 * MINUTE, to: NOON + 70 * MINUTE, stepMs: 5 * MINUTE },
        { from: NOON + 13 * MINUTE, to: NOON + 211 * MINUTE, stepMs: 2 * MINUTE },
        { from: 0, to: NOON, stepMs: 364 * 24 * 60 * MINUTE },
      ];
      for (const range of ranges)
        expect(await summaries.histogram('acme', filter, range)).toEqual(
          expectedHistogram(EVENTS.filter(matches), range),
        );
    });

    test('follow what becomes of an event', async () => {
      const before = EVENTS[2]!;
      const after: Event = {
        ...before,
        status: 'acknowledged',
        severity: 'info',
        environment: 'lab',
        hostname: 'moved',
        service: 'new',
        assignedTo: user('kim'),
        assignedTeam: { id: 'network', name: 'Network' },
        correlationId: 'COR-9',
        tags: ['silver'],
        usual: true,
        timestamp: NOON - MINUTE,
        ci: { id: 'ci-9', name: 'db', type: 'server' },
        position: 1_000,
      };
      await store.events.save([after]);
      const events = EVENTS.with(2, after);
      expect((await summaries.facets('acme', {})).facets).toMatchObject(expectedFacets(events));
      const range = { from: NOON - 60 * MINUTE, to: NOON + 60 * MINUTE, stepMs: 60 * MINUTE };
      expect(await summaries.histogram('acme', {}, range)).toEqual(expectedHistogram(events, range));
      const all = { tags: ['silver'], hosts: ['moved'], services: ['new'], environments: ['lab'], assignee: 'kim' };
      const found = await summaries.facets('acme', { ...all, grouped: true, bound: true, usual: true });
      expect(found).toMatchObject({ total: 1, facets: { ci: [{ value: 'ci-9', count: 1 }] } });
      for (const assignee of ['network', ['lee', 'network']])
        expect((await summaries.facets('acme', { ...all, assignee })).total).toBe(1);
      await store.events.save([{ ...before, position: 1_001 }]);
      expect((await summaries.facets('acme', { assignee: 'network' })).total).toBe(0);
      expect((await summaries.facets('acme', all)).total).toBe(0);
      expect((await summaries.facets('acme', {})).facets).toMatchObject(expectedFacets(EVENTS));
    });

    test('a foreign tenant sees its own', async () => {
      const { total, facets } = await summaries.facets('other', {});
      expect([total, facets.host, facets.ci]).toEqual([1, [{ value: 'host-1', count: 1 }], []]);
      expect((await summaries.facets('other', { hosts: ['*'], environments: ['prod'] })).total).toBe(1);
      expect((await summaries.facets('nobody', { hosts: ['host-1'] })).total).toBe(0);
      const range = { from: NOON, to: NOON * 2, stepMs: NOON };
      expect((await summaries.histogram('nobody', {}, range)).buckets).toEqual([]);
      expect((await summaries.histogram('nobody', { hosts: ['*'] }, range)).buckets).toEqual([]);
    });
  });
}
