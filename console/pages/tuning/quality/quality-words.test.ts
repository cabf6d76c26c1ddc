import { expect, test } from '@jest/globals';
import type { QualityShown } from '#console/api/tuning.ts';
import { calibrationWords, causeWords, intervalWords, memberWords, mendedWords } from './quality-words.ts';

const quality: QualityShown = {
  verdicts: 36,
  cause: { right: 31, of: 36, interval: { low: 0.713, high: 0.939 } },
  members: { right: 30, too_many: 4, too_few: 1 },
  corrections: { splits: 1, merges: 3, truncated: false },
  calibration: { of: 36, error: 0.04, bins: [] },
  byStrategy: [],
  byCiType: [],
  truncated: false,
};

test('numbers of verdicts are told in sentences', () => {
  expect(causeWords(quality.cause)).toBe('The cause was right in 31 of 36 judged groups (86 %).');
  expect(intervalWords(quality.cause)).toBe('Judging by these, causes are right in 71 to 94 % of all groups.');
  expect(memberWords(quality)).toEqual([
    '30 of 35 judged groups held what belongs together.',
    '4 groups held too much: raise the score that joins by 0.05, and try it on stored events.',
    '1 group held too little: a relationship may be missing in the CMDB; else lower the score.',
  ]);
  expect(mendedWords(quality)).toBe('People took a part out of a group 1 time and put groups together 3 times.');
  expect(calibrationWords(quality)).toBe(
    'On average, confidence is 4 % away from how often causes were right, over 36 judged causes.',
  );
});

test('and so is that there are none', () => {
  const none: QualityShown = {
    ...quality,
    cause: { right: 0, of: 0, interval: null },
    members: { right: 0, too_many: 0, too_few: 0 },
    corrections: { splits: 0, merges: 0, truncated: false },
    calibration: { of: 2, error: null, bins: [] },
  };
  expect(causeWords(none.cause)).toBe('Nobody has said yet whether a cause was right.');
  expect(intervalWords(none.cause)).toBe('');
  expect(memberWords(none)).toEqual([]);
  expect(mendedWords(none)).toBe('Nobody took a group apart or put groups together.');
  expect(calibrationWords(none)).toContain('there are 2');
});
