import { expect, test } from '@jest/globals';
import { ignoredOf } from '#console/data/filters.ts';
import { GROUP_FILTERS, knownOf, readGroupAddress, stateOf } from './group-filters.ts';

test.each([
  [{ status: 'resolved' }, 'resolved', []],
  [{ state: 'acknowledged' }, 'acknowledged', []],
  [{}, 'active', []],
  [{ status: 'open' }, 'active', ['unknown filter: status']],
  [{ state: 'open' }, 'active', ['unknown filter: state']],
  [{ status: 'active,resolved', growing: 'true' }, 'active', ['unknown filter: status']],
  [{ sortBy: 'size', view: 'V', from: '2026-10-31T00:00:00Z' }, 'active', ['unknown filter: sortBy']],
])('%j shows groups that are %s, and says %j', (address: Record<string, string>, state, ignored) => {
  const query = readGroupAddress(address);
  expect(stateOf(query)).toBe(state);
  expect(ignoredOf(GROUP_FILTERS, query, knownOf(query)).map(({ text }) => text)).toEqual(ignored);
});
