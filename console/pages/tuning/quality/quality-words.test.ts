import { expect, test } from '@jest/globals';
import type { QualityData } from '#console/api/tuning.ts';
import { calibrationWords, causeWords, intervalWords, memberWords, mendedWords } from './quality-words.ts';

const quality: QualityData = {
  verdicts: 36,
  cause: { right: 31, of: 36, interval: { low: 0.713, high: 0.939 } },
  groups: {
    correct: { right: 30, of: 35, interval: { low: 0.706, high: 0.937 } },
    precise: { right: 31, of: 35, interval: { low: 0.74, high: 0.955 } },
    complete: { right: 34, of: 35, interval: { low: 0.855, high: 0.995 } },
  },
  members: { right: 30, too_many: 4, too_few: 1 },
  corrections: { splits: 1, merges: 3, truncated: false },
  calibration: { of: 36, error: 0.04, bins: [] },
  byStrategy: [],
  byCiType: [],
  truncated: false,
};

test('numbers of verdicts are told in sentences', () => {
  expect(causeWords(quality.cause)).toBe('Root cause correct in 31 of 36 groups with a verdict (86%).');
  expect(intervalWords(quality.cause)).toBe('95% confidence interval: 71–94%.');
  expect(memberWords(quality)).toEqual([
    '4 groups contained unrelated events. Raise the minimum score by 0.05 and simulate it.',
    '1 group missed events. Check for missing relationships, or lower the minimum score.',
  ]);
  expect(mendedWords(quality)).toBe('1 manual split, 3 manual merges.');
  expect(calibrationWords(quality)).toBe('Calibration error: 4% on average over 36 verdicts.');
});

test('and so is that there are none', () => {
  const none: QualityData = {
    ...quality,
    cause: { right: 0, of: 0, interval: null },
    members: { right: 0, too_many: 0, too_few: 0 },
    corrections: { splits: 0, merges: 0, truncated: false },
    calibration: { of: 2, error: null, bins: [] },
  };
  expect(causeWords(none.cause)).toBe('No verdicts on root causes yet.');
  expect(intervalWords(none.cause)).toBe('');
  expect(memberWords(none)).toEqual([]);
  expect(mendedWords(none)).toBe('No manual splits or merges.');
  expect(calibrationWords(none)).toContain('2 so far');
});
