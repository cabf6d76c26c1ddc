import { expect, test } from '@jest/globals';
import { askedCis, ciFilters, readCiAddress, selectedCis } from './ci-filters.ts';

test('environment and site are asked for as attributes', () => {
  expect(askedCis({ type: 'pdu,ups', environment: 'prod', site: 'a,b:c', other: 'x' })).toEqual({
    type: 'pdu,ups',
    attribute: 'environment:prod,site:a\\,b\\:c',
  });
  expect(askedCis({ search: 'db' })).toEqual({ search: 'db' });
});

test('a bulk change means the same CIs', () => {
  expect(selectedCis({ type: 'pdu,ups', status: 'active', site: 'a,b', search: 'x' })).toEqual({
    type: ['pdu', 'ups'],
    status: ['active'],
    attributes: { site: 'a,b' },
    search: 'x',
  });
  expect(selectedCis({ sort: 'name' })).toBeNull();
});

test('types are offered with how many CIs have them, those without any are not', () => {
  const types = {
    ci_types: [
      { type: 'power_feed', count: 1_204, known: false, warning: null },
      { type: 'ups', count: 0, known: true, warning: null },
    ],
    relationship_types: [],
  };
  expect(ciFilters(types)[0]?.values).toEqual([{ value: 'power_feed', words: 'power feed (1,204)' }]);
});

test.each([
  [{ attribute: 'environment:prod,site:ams' }, { environment: 'prod', site: 'ams' }],
  [{ attribute: 'rack:7' }, { attribute: 'rack:7' }],
  [{ attribute: 'site:a\\,b' }, { attribute: 'site:a\\,b' }],
  [{ address: '10.0.0.1' }, { address: '10.0.0.1' }],
])('%j of the interface is %j of the page', (query: Record<string, string>, expected) => {
  expect(readCiAddress(query)).toEqual(expected);
});
