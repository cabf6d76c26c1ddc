import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { EventFilter } from '#domain/ports/events/event-store.ts';
import { MAX_LOOKED_AT } from '#domain/ports/events/event-summaries.ts';
import { conditionsOf } from '#infra/embedded/events/filter.ts';
import { type Database, MEMORY, openDatabase } from '#infra/embedded/redo-log/database.ts';
import { MINUTE, NOON } from '#test/contract/samples.ts';
import { facetsOf } from './facets.ts';
import { histogramOf } from './histogram.ts';
import { lookedAt } from './rows.ts';

const DAY = 24 * 60 * MINUTE;
const MORE = 50;
const ALL = MAX_LOOKED_AT + MORE;
/** The oldest are of environment `old`. */
const OLD = 2 * MORE;

/** Statement of migration 14. */
const COUNT_HOURS =
  'INSERT INTO event_hour SELECT tenant, timestamp / 3600000, status, severity, count(*) FROM event GROUP BY 1, 2, 3, 4;';

let database: Database;
/** The maximum of scanned rows, and some more: one event per second, with alternating status and severity. */
beforeAll(() => {
  database = openDatabase(MEMORY);
  database.db.exec(`
    INSERT INTO facet_value VALUES (1, 'acme', 3, 'zabbix'), (2, 'acme', 2, 'old'), (3, 'acme', 2, 'new');
    WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < ${ALL - 1})
    INSERT INTO event (seq, tenant, id, status, severity, source, timestamp, created_at, created_position, identity, body, state, gathered)
      SELECT i + 1, 'acme', printf('%026d', i), i % 2, i % 5, 'zabbix', ${NOON} + i * 1000, 0, 0, 'i', '{}', '{}', '[]' FROM n;
    INSERT INTO event_facet (seq, timestamp, status, severity, flags, source, environment)
      SELECT seq, timestamp, status, severity, 0, 1, iif(seq <= ${OLD}, 2, 3) FROM event;
    INSERT INTO event_count VALUES ('acme', 'zabbix', 0, 0, ${ALL});
    ${COUNT_HOURS}`);
});
afterAll(() => database.close());

test('of more events than may be looked at, the newest are counted, and the total is exact', () => {
  const { total, facets, truncated } = facetsOf(database, { tenant: 'acme', filter: {} });
  expect({ total, truncated }).toEqual({ total: ALL, truncated: true });
  expect(facets.environment).toEqual([
    { value: 'new', count: ALL - OLD },
    { value: 'old', count: OLD - MORE },
  ]);
  expect(facets.status.map(({ count }) => count)).toEqual([MAX_LOOKED_AT / 2, MAX_LOOKED_AT / 2]);
});

test('as many as may be looked at are all counted', () => {
  const environments = ['new'];
  expect(facetsOf(database, { tenant: 'acme', filter: { environments } })).toMatchObject({
    total: ALL - OLD,
    truncated: false,
    facets: { source: [{ value: 'zabbix', count: ALL - OLD }] },
  });
});

test('over time all are counted by status and severity, and as many as may be looked at by anything else', () => {
  const range = { from: NOON, to: NOON + ALL * 1_000, stepMs: 60 * MINUTE };
  const sum = (filter: object) => {
    const { buckets, truncated } = histogramOf(database, { tenant: 'acme', filter, range });
    return [buckets.flatMap(({ bySeverity }) => Object.values(bySeverity)).reduce((a, b) => a + b, 0), truncated];
  };
  expect(sum({})).toEqual([ALL, false]);
  expect(sum({ statuses: ['open'], severities: ['critical'] })).toEqual([ALL / 10, false]);
  expect(sum({ environments: ['old', 'new'] })).toEqual([MAX_LOOKED_AT + 1, true]);
  expect(sum({ environments: ['old'] })).toEqual([OLD, false]);
});

test.each([
  ['one value', ['new'], 400_000, 'event_facet_environment', ALL - OLD],
  ['a few of several values', ['old', 'new'], ALL, 'event_facet_environment', MAX_LOOKED_AT + 1],
  ['very many of several values', ['old', 'new'], 400_000, 'event_timestamp', MAX_LOOKED_AT + 1],
])('of %s the newest are looked at, whatever leads to them', (_what, environments, rows, index, count) => {
  const conditions = conditionsOf(database, 'acme', { environments });
  const { text, values } = lookedAt(conditions, { access: 'environment', rows });
  expect(text).toContain(index);
  const [found, oldest] = database
    .arrays(`SELECT count(*), min(seq) FROM (${text})`)
    .get(...values) as unknown as number[];
  expect([found, oldest]).toEqual([count, ALL - count + 1]);
});

test.each<[string, EventFilter, number]>([
  ['nobody has them', { assignee: null }, ALL],
  ['nobody has them, and an environment', { assignee: null, environments: ['old'] }, OLD],
  ['status and environment', { statuses: ['open'], environments: ['old'] }, OLD / 2],
])('counted without reading the events: %s', (_what, filter, total) => {
  expect(facetsOf(database, { tenant: 'acme', filter }).total).toBe(total);
});

/**
 * Ranks of events, and the number of each: at the limit of a sum of all ranks in 16 bits each, just above it, and far
 * beyond.
 */
const CROWDS: readonly (readonly number[])[] = [
  [32_767, 0, 0, 0, 0],
  [32_768, 0, 0, 0, 0],
  [70_000, 1, 2, 3, 4],
  [0, 0, 0, 32_767, 0],
  [0, 0, 0, 32_768, 0],
  [1, 0, 40_000, 66_000, 5],
  [0, 0, 0, 0, 70_000],
];
test.each(CROWDS)('one bucket may have many events of one severity: %d, %d, %d, %d, %d', (...counts) => {
  const insert = database.db.prepare(`
    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < $count)
    INSERT INTO event (tenant, id, status, severity, source, timestamp, created_at, created_position, identity, body, state, gathered)
      SELECT $tenant, printf('%d-%d-%d', $day, $rank, i), 0, $rank, 'zabbix', $day + i, 0, 0, 'i', '{}', '{}', '[]' FROM n`);
  const tenant = `crowd ${counts.join(' ')}`;
  const days = [NOON, NOON + DAY];
  for (const day of days)
    for (const [rank, count] of counts.entries())
      if (count > 0) insert.run({ $tenant: tenant, $day: day, $rank: rank, $count: count });
  // Buckets of hours are not counted from events.
  const range = { from: NOON, to: NOON + 2 * DAY, stepMs: 30 * MINUTE };
  const { buckets } = histogramOf(database, { tenant, filter: {}, range });
  const inOrder = buckets.map(({ bySeverity: { critical, major, minor, warning, info } }) => [
    info,
    warning,
    minor,
    major,
    critical,
  ]);
  expect(inOrder).toEqual([counts, counts]);
});
