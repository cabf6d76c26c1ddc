import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { MAX_TAGS, unitedTags } from './union.ts';

const tags = fc.array(fc.constantFrom('', 'a', 'b', 'c', 'd'), { maxLength: 6 });
const united = tags.map((list) => [...new Set(list)].filter((tag) => tag !== ''));

test('tags of both are kept in order, each once, without empty ones; the first array when nothing is new', () => {
  fc.assert(
    fc.property(united, tags, (before, more) => {
      const expected = [...new Set([...before, ...more])].filter((tag) => tag !== '');
      const now = unitedTags(before, more);
      expect(now).toEqual(expected);
      expect(now === before).toBe(expected.length === before.length);
    }),
  );
});

test('more tags than an event may have are cut off', () => {
  const many = Array.from({ length: MAX_TAGS + 1 }, (_, n) => `tag-${n}`);
  expect(unitedTags([], many)).toEqual(many.slice(0, MAX_TAGS));
  expect(unitedTags(['first'], many)).toEqual(['first', ...many.slice(0, MAX_TAGS - 1)]);
});
