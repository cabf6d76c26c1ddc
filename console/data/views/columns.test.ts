import { expect, test } from '@jest/globals';
import { listed, movedColumn, shownOf, switchedColumn } from './columns.ts';

const CHOICES = [
  { id: 'severity', title: 'Severity' },
  { id: 'title', title: 'Title', isFixed: true },
  { id: 'group', title: 'Group' },
  { id: 'source', title: 'Source', isExtra: true },
];

test.each([
  [undefined, ['severity', 'title', 'group']],
  [
    ['source', 'title'],
    ['source', 'title'],
  ],
  [
    ['group', 'group', 'gone'],
    ['title', 'group'],
  ],
  [[], ['title']],
])('of %j are shown %j', (chosen, shown) => {
  expect(shownOf(CHOICES, chosen)).toEqual(shown);
});

test('the menu lists what is shown first', () => {
  expect(listed(CHOICES, ['source', 'title']).map(({ id }) => id)).toEqual(['source', 'title', 'severity', 'group']);
});

test('a column is shown at the end, hidden, and moved as far as there is room', () => {
  expect(switchedColumn(['a', 'b'], 'c')).toEqual(['a', 'b', 'c']);
  expect(switchedColumn(['a', 'b'], 'a')).toEqual(['b']);
  expect(movedColumn(['a', 'b', 'c'], 'a', 1)).toEqual(['b', 'a', 'c']);
  expect(movedColumn(['a', 'b', 'c'], 'a', -1)).toEqual(['a', 'b', 'c']);
  expect(movedColumn(['a', 'b', 'c'], 'x', 1)).toEqual(['a', 'b', 'c']);
});
