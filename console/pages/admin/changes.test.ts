import { expect, test } from '@jest/globals';
import { changesOf } from './changes.ts';

test.each([
  [null, null, []],
  [{ a: 1, b: 'x' }, { a: 1, b: 'y' }, [{ field: 'b', before: 'x', after: 'y' }]],
  [null, { a: [1] }, [{ field: 'a', before: '–', after: '[1]' }]],
  [{ a: 1 }, null, [{ field: 'a', before: '1', after: '–' }]],
  ['old', 'new', [{ field: 'value', before: 'old', after: 'new' }]],
])('%j to %j', (before, after, expected) => {
  expect(changesOf(before, after)).toEqual(expected);
});
