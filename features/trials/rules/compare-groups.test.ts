import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { SimulatedGroup } from '#domain/correlation/on-demand/simulation.ts';
import { sampleGroup } from '#test/contract/samples.ts';
import { countGroups, differencesOf } from './compare-groups.ts';

/** Groups by their letters: each letter is an event. */
const groupsOf = (...all: readonly string[]): SimulatedGroup[] =>
  all.map((letters) => ({ group: sampleGroup(1, { id: `COR-${letters}` }), members: [...letters] }));
const lettersOf = (groups: readonly SimulatedGroup[]): string[] => groups.map(({ members }) => members.join(''));
const told = (before: readonly string[], after: readonly string[]) =>
  differencesOf(groupsOf(...before), groupsOf(...after)).map((one) => [
    one.kind,
    lettersOf(one.before),
    lettersOf(one.after),
    one.moved,
  ]);

describe('differences of groups', () => {
  test.each([
    ['nothing', ['ab', 'cd'], ['cd', 'ab'], []],
    ['one falls apart', ['abcde'], ['abc', 'de'], [['split', ['abcde'], ['abc', 'de'], 2]]],
    ['one loses an event', ['abc'], ['ab'], [['split', ['abc'], ['ab'], 1]]],
    ['two become one', ['ab', 'cde'], ['abcde'], [['merged', ['cde', 'ab'], ['abcde'], 2]]],
    ['one takes an event in', ['ab'], ['abc'], [['merged', ['ab'], ['abc'], 1]]],
    ['one is not made', ['ab'], [], [['gone', ['ab'], [], 2]]],
    ['one is made', [], ['ab'], [['new', [], ['ab'], 2]]],
    [
      'an event moves over, and the largest difference is first',
      ['abc', 'de', 'xyz'],
      ['ab', 'cde'],
      [
        ['gone', ['xyz'], [], 3],
        ['split', ['abc'], ['ab', 'cde'], 1],
        ['merged', ['de', 'abc'], ['cde'], 1],
      ],
    ],
  ])('%s', (_, before, after, expected) => expect(told(before, after)).toEqual(expected));

  test('there are none exactly when both are the same groups, whatever their order', () => {
    const partition = fc.array(fc.integer({ min: 0, max: 3 }), { minLength: 8, maxLength: 8 });
    const groups = (places: readonly number[]): string[] =>
      [0, 1, 2, 3]
        .map((place) => places.map((at, n) => (at === place ? 'abcdefgh'[n] : '')).join(''))
        .filter((letters) => letters.length > 1);
    fc.assert(
      fc.property(partition, partition, (one, other) => {
        const [before, after] = [groups(one), groups(other)];
        const isSame = JSON.stringify(before.toSorted()) === JSON.stringify(after.toSorted());
        expect(told(before, after).length === 0).toBe(isSame);
      }),
    );
  });
});

test('groups are counted with what stands alone', () => {
  expect(countGroups(groupsOf('abc', 'de'), 'abcxyz')).toEqual({ groups: 2, grouped: 5, largest: 3, noise: 3 });
  expect(countGroups([], 'ab')).toEqual({ groups: 0, grouped: 0, largest: 0, noise: 2 });
});
