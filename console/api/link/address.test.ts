import { expect, test } from '@jest/globals';
import { addressOf, queryText } from './address.ts';

test.each([
  [{}, ''],
  [{ b: 2, a: 'x' }, 'a=x&b=2'],
  [{ severity: ['critical', 'major'], none: null, gone: undefined, blank: '', list: [] }, 'severity=critical%2Cmajor'],
  [{ grouped: false, page: 0 }, 'grouped=false&page=0'],
])('query %j: %s', (query, expected) => {
  expect(queryText(query)).toBe(expected);
});

test.each(['http://h:8080/', 'https://h/ops/faultline/'])('addresses start from the root %s', (root) => {
  expect(addressOf(root, '/api/events/{eventId}', { eventId: 'EVT-1/2' }, { with: 'a b' })).toBe(
    `${root}api/events/EVT-1%2F2?with=a+b`,
  );
});

test('what stands in braces is needed', () => {
  expect(() => addressOf('http://h/', '/api/events/{eventId}')).toThrow('needs eventId');
});
