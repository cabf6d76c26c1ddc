import { expect, test } from '@jest/globals';
import { heardAt, isSilent, MAX_GAP_MS, REGULAR_AFTER_MS, SILENT_AFTER_MS, type SourceRhythm } from './rhythm.ts';

const after = (...times: readonly number[]): SourceRhythm =>
  times.reduce<SourceRhythm | undefined>((before, at) => heardAt(before, at), undefined)!;
const every = (ms: number, forMs: number): number[] => Array.from({ length: forMs / ms + 1 }, (_, n) => n * ms);

test('a source is silent after a regular hour and 15 minutes without a message', () => {
  const rhythm = after(...every(MAX_GAP_MS, REGULAR_AFTER_MS));
  const at = (ms: number, listeningSince = 0) => isSilent(rhythm, { now: rhythm.last + ms, listeningSince });
  expect([at(SILENT_AFTER_MS), at(SILENT_AFTER_MS + 1)]).toEqual([false, true]);
  expect(at(SILENT_AFTER_MS + 1, rhythm.last + 1)).toBe(false);
});

test.each([
  ['an irregular one', every(MAX_GAP_MS + 1, 20 * (MAX_GAP_MS + 1))],
  ['one known for a short time', every(60_000, REGULAR_AFTER_MS - 60_000)],
  ['one that pauses', [...every(60_000, REGULAR_AFTER_MS), REGULAR_AFTER_MS + MAX_GAP_MS + 1]],
])('%s is not', (_, times) => {
  expect(isSilent(after(...times), { now: 100 * REGULAR_AFTER_MS, listeningSince: 0 })).toBe(false);
});

test('an older time changes nothing', () => {
  const rhythm = after(5, 9);
  expect(heardAt(rhythm, 7)).toBe(rhythm);
});
