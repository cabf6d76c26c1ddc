import { expect, test } from '@jest/globals';
import { problemOf } from './form-text.ts';

test.each([
  [{ url: 'is not public' }, 'url', 'is not public'],
  [{ 'members[2]': 'no user with ID x' }, 'members', '[2]: no user with ID x'],
  [{ 'headers.Host': 'is set by Faultline' }, 'headers', 'Host: is set by Faultline'],
  [{ urls: 'other' }, 'url', undefined],
  [{}, 'url', undefined],
])('of %j the field %s has: %s', (problems, field, expected) => {
  expect(problemOf(problems as Record<string, string>, field)).toBe(expected);
});
