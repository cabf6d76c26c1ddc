import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { ByteReader, ByteWriter } from './bytes.ts';

const number = fc.oneof(fc.nat(300), fc.integer({ min: 0, max: Number.MAX_SAFE_INTEGER }));

test('numbers come back, however many', () => {
  const writer = new ByteWriter();
  fc.assert(
    fc.property(fc.array(number, { maxLength: 5_000, size: 'max' }), (numbers) => {
      for (const value of numbers) writer.number(value);
      const reader = new ByteReader(writer.take());
      expect(numbers.map(() => reader.number())).toEqual(numbers);
    }),
    { numRuns: 30 },
  );
});

test.each([
  [0, 1],
  [127, 1],
  [128, 2],
  [16_383, 2],
  [16_384, 3],
  [Number.MAX_SAFE_INTEGER, 8],
])('%d takes %d bytes', (value, length) => {
  const writer = new ByteWriter();
  writer.number(value);
  expect(writer.take()).toHaveLength(length);
});
