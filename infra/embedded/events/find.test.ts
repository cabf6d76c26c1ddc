import { beforeAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { type Event, SEVERITIES, STATUSES } from '#domain/event/event.ts';
import { globMatches } from '#domain/glob.ts';
import { EVENT_SORTS, type EventFilter } from '#domain/ports/events/event-store.ts';
import type { RowReader } from '#infra/embedded/redo-log/connections.ts';
import type { Database } from '#infra/embedded/redo-log/database.ts';
import type { Sql } from '#infra/embedded/sqlite/sql.ts';
import { MINUTE, NOON, sampleEvent, ulidOf } from '#test/contract/samples.ts';
import { memoryDatabase } from '#test/setup/empty-database.ts';
import { cheapest, countEvents } from './count.ts';
import { conditionsOf } from './filter.ts';
import { findEvents, pageQuery, pageRows, SORTED_EVENTS } from './find.ts';
import { openEventTable } from './table.ts';

const EVENTS = 400;
const SOURCES = ['aws', 'nagios', 'zabbix'];
const mixed = (number: number): Event => {
  const status = STATUSES[(number * 7) % 4]!;
  const first = NOON + ((number * 37) % 200) * MINUTE;
  return sampleEvent(number, {
    status,
    severity: SEVERITIES[(number * 3) % 5]!,
    source: SOURCES[number % 3]!,
    timestamp: first,
    firstOccurrence: first,
    lastOccurrence: first + ((number * 13) % 50) * MINUTE,
    createdAt: NOON + ((number * 11) % 100) * MINUTE,
    count: 1 + ((number * number) % 300),
    ci: number % 4 === 0 ? { id: `ci-${number % 8}`, name: 'db', type: 'server' } : null,
    correlationId: number % 5 === 0 ? `COR-${number % 10}` : null,
    hostname: `web-${number % 30}`,
    tags: number % 6 === 0 ? ['gold'] : [],
    usual: number % 9 === 0,
    ...(number % 3 !== 0 && { service: number % 3 === 1 ? 'shop' : 'billing' }),
    environment: number % 10 === 0 ? 'lab' : 'prod',
    ...(number % 20 === 0 && { assignedTo: { id: 'kim', username: 'kim', name: 'Kim' } }),
    ...(number % 30 === 0 && { assignedTeam: { id: 'storage', name: 'Storage' } }),
  });
};

let database: Database;
beforeAll(() => {
  database = memoryDatabase();
  const table = openEventTable(database);
  for (let number = 1; number <= EVENTS; number++) table.write(mixed(number), new Set(['created']));
});

const time = fc.integer({ min: -10, max: 270 }).map((minutes) => NOON + minutes * MINUTE);
const filters: fc.Arbitrary<EventFilter> = fc.record(
  {
    statuses: fc.uniqueArray(fc.constantFrom(...STATUSES), { minLength: 1 }),
    severities: fc.uniqueArray(fc.constantFrom(...SEVERITIES), { minLength: 1 }),
    sources: fc.uniqueArray(fc.constantFrom(...SOURCES), { minLength: 1 }),
    ciId: fc.constantFrom('ci-0', 'ci-4'),
    correlationIds: fc.uniqueArray(fc.constantFrom('COR-0', 'COR-5')),
    from: time,
    to: time,
    hosts: fc.constantFrom(['web-1'], ['web-1*'], ['*7', 'web-2']),
    services: fc.constantFrom(['shop'], ['shop', 'billing']),
    environments: fc.constantFrom(['lab'], ['prod'], ['lab', 'prod']),
    tags: fc.constantFrom(['gold'], ['silver']),
    assignee: fc.constantFrom('kim', 'storage', ['kim', 'storage'], null),
    grouped: fc.boolean(),
    bound: fc.boolean(),
    usual: fc.boolean(),
    search: fc.constantFrom('disk', 'web-1', 'dis web-1'),
  },
  { requiredKeys: [] },
);
const pages = fc.record({
  sort: fc.constantFrom(...EVENT_SORTS),
  order: fc.constantFrom('asc' as const, 'desc' as const),
  limit: fc.integer({ min: 1, max: 20 }),
  offset: fc.integer({ min: 0, max: 40 }),
});

const matches = (event: Event, f: EventFilter): boolean =>
  (f.statuses?.includes(event.status) ?? true) &&
  (f.severities?.includes(event.severity) ?? true) &&
  (f.sources?.includes(event.source) ?? true) &&
  (f.ciId === undefined || event.ci?.id === f.ciId) &&
  (f.correlationIds?.includes(event.correlationId ?? '') ?? true) &&
  (f.from === undefined || event.lastOccurrence >= f.from) &&
  (f.to === undefined || event.firstOccurrence <= f.to) &&
  (f.hosts?.some((pattern) => globMatches(pattern, event.hostname!)) ?? true) &&
  (f.services?.includes(event.service ?? '') ?? true) &&
  (f.environments?.includes(event.environment!) ?? true) &&
  (f.tags?.some((tag) => event.tags.includes(tag)) ?? true) &&
  (f.assignee === undefined ||
    (f.assignee === null
      ? event.assignedTo === undefined && event.assignedTeam === undefined
      : [f.assignee].flat().some((id) => id === event.assignedTo?.id || id === event.assignedTeam?.id))) &&
  (f.grouped === undefined || (event.correlationId !== null) === f.grouped) &&
  (f.bound === undefined || (event.ci !== null) === f.bound) &&
  (f.usual === undefined || event.usual === f.usual) &&
  (f.search === undefined || !f.search.includes('web-1') || event.hostname!.startsWith('web-1'));

const ranges: fc.Arbitrary<EventFilter> = fc.record({ from: time, to: time }, { requiredKeys: [] });
test.each([
  ['filter', filters],
  ['time range', ranges],
])('every %s is counted exactly', (_name, some) => {
  const all = Array.from({ length: EVENTS }, (_, i) => mixed(i + 1));
  fc.assert(
    fc.property(some, (filter) => {
      const conditions = conditionsOf(database, 'acme', filter);
      const total = countEvents(database, conditions, cheapest(database, conditions));
      expect(total).toBe(all.filter((event) => matches(event, filter)).length);
    }),
    { numRuns: 300 },
  );
});

test('a page is the same whether the index of the sort is walked or the matches are sorted', () => {
  const rows = ({ text, values }: Sql) => database.arrays(text).all(...values);
  fc.assert(
    fc.property(filters, pages, (filter, page) => {
      const conditions = conditionsOf(database, 'acme', filter);
      const best = cheapest(database, conditions);
      const walked = best && { ...best, rows: SORTED_EVENTS + 1 };
      expect(rows(pageQuery(conditions, walked, page))).toEqual(rows(pageQuery(conditions, best, page)));
    }),
    { numRuns: 300 },
  );
});

const broad: fc.Arbitrary<EventFilter> = fc.record(
  {
    statuses: fc.uniqueArray(fc.constantFrom(...STATUSES), { minLength: 1 }),
    severities: fc.uniqueArray(fc.constantFrom(...SEVERITIES), { minLength: 2 }),
    sources: fc.uniqueArray(fc.constantFrom(...SOURCES), { minLength: 2 }),
    // Leaves out one end, so that the beginning of some sorts holds no match.
    from: fc.integer({ min: 0, max: 200 }).map((minutes) => NOON + minutes * MINUTE),
  },
  { requiredKeys: ['severities'] },
);

test('a page is the same when it is looked for at the beginning of the sort first', () => {
  let tried = 0;
  const counting: RowReader = {
    ...database,
    arrays(text) {
      if (text.includes('LIMIT 1 OFFSET')) tried++;
      return database.arrays(text);
    },
  };
  const property = fc.property(broad, pages, fc.boolean(), (filter, { sort, order, limit, offset }, further) => {
    const first = { sort, order, limit: 1 + (limit % 3) };
    const before = further ? findEvents(database, { tenant: 'acme', filter, page: first }).nextCursor : null;
    const page = { ...first, ...(before === null ? { offset: offset % 4 } : { cursor: before }) };
    const conditions = conditionsOf(database, 'acme', filter);
    const best = cheapest(database, conditions);
    const total = countEvents(database, conditions, best);
    const sorted = pageQuery(conditions, best, page);
    const rows = database.arrays(sorted.text).all(...sorted.values);
    expect(pageRows(counting, conditions, best, page, total)).toEqual(rows);
  });
  fc.assert(property, { numRuns: 500 });
  expect(tried).toBeGreaterThan(100);
});

test('pages by cursor give every match once', () => {
  fc.assert(
    fc.property(filters, pages, (filter, { sort, order, limit }) => {
      const seen: string[] = [];
      let cursor: string | undefined;
      do {
        const page = findEvents(database, {
          tenant: 'acme',
          filter,
          page: { sort, order, limit: limit + 30, ...(cursor === undefined ? {} : { cursor }) },
        });
        seen.push(...page.items.map(({ id }) => id));
        cursor = page.nextCursor ?? undefined;
      } while (cursor !== undefined);
      const expected = Array.from({ length: EVENTS }, (_, i) => mixed(i + 1)).filter((e) => matches(e, filter));
      expect([...seen].sort()).toEqual(expected.map(({ id }) => id));
    }),
    { numRuns: 50 },
  );
});

describe('no list reads a whole table', () => {
  const FILTERS: readonly (readonly [string, EventFilter])[] = [
    ['nothing', {}],
    ['status', { statuses: ['open'] }],
    ['statuses', { statuses: ['open', 'acknowledged'] }],
    ['severity', { severities: ['critical'] }],
    ['source', { sources: ['nagios'] }],
    ['CI', { ciId: 'ci-4' }],
    ['group', { correlationIds: ['COR-5'] }],
    ['time range', { from: NOON + 30 * MINUTE, to: NOON + 60 * MINUTE }],
    ['host', { hosts: ['web-1'] }],
    ['hosts', { hosts: ['web-1*'] }],
    ['service', { services: ['shop'] }],
    ['environment', { environments: ['prod'] }],
    ['tag', { tags: ['gold'] }],
    ['assignee', { assignee: 'kim' }],
    ['assignees', { assignee: ['kim', 'storage'] }],
    ['no assignee and status', { assignee: null, statuses: ['open'] }],
    ['group or none', { grouped: true }],
    ['ids', { ids: [ulidOf(1), ulidOf(2)] }],
    ['words of hosts', { search: 'web-1 disk' }],
    ['host and time range', { hosts: ['web-1*'], from: NOON + 30 * MINUTE }],
    ['time range and status', { from: NOON + 30 * MINUTE, statuses: ['open'] }],
  ];
  const plan = ({ text, values }: Sql): string[] =>
    database
      .statement(`EXPLAIN QUERY PLAN ${text}`)
      .all(...values)
      .map(({ detail }) => String(detail));

  test.each(
    FILTERS.flatMap(([name, filter]) =>
      EVENT_SORTS.flatMap((sort) => [false, true].map((walk) => ({ name, filter, sort, walk }))),
    ),
  )('filtered by $name, sorted by $sort, walked: $walk', ({ filter, sort, walk }) => {
    const conditions = conditionsOf(database, 'acme', filter);
    const best = cheapest(database, conditions);
    const page = { sort, order: 'desc', limit: 50 } as const;
    const steps = plan(pageQuery(conditions, walk && best ? { ...best, rows: SORTED_EVENTS + 1 } : best, page));
    expect(steps.filter((step) => /^SCAN (e|t|event|tally)\b/.test(step))).toEqual([]);
    const sorts = steps.filter((step) => step.includes('TEMP B-TREE FOR ORDER BY'));
    if (walk || best === null) expect(sorts).toEqual([]);
  });
});

test.each(['asc', 'desc'] as const)(
  'members of a group are read in the order of event time, %s, up to the end of the page',
  (order) => {
    const conditions = conditionsOf(database, 'acme', { correlationIds: ['COR-5'] });
    const best = cheapest(database, conditions);
    const { text, values } = pageQuery(conditions, best, { sort: 'timestamp', order, limit: 10 });
    const steps = database.statement(`EXPLAIN QUERY PLAN ${text}`).all(...values);
    expect([best?.access, steps.map(({ detail }) => String(detail))]).toEqual([
      'correlation',
      [
        'SEARCH e USING INDEX event_correlation (tenant=? AND correlation_id=?)',
        'USE TEMP B-TREE FOR LAST TERM OF ORDER BY',
      ],
    ]);
  },
);

test('the last page of an exact number of rows has no cursor', () => {
  const page = { sort: 'timestamp', order: 'asc', limit: 2 } as const;
  const filter: EventFilter = { from: mixed(1).lastOccurrence, ciId: 'none' };
  expect(findEvents(database, { tenant: 'acme', filter, page }).nextCursor).toBeNull();
  const all = findEvents(database, { tenant: 'acme', filter: {}, page: { ...page, limit: EVENTS } });
  expect([all.items.length, all.total, all.nextCursor]).toEqual([EVENTS, EVENTS, null]);
  expect(all.items.some(({ id }) => id === ulidOf(1))).toBe(true);
});
