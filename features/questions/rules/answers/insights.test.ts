import { expect, test } from '@jest/globals';
import { type Metric, type Query, type QueryResult, unitOf } from '../query.ts';
import { answerResult } from './insights.ts';

const resultOf = (metric: Metric, total: number | null): QueryResult => {
  const query: Query = { metric, filters: {}, groupBy: null, range: null, compareTo: null, sort: null, limit: null };
  const rows = [{ key: 'all', label: 'all', value: total, count: total ?? 0 }];
  return {
    query,
    unit: unitOf(metric),
    rows,
    total,
    count: total ?? 0,
    truncated: false,
    range: null,
    previous: null,
    missing: [],
  };
};

test.each([
  ['incidents', 0, 'No groups.'],
  ['incidents', 1, '1 group.'],
  ['events', 12, '12 events.'],
  ['mttr', null, 'Mean time to resolve not available: no matching events were resolved.'],
  ['mtta', null, 'Mean time to acknowledge not available: no matching events were acknowledged.'],
  ['service_health', null, 'Service health not available: no matching business services.'],
  ['dedup_ratio', null, 'Duplicate rate not available: no matching events.'],
] as const)('%s that come to %s', (metric, total, said) => {
  expect(answerResult(resultOf(metric, total)).claims[0]?.text).toBe(said);
});

test('an hour is told by its beginning', () => {
  const rows = [9, 10].map((hour) => {
    const at = new Date(Date.UTC(2026, 10, 20, hour)).toISOString();
    return { key: at, label: at, value: hour, count: hour };
  });
  const result = resultOf('events', 19);
  const told = answerResult({ ...result, query: { ...result.query, groupBy: 'hour' }, rows });
  expect(told.claims[1]?.text).toBe('Largest: The hour from 2026-11-20 10:00 UTC, 10 (52.6%).');
});
