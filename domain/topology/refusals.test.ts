import { expect, test } from '@jest/globals';
import { assertNoRelationships } from './refusals.ts';

test.each([
  [1, 'CI a has a relationship. Remove it first'],
  [2, 'CI a has 2 relationships. Remove them first'],
])('a CI with %d relationships says how many hold it', (count, message) =>
  expect(() => assertNoRelationships('a', count, false)).toThrow(message),
);
