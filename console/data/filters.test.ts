import { expect, test } from '@jest/globals';
import { askedOf, chipsOf, clearing, type Filter, switched } from './filters.ts';

const FILTERS: readonly Filter[] = [
  { name: 'severity', words: 'severity', isMany: true, values: [{ value: 'critical', words: 'Critical' }] },
  {
    name: 'assignee',
    words: 'who has it',
    values: [
      { value: 'me', words: 'me' },
      { value: 'none', words: 'nobody' },
    ],
  },
  { name: 'host', words: 'host' },
];

test('what is set stands as chips, in words', () => {
  expect(chipsOf(FILTERS, { host: 'db-1', severity: 'critical,major', assignee: 'none', columns: 'a' })).toEqual([
    { name: 'severity', words: 'severity', value: 'Critical or major' },
    { name: 'assignee', words: 'who has it', value: 'nobody' },
    { name: 'host', words: 'host', value: 'db-1' },
  ]);
});

test('only filters are asked of the server', () => {
  expect(askedOf(FILTERS, { host: 'db-1', event: 'E', search: 'x', severity: '' }, ['search'])).toEqual({
    host: 'db-1',
    search: 'x',
  });
});

test.each([
  [undefined, 'major', 'major'],
  ['critical', 'major', 'critical,major'],
  ['critical,major', 'critical', 'major'],
  ['major', 'major', null],
])('%j with %s switched is %j', (before, value, expected) => {
  expect(switched(before, value)).toBe(expected);
});

test('all of them can be cleared', () => {
  expect(clearing(FILTERS, ['search'])).toEqual({ severity: null, assignee: null, host: null, search: null });
});

const TIME: Filter = {
  name: 'timeRange',
  words: 'time',
  isTime: true,
  values: [{ value: '1h', words: 'the last hour' }],
};

test.each([
  [{ timeRange: '1h' }, 'the last hour'],
  [{ from: '5', to: '7' }, '5 – 7'],
  [{ from: '5' }, 'from 5'],
  [{ to: '7' }, 'until 7'],
])(
  'a range of time is one chip: %j says %s, is asked, and is taken away as one',
  (query: Record<string, string>, value) => {
    expect(chipsOf([TIME], query)).toEqual([{ name: 'timeRange', words: 'time', value }]);
    expect(askedOf([TIME], { ...query, event: 'E' })).toEqual(query);
    expect(clearing([TIME])).toEqual({ timeRange: null, from: null, to: null });
  },
);

test.each(['abc', '', '-1', '1e99', 'NaN', '2026-11-27T10:00:00Z'])('%j is no time: no chip, and not asked', (from) => {
  const when = (ms: number): string => new Date(ms).toISOString();
  expect(chipsOf([TIME], { from }, when)).toEqual([]);
  expect(chipsOf([TIME], { from, to: '0' }, when)).toEqual([
    { name: 'timeRange', words: 'time', value: 'until 1970-01-01T00:00:00.000Z' },
  ]);
  expect(askedOf([TIME], { from, to: '7' })).toEqual({ to: '7' });
});
