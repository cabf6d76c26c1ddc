import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { EVERY_PART, NO_PARTS, withPart } from './batch.ts';
import type { EventPart } from './processor.ts';

const part = fc.constantFrom<EventPart>('created', 'tally', 'state', 'said', 'assigned');

test('parts gather in any order, and equal sets are one', () => {
  fc.assert(
    fc.property(fc.array(part), (parts) => {
      const gathered = parts.reduce(withPart, NO_PARTS);
      expect(gathered).toEqual(new Set(parts));
      expect(parts.toReversed().reduce(withPart, NO_PARTS)).toBe(gathered);
    }),
  );
  expect(EVERY_PART.size).toBe(5);
});
