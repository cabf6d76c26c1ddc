import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { type Accumulated, accumulatedText, latestText, readAccumulated, withLatest } from './row.ts';

const first: Accumulated = {
  description: 'cpu at 91 percent',
  tags: ['prod'],
  details: { value: 91, check: 'cpu', labels: { team: 'a' } },
  conditions: [],
};

test.each<readonly [string, Partial<Accumulated>, string | null | undefined]>([
  ['nothing', {}, null],
  ['a reading', { details: { ...first.details, value: 97 } }, '[{"value":97}]'],
  ['a new name', { details: { ...first.details, peak: 99 } }, '[{"peak":99}]'],
  ['an equal object', { details: { ...first.details, labels: { team: 'a' }, value: 1 } }, '[{"value":1}]'],
  ['the description', { description: 'cpu at 97 percent' }, '[{},"cpu at 97 percent"]'],
  ['a long text', { description: 'x'.repeat(200) }, undefined],
  ['a name that is gone', { details: { value: 91, check: 'cpu' } }, undefined],
  ['tags', { tags: ['prod', 'eu'] }, undefined],
  ['conditions', { conditions: [{ id: 'c', position: 1 }] }, undefined],
])('what is new when %s differs', (_name, changes, expected) => {
  expect(latestText(first, { ...first, ...changes })).toBe(expected);
});

const details = fc.dictionary(
  fc.constantFrom('value', 'check', 'sourceIds', '7', '__proto__', 'constructor'),
  fc.jsonValue({ maxDepth: 1 }).map((value) => JSON.parse(JSON.stringify(value))),
);
const accumulated = fc.record(
  { description: fc.string(), tags: fc.constant(first.tags), details, conditions: fc.constant(first.conditions) },
  { requiredKeys: ['tags', 'details', 'conditions'] },
) as fc.Arbitrary<Accumulated>;

test('what is written is read again, whatever was accumulated before', () => {
  fc.assert(
    fc.property(accumulated, accumulated, (before, now) => {
      const latest = latestText(before, now);
      const read =
        latest === undefined
          ? readAccumulated(accumulatedText(now))
          : withLatest(readAccumulated(accumulatedText(before)), latest);
      expect(JSON.parse(accumulatedText(read))).toEqual(JSON.parse(accumulatedText(now)));
    }),
    { numRuns: 1_000 },
  );
});
