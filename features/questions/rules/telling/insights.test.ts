import { expect, test } from '@jest/globals';
import { type Metric, type Query, unitOf } from '../query.ts';
import type { QueryResult } from '../result.ts';
import { tellResult } from './insights.ts';

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
  ['incidents', 0, 'No incidents.'],
  ['incidents', 1, '1 incident.'],
  ['events', 12, '12 events.'],
  ['mttr', null, 'The mean time to resolve is not known: nothing that matches was resolved.'],
  ['mtta', null, 'The mean time to acknowledge is not known: nothing that matches was acknowledged.'],
  ['service_health', null, 'The health of services is not known: no business service matches.'],
  ['dedup_ratio', null, 'The share of occurrences that were duplicates is not known: no event matches.'],
] as const)('%s that come to %s', (metric, total, said) => {
  expect(tellResult(resultOf(metric, total)).claims[0]?.text).toBe(said);
});

test('an hour is told by its beginning', () => {
  const rows = [9, 10].map((hour) => {
    const at = new Date(Date.UTC(2026, 10, 20, hour)).toISOString();
    return { key: at, label: at, value: hour, count: hour };
  });
  const result = resultOf('events', 19);
  const told = tellResult({ ...result, query: { ...result.query, groupBy: 'hour' }, rows });
  expect(told.claims[1]?.text).toBe('The hour from 2026-11-20 10:00 UTC has the largest share: 10, 52.6 %.');
});
