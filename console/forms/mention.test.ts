import { expect, test } from '@jest/globals';
import { mentionAt, withMention } from './mention.ts';

test.each([
  ['@', 1, { from: 1, name: '' }],
  ['see @bo', 7, { from: 5, name: 'bo' }],
  ['see @bo now', 7, { from: 5, name: 'bo' }],
  ['see @bo now', 11, null],
  ['ann@example', 11, null],
  ['no mention', 5, null],
])('in %j, with the caret at %i, the mention is %j', (text, caret, found) =>
  expect(mentionAt(text, caret)).toEqual(found),
);

test('a chosen user replaces the typed part', () => {
  expect(withMention('see @b now', { from: 5, name: 'b' }, 'bob')).toBe('see @bob now');
  expect(withMention('@', { from: 1, name: '' }, 'ann')).toBe('@ann ');
});
