import { expect, test } from '@jest/globals';
import { binOf, markSeen, SEEN_BIN_MS } from '#domain/event/lifecycle/accumulated.ts';
import { sampleEvent } from '#test/contract/samples.ts';
import { T } from '#test/setup/pair-kit.ts';
import { recurringMark } from './recurring.ts';

/** An event seen in this number of bins before T, and then as given. */
const event = (bins: number, later: readonly number[] = []) => {
  const before = Array.from({ length: bins }, (_, back) => T - (bins - back) * SEEN_BIN_MS);
  const seen = [...before, T, ...later.map((bin) => T + bin * SEEN_BIN_MS)].reduce(
    (known, time) => markSeen(known, time),
    markSeen(null, before[0] ?? T),
  );
  return { ...sampleEvent(1), usual: bins >= 12, firstOccurrence: T, seen };
};

test.each([
  ['all of the time', 24, [], '100%'],
  ['half of the time', 12, [], '50%'],
  ['when the oldest is forgotten', 24, [6], 'at least 75%'],
  ['when too much is forgotten', 24, [13], 'most'],
] as const)('an event says for how much of four hours it was on: %s', (_, bins, later, share) => {
  const mark = recurringMark(event(bins, later));
  expect(mark?.reason).toContain(`“Disk full on host-1” is recurring: active in ${share} of the 4 hours`);
  expect(mark?.eventId).toBe(`EVT-${sampleEvent(1).id}`);
});

test('an event that is not usual says nothing', () => {
  expect(recurringMark(event(11))).toBeNull();
  expect(binOf(T) - binOf(T - SEEN_BIN_MS)).toBe(1);
});
