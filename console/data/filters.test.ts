import { expect, test } from '@jest/globals';
import {
  ASSIGNEE_VALUES,
  askedOf,
  assigneeAsked,
  chipsOf,
  clearing,
  type Filter,
  ignoredOf,
  renaming,
  switched,
} from './filters.ts';

const FILTERS: readonly Filter[] = [
  { name: 'severity', words: 'severity', isMany: true, values: [{ value: 'critical', words: 'Critical' }] },
  {
    name: 'assignee',
    words: 'assignee',
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
    { name: 'assignee', words: 'assignee', value: 'nobody' },
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

const TIME: Filter = { name: 'timeRange', words: 'time', isTime: true, values: [{ value: '1h', words: 'Last hour' }] };

test.each([
  [{ timeRange: '1h' }, 'Last hour'],
  [{ from: '1793404800000', to: '1793491200000' }, '1793404800000 – 1793491200000'],
  [{ from: '1793404800000' }, 'from 1793404800000'],
  [{ to: '1793491200000' }, 'until 1793491200000'],
])(
  'a range of time is one chip: %j says %s, is asked, and is taken away as one',
  (query: Record<string, string>, value) => {
    expect(chipsOf([TIME], query)).toEqual([{ name: 'timeRange', words: 'time', value }]);
    expect(askedOf([TIME], { ...query, event: 'E' })).toEqual(query);
    expect(clearing([TIME])).toEqual({ timeRange: null, from: null, to: null });
  },
);

test.each([
  ['2026-10-31T00:00:00Z', 1_793_404_800_000],
  ['2026-10-31T02:00:00.000+02:00', 1_793_404_800_000],
  ['1793404800', 1_793_404_800_000],
  ['1793404800000', 1_793_404_800_000],
])('a time in an address may be what the interface takes: %s', (from, ms) => {
  expect(chipsOf([TIME], { from })).toEqual([{ name: 'timeRange', words: 'time', value: `from ${ms}` }]);
  expect(askedOf([TIME], { from })).toEqual({ from: String(ms) });
  expect(ignoredOf([TIME], { from }, [])).toEqual([]);
});

test.each(['abc', '-1', '1e99', 'NaN', '2026-11-27', '2026-02-30T00:00:00Z', '253402300800000'])(
  '%j is no time: not asked, and said',
  (from) => {
    expect(chipsOf([TIME], { from })).toEqual([]);
    expect(askedOf([TIME], { from, to: '1793491200000' })).toEqual({ to: '1793491200000' });
    expect(ignoredOf([TIME], { from }, [])).toEqual([{ name: 'from', text: `invalid time: from=${from}` }]);
  },
);

test('what the page does not know is said, also a range where there is none', () => {
  const query = { host: 'db-1', sort: 'title', foo: '1', bar: '', from: '1793404800000' };
  expect(ignoredOf(FILTERS, query, ['sort'])).toEqual([
    { name: 'foo', text: 'unknown filter: foo' },
    { name: 'from', text: 'unknown filter: from' },
  ]);
});

test.each([
  [
    { status: 'resolved', host: 'a' },
    { state: 'resolved', host: 'a' },
  ],
  [{ status: 'resolved', state: 'active' }, { state: 'active' }],
  [{ host: 'a' }, { host: 'a' }],
])('%j of the interface is %j of the page', (query: Record<string, string>, expected) => {
  expect(renaming({ status: 'state' })(query)).toEqual(expected);
});

test.each([
  [{}, undefined],
  [{ assignee: 'me' }, undefined],
  [{ assignee: 'none' }, undefined],
  [{ assignee: '' }, undefined],
  [{ assignee: 'USR-1' }, 'USR-1'],
])('of %j the user or team %j is asked for', (query, expected) => {
  const filter = { name: 'assignee', words: 'assignee', values: ASSIGNEE_VALUES, isAssignee: true };
  expect(assigneeAsked([filter], query)).toBe(expected);
});
