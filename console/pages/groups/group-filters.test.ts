import { expect, test } from '@jest/globals';
import { ignoredOf } from '#console/data/filters.ts';
import { GROUP_FILTERS, knownOf, orderOf, readGroupAddress, stateOf } from './group-filters.ts';

test.each([
  [{ status: 'resolved' }, 'resolved', []],
  [{ state: 'acknowledged' }, 'acknowledged', []],
  [{}, 'active', []],
  [{ status: 'open' }, 'active', ['unknown filter: status']],
  [{ state: 'open' }, 'active', ['unknown filter: state']],
  [{ status: 'active,resolved', growing: 'true' }, 'active', ['unknown filter: status']],
  [{ sortBy: 'size', status: 'resolved', view: 'V', from: '2026-10-31T00:00:00Z' }, 'resolved', []],
  [{ sortBy: 'name' }, 'active', ['unknown filter: sortBy']],
  [{ sort: 'name' }, 'active', ['unknown filter: sort']],
])('%j shows groups that are %s, and says %j', (address: Record<string, string>, state, ignored) => {
  const query = readGroupAddress(address);
  expect(stateOf(query)).toBe(state);
  expect(orderOf(query)).toBe(address.sortBy === 'size' ? 'size' : 'urgency');
  expect(ignoredOf(GROUP_FILTERS, query, knownOf(query)).map(({ text }) => text)).toEqual(ignored);
});
