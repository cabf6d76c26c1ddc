import { expect, test } from '@jest/globals';
import { choicesOf } from './choices.ts';

const FOUND = {
  users: [
    { _id: 'u1', username: 'ann', name: 'Ann' },
    { _id: 'u2', username: 'bo', name: 'Bo' },
  ],
  teams: [
    { _id: 't2', name: 'Storage', mine: true },
    { _id: 't1', name: 'Network', mine: false },
  ],
};

test('the first ones, my teams, then everybody by name', () => {
  const choices = choicesOf(FOUND, [{ value: 'me', words: 'Me and my teams' }]);
  expect(choices.map(({ value, note }) => `${value} ${note}`)).toEqual([
    'me ',
    't2 my team',
    'u1 ann',
    'u2 bo',
    't1 team',
  ]);
});
