import { expect, test } from '@jest/globals';
import { assertDefined, entryOf, firstItem, itemAt, lastItem } from './assert.ts';
import { zip } from './zip.ts';

test('what is there is given, also when it is falsy', () => {
  expect([assertDefined(0, 'count'), assertDefined('', 'text'), assertDefined(false, 'flag')]).toEqual([0, '', false]);
  expect([firstItem([1, 2]), lastItem([1, 2]), itemAt('ab', 1)]).toEqual([1, 2, 'b']);
  expect([firstItem([null]), entryOf(new Map([['a', null]]), 'a')]).toEqual([null, null]);
});

test.each<[string, () => unknown, string]>([
  ['null', () => assertDefined(null, 'owner'), 'There is no owner'],
  ['undefined', () => assertDefined(undefined, 'owner'), 'There is no owner'],
  ['the first of none', () => firstItem([]), 'There is no item 0 in a list of 0'],
  ['the last of none', () => lastItem([]), 'There is no item -1 in a list of 0'],
  ['an item behind the end', () => itemAt([1, 2], 2), 'There is no item 2 in a list of 2'],
  ['an entry of a map', () => entryOf(new Map(), 'a'), 'There is no entry a'],
  ['lists of different lengths', () => zip([1, 2], ['a']), '2 items do not pair with 1'],
])('%s throws and says what is missing', (_, work, message) => expect(work).toThrow(message));

test('lists of one length pair by place', () => {
  expect(zip([1, 2], ['a', 'b'])).toEqual([
    [1, 'a'],
    [2, 'b'],
  ]);
});
