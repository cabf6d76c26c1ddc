import { expect, test } from '@jest/globals';
import { sinceQuery } from './tenants.ts';

const HOUR = 3_600_000;
const conditions = (since: ReadonlyMap<string, number>): { terms: string[]; from: number }[] =>
  // The shape is Elasticsearch's own.
  (JSON.parse(JSON.stringify(sinceQuery('t', 'at', since))).bool?.filter[0].bool.should ?? []).map(
    (one: { bool: { filter: [{ terms: { t: string[] } }, { range: { at: { gte: number } } }] } }) => ({
      terms: one.bool.filter[0].terms.t,
      from: one.bool.filter[1].range.at.gte,
    }),
  );

test('tenants whose times are near share a condition from the earliest of them', () => {
  const since = new Map([
    ['a', 10 * HOUR],
    ['b', 10 * HOUR - 1],
    ['c', 50 * HOUR],
    ['d', 50 * HOUR + 5],
  ]);
  expect(conditions(since)).toEqual([
    { terms: ['a', 'b'], from: 10 * HOUR - 1 },
    { terms: ['c', 'd'], from: 50 * HOUR },
  ]);
});

test('however many tenants and however far apart, there are few conditions and each tenant is in one that covers it', () => {
  const since = new Map(Array.from({ length: 5_000 }, (_, i) => [`t${i}`, i * 7 * HOUR]));
  const found = conditions(since);
  expect(found.length).toBeLessThanOrEqual(201);
  expect(found.flatMap(({ terms }) => terms)).toHaveLength(5_000);
  for (const { terms, from } of found)
    for (const tenant of terms) expect(since.get(tenant)).toBeGreaterThanOrEqual(from);
});

test('no tenant at all finds nothing', () => {
  expect(sinceQuery('t', 'at', new Map())).toEqual({ match_none: {} });
});
