import { expect, test } from '@jest/globals';
import { aside, endWords, growthFor, headKind, headline, isSilent, roomFor, untouchedFirst } from './wallboard-text.ts';

const DAY = 86_400_000;

test.each([
  [{ active: 0, critical: 0, acknowledged: 0 }, 'good', 'No active problems', ''],
  [{ active: 1, critical: 0, acknowledged: 1 }, 'caution', '1 active problem', '1 acknowledged'],
  [{ active: 1, critical: 1, acknowledged: 0 }, 'bad', '1 active problem, critical', ''],
  [{ active: 1_204, critical: 2, acknowledged: 3 }, 'bad', '1,204 active problems, 2 critical', '3 acknowledged'],
])('%j is %s: %s', (counts, kind, words, beside) => {
  expect([headKind(counts), headline(counts), aside(counts)]).toEqual([kind, words, beside]);
});

test.each([
  [null, false],
  [5, false],
  [61, true],
])('a last event %s min ago is silence: %s', (minutes, expected) => {
  expect(isSilent(minutes === null ? null : DAY - minutes * 60_000, DAY)).toBe(expected);
});

test.each([
  [null, null],
  [15, null],
  [13, 'This wallboard link expires in 13d'],
  [-1, 'This wallboard link has expired'],
])('a link that ends in %s days says %s', (days, expected) => {
  expect(endWords(days === null ? null : days * DAY, 0)).toBe(expected);
});

test.each([
  [800, 100, 30, 8],
  [40, 100, 30, 1],
  [9_000, 100, 30, 30],
])('%d px have room for rows of %d px', (height, row, most, expected) => {
  expect(roomFor(height, row, most)).toBe(expected);
});

test.each([
  [800, 100, 6, 800 / 600],
  [800, 100, 9, 1],
  [800, 100, 1, 1.75],
  [0, 100, 3, 1],
  [800, 100, 0, 1],
])('in %d px, rows of %d px grow when they are %d', (height, row, rows, expected) => {
  expect(growthFor(height, row, rows)).toBeCloseTo(expected);
});

test('of each severity what nobody has acknowledged comes first, in the order of the server', () => {
  const rows = (texts: readonly string[]) =>
    texts.map((text) => {
      const [severity, id] = text.split(' ') as ['critical' | 'minor' | 'major', string];
      return { severity, id };
    });
  const active = rows(['critical a', 'critical b', 'minor c']);
  const acknowledged = rows(['critical d', 'major e', 'minor f']);
  const none = { severity: null, id: 'g' };
  expect(untouchedFirst([...active, none], acknowledged).map(({ id }) => id)).toEqual([...'abdecfg']);
});
