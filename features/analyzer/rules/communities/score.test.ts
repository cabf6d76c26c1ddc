import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { categoryOf } from './category.ts';
import { confidenceOf } from './found-service.ts';

const FULL = { members: 4, agreeing: 4, within: 6, leaving: 0, classified: 4 };

test.each([
  [{}, 0.95],
  [{ agreeing: 0 }, 0.7],
  [{ leaving: 6 }, 0.77],
  [{ classified: 0 }, 0.9],
  [{ agreeing: 0, within: 0, leaving: 0, classified: 0 }, 0.3],
])('with %j: %d', (parts, confidence) => {
  expect(confidenceOf({ ...FULL, ...parts })).toBe(confidence);
});

test('more in common is never less sure', () => {
  const part = fc.nat(20);
  fc.assert(
    fc.property(part, part, part, part, (agreeing, within, leaving, classified) => {
      const grounds = { members: 21, agreeing, within, leaving, classified };
      const confidence = confidenceOf(grounds);
      expect(confidenceOf({ ...grounds, agreeing: agreeing + 1 })).toBeGreaterThanOrEqual(confidence);
      expect(confidenceOf({ ...grounds, leaving: leaving + 1 })).toBeLessThanOrEqual(confidence);
    }),
  );
});

test.each([
  [{ frontend: 1, application: 2, data: 1 }, 'web application'],
  [{ frontend: 2 }, 'web front end'],
  [{ application: 1, data: 1 }, 'application'],
  [{ data: 3 }, 'data platform'],
  [{ infrastructure: 2 }, 'infrastructure'],
  [{}, 'unclassified'],
])('tiers %j make it a %s', (tiers, category) => {
  expect(categoryOf({ frontend: 0, application: 0, data: 0, infrastructure: 0, ...tiers })).toBe(category);
});
