import { expect, test } from '@jest/globals';
import { FLAP_WINDOW_MS, FLAPS, flappingOf } from './flapping.ts';

const HOUR = FLAP_WINDOW_MS / 24;
const event = (signature: string, firstOccurrence: number, returns: readonly number[] = []) => ({
  signature,
  firstOccurrence,
  history: returns.flatMap((at, i) => [
    { at: at - 1, by: null, from: 'open', to: 'resolved', position: 2 * i } as const,
    { at, by: null, from: 'resolved', to: 'open', position: 2 * i + 1 } as const,
  ]),
});

test('so many beginnings within a day are flapping, one fewer are not', () => {
  const starts = (n: number) => Array.from({ length: n }, (_, i) => event('s', i * HOUR)).reverse();
  expect(flappingOf(starts(FLAPS - 1))).toEqual([]);
  expect(flappingOf(starts(FLAPS))).toEqual([{ newest: event('s', (FLAPS - 1) * HOUR), times: FLAPS }]);
});

test('an event that comes back begins again', () => {
  const one = event('s', 0, [HOUR, 2 * HOUR, 3 * HOUR]);
  expect(flappingOf([one])).toEqual([{ newest: one, times: 4 }]);
});

test('beginnings of a window of one day count, its end left out', () => {
  const spread = (last: number) => [event('s', 0, [HOUR, 2 * HOUR, last])];
  expect(flappingOf(spread(FLAP_WINDOW_MS))).toEqual([]);
  expect(flappingOf(spread(FLAP_WINDOW_MS - 1))).toHaveLength(1);
});

test('each complaint for itself, the worst first', () => {
  const worse = event(
    'b',
    0,
    [1, 2, 3, 4].map((n) => n * HOUR),
  );
  const found = flappingOf([
    event(
      'a',
      0,
      [1, 2, 3].map((n) => n * HOUR),
    ),
    worse,
    event('c', 0),
    event('d', 0),
  ]);
  expect(found.map(({ newest, times }) => `${newest.signature}${times}`)).toEqual(['b5', 'a4']);
});
