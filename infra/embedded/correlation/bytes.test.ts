import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { ByteReader, ByteWriter } from './packed-surroundings.ts';

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

test('one writer’s numbers come behind those of another, which begins anew', () => {
  const [first, second] = [new ByteWriter(), new ByteWriter()];
  const numbers = Array.from({ length: 20_000 }, (_, n) => n);
  for (let round = 0; round < 2; round++) {
    first.number(7);
    for (const value of numbers) second.number(value);
    first.append(second);
    const reader = new ByteReader(first.take());
    expect([7, ...numbers].map(() => reader.number())).toEqual([7, ...numbers]);
  }
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
