import { expect, test } from '@jest/globals';
import { refuseHeld } from './refusals.ts';

test.each([
  [1, 'CI a has a relationship: remove it first'],
  [2, 'CI a has 2 relationships: remove them first'],
])('a CI with %d relationships says how many hold it', (count, message) =>
  expect(() => refuseHeld('a', count, false)).toThrow(message),
);
