import { describe, expect, test } from '@jest/globals';
import { calibrationError } from '#domain/statistics/calibration.ts';
import { type Label, type LabelVerdict, standingLabels } from './agents.ts';
import { calibrationBins, performanceOf, statusOf, thresholdFor } from './performance.ts';

let serial = 0;
const label = (verdict: LabelVerdict, more: Partial<Label> = {}): Label => ({
  agent: 'root-cause',
  subject: { kind: 'group', id: `g-${++serial}` },
  confidence: 0.5,
  verdict,
  user: null,
  note: null,
  at: 1,
  ...more,
});
const many = (count: number, verdict: LabelVerdict, confidence: number): Label[] =>
  Array.from({ length: count }, () => label(verdict, { confidence }));

describe('the label that counts', () => {
  const subject = { kind: 'group', id: 'one' } as const;
  const counts = (...labels: readonly Label[]): string[] =>
    standingLabels(labels).map(({ verdict, user }) => `${verdict} ${user}`);

  test('is a person’s before the outcome, whichever came later', () => {
    const [said, became] = [label('wrong', { subject, user: 'ann', at: 1 }), label('right', { subject, at: 9 })];
    expect(counts(said, became)).toEqual(['wrong ann']);
    expect(counts(became, said)).toEqual(['wrong ann']);
  });
  test('is the last one of several people', () => {
    const [ann, bob] = [
      label('wrong', { subject, user: 'ann', at: 5 }),
      label('right', { subject, user: 'bob', at: 4 }),
    ];
    expect(counts(ann, bob)).toEqual(['wrong ann']);
  });
  test('is one for each decision', () => {
    expect(counts(label('right'), label('wrong'))).toHaveLength(2);
  });
});

describe('performance', () => {
  test('is nothing while nothing was judged', () => {
    const performance = performanceOf([], { made: 7, abstained: 2 });
    expect(performance).toEqual({
      decisionsMade: 7,
      abstained: 2,
      judged: 0,
      right: 0,
      successRate: null,
      avgConfidence: null,
      interval: null,
    });
    expect(statusOf(performance)).toBe('learning');
  });
  test('is the share that was right; without a confidence it counts there alone', () => {
    const labels = [...many(3, 'right', 0.8), label('wrong', { confidence: null })];
    expect(performanceOf(labels, { made: 9, abstained: 0 })).toMatchObject({ successRate: 0.75, judged: 4 });
    expect(performanceOf(labels, { made: 9, abstained: 0 }).avgConfidence).toBeCloseTo(0.8, 10);
  });
  test.each([
    [19, 'learning'],
    [20, 'active'],
  ])('with %i judged decisions an agent is %s', (judged, status) => {
    expect(statusOf({ judged })).toBe(status);
  });
});

describe('calibration', () => {
  test('has ten bins; the last one holds certainty', () => {
    const bins = calibrationBins([...many(3, 'right', 1), ...many(1, 'wrong', 0.95), ...many(2, 'wrong', 0)]);
    expect(bins.map(({ judged }) => judged)).toEqual([2, 0, 0, 0, 0, 0, 0, 0, 0, 4]);
    expect(bins[9]).toMatchObject({ from: 0.9, to: 1, hitRate: 0.75 });
    expect(bins[4]).toMatchObject({ hitRate: null, meanConfidence: null });
  });
  test('the error is the mean distance, weighted', () => {
    const labels = [...many(3, 'right', 0.9), ...many(1, 'wrong', 0.9), ...many(4, 'wrong', 0.3)];
    expect(calibrationError(calibrationBins(labels))).toBeCloseTo((4 * 0.15 + 4 * 0.3) / 8, 10);
    expect(calibrationError(calibrationBins([]))).toBeNull();
  });
});

describe('the threshold that keeps a share of errors', () => {
  const labels = [...many(40, 'wrong', 0.4), ...many(60, 'right', 0.7), ...many(40, 'right', 0.9)];

  test('leaves out what is wrong too often', () => {
    expect(thresholdFor(labels, 0.05)).toBe(0.41);
  });
  test('is the smallest when everything is good enough', () => {
    expect(thresholdFor(labels, 0.5)).toBe(0);
  });
  test('needs 30 judged decisions', () => {
    expect(thresholdFor(many(29, 'right', 0.9), 0.2)).toBeNull();
    expect(thresholdFor(many(30, 'right', 0.9), 0.2)).toBe(0);
  });
  test('is none when no confidence is good enough', () => {
    expect(thresholdFor([...many(40, 'wrong', 0.9), ...many(40, 'right', 0.9)], 0.1)).toBeNull();
  });
});
