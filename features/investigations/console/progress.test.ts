import { expect, test } from '@jest/globals';
import { movedWords, NOT_BEGUN, withMessage } from './progress.ts';

const hypothesis = { id: 'H1', text: '“Link down” on sw-1', initialConfidence: 0.6 };
const check = { hypothesis: 'H1', check: 'path', text: '2 of 2 other CIs depend on sw-1', moved: 0.2, confidence: 0.8 };

test('messages of the stream add up to what is shown', () => {
  let seen = withMessage(NOT_BEGUN, 'begin', { groupId: 'COR-1', text: 'Probable root cause so far' });
  seen = withMessage(seen, 'hypothesis', hypothesis);
  expect(seen.hypotheses).toMatchObject([{ id: 'H1', confidence: 0.6, checks: [] }]);
  seen = withMessage(seen, 'check', check);
  expect(seen.hypotheses).toMatchObject([{ id: 'H1', confidence: 0.8, checks: [{ check: 'path' }] }]);
  expect(withMessage(seen, 'check', { ...check, hypothesis: 'H9' })).toEqual(seen);
  expect(withMessage(seen, 'error', { message: 'No model answers' }).error).toBe('No model answers');
  expect(withMessage(seen, 'later', {})).toBe(seen);
  const end = { hypotheses: [{ ...hypothesis, confidence: 0.9, checks: [check] }], conclusion: { text: 'x' } };
  expect(withMessage(seen, 'end', end)).toMatchObject({ end, hypotheses: [{ confidence: 0.9 }] });
});

test.each([
  [0.2, '+20%'],
  [-0.034, '−3%'],
  [0.004, ''],
])('a difference of %d is %j', (moved, words) => expect(movedWords(moved)).toBe(words));
