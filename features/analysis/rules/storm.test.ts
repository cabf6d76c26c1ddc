import { expect, test } from '@jest/globals';
import { sampleEvent } from '#test/contract/samples.ts';
import { firstOfStorm, isStorm } from './storm.ts';

test.each([
  [50_000, false],
  [50_001, true],
])('%i waiting records are a storm: %s', (lag, expected) => expect(isStorm(lag)).toBe(expected));

test('a storm is known by its severe events and the first of each group and signature', () => {
  const events = [
    sampleEvent(1, { severity: 'minor', signature: 'a' }),
    sampleEvent(2, { severity: 'minor', signature: 'a' }),
    sampleEvent(3, { severity: 'minor', signature: 'a', correlationId: 'COR-1' }),
    sampleEvent(4, { severity: 'major', signature: 'a' }),
    sampleEvent(5, { severity: 'critical', signature: 'a', usual: true }),
  ];
  const { now, later } = firstOfStorm(events);
  expect([now, later].map((some) => some.map(({ position }) => position))).toEqual([
    [1, 3, 4],
    [2, 5],
  ]);
});
