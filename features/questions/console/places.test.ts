import { expect, test } from '@jest/globals';
import type { Citation } from './api.ts';
import { isThere, placeOf } from './places.ts';

const citation = (kind: Citation['kind'], id: string, href = ''): Citation => ({
  ref: 'X1',
  kind,
  id,
  label: '',
  href,
});

test.each([
  [citation('event', 'EVT-1'), { to: '/events', search: { event: 'EVT-1' } }],
  [citation('group', 'COR-1-a'), { to: '/groups/COR-1-a', search: {} }],
  [citation('ci', '01M8'), { to: '/cis/01M8', search: {} }],
  [citation('service', 'a/b'), { to: '/services/a%2Fb', search: {} }],
  [
    citation('query', 'q', '/v1/events?ci_id=7&from=2026-11-25T00:00:00Z&strange=1'),
    { to: '/events', search: { ciId: '7', from: '2026-11-25T00:00:00Z' } },
  ],
  [citation('query', 'q', '/api/events/groups'), { to: '/groups', search: {} }],
  [citation('query', 'q', '/v1/cmdb/ci?search=db&type=x'), { to: '/cis', search: { search: 'db' } }],
  [citation('query', 'q', 'https://elsewhere.example/events'), null],
  [citation('query', 'q', 'javascript:alert(1)'), null],
  [citation('relationship', 'r'), null],
])('a citation leads to a page of the console: %j', (given, expected) => {
  expect(placeOf(given)).toEqual(expected);
});

test('only pages that the person has are linked', () => {
  expect(isThere({ to: '/cis/1', search: {} }, ['/cis'])).toBe(true);
  expect(isThere({ to: '/cis/1', search: {} }, ['/ci', '/groups'])).toBe(false);
});
