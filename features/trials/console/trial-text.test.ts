import { expect, test } from '@jest/globals';
import { differences, draftOf } from '#console/forms/settings/draft.ts';
import { GROUPING } from '#console/pages/tuning/fields.ts';
import type { TrialData } from './api.ts';
import { compared, keptWords, signed, sizeWords, stateOfTrial, triedWords, verdictOfTrial } from './trial-text.ts';

const trialOf = (given: Partial<TrialData>): TrialData => ({
  id: 't',
  state: 'completed',
  done: 1,
  patch: {},
  hours: 24,
  startedAt: '',
  endedAt: '',
  by: '',
  error: null,
  from: '',
  events: 356,
  truncated: false,
  changes: [],
  changed: 3,
  verdicts: { kept: 0, lost: 0 },
  before: { groups: 22, grouped: 247, largest: 62, noise: 109 },
  after: { groups: 24, grouped: 240, largest: 62, noise: 116 },
  ...given,
});

test.each([
  [{}, 'Completed · 22 groups → 24'],
  [{ state: 'running', before: null, after: null }, 'Running'],
  [{ state: 'waiting', before: null, after: null }, 'Queued'],
  [{ state: 'failed', before: null, after: null }, 'Failed'],
] as [Partial<TrialData>, string][])('the state of a trial: %j', (given, expected) => {
  expect(stateOfTrial(trialOf(given))).toBe(expected);
});

test('a trial is called by what was tried, before and after that is saved', () => {
  const defaults = { guards: { maxSize: 500, spanMs: 1 } };
  const patch = { guards: { maxSize: 2 } };
  for (const maxSize of [500, 2]) {
    const effective = { guards: { ...defaults.guards, maxSize } };
    const told = differences(draftOf(patch, { effective: {}, defaults }), effective, GROUPING);
    expect(triedWords(told)).toMatch(/: 2$/);
  }
});

test('the numbers of a trial are compared', () => {
  expect(compared(trialOf({})).map((one) => [one.words, one.before, one.after, signed(one)])).toEqual([
    ['Groups of 2 or more events', 22, 24, '+2'],
    ['Events in groups', 247, 240, '−7'],
    ['Events in the largest group', 62, 62, 'no change'],
    ['Ungrouped events', 109, 116, '+7'],
  ]);
  expect(compared(trialOf({ before: null }))).toEqual([]);
});

test.each([
  [{}, '22 groups → 24; 3 groups would change.'],
  [{ changed: 0 }, 'No groups would change.'],
  [{ before: trialOf({}).after, changed: 1 }, 'Still 24 groups; 1 group would change.'],
  [{ after: null }, ''],
] as [Partial<TrialData>, string][])('what a trial comes to: %j', (given, expected) => {
  expect(verdictOfTrial(trialOf(given))).toBe(expected);
});

test.each([
  [{ kept: 1, lost: 0 }, 'The group with a confirmed root cause or events would not change.'],
  [{ kept: 4, lost: 0 }, 'All 4 groups with a confirmed root cause or events would stay the same.'],
  [{ kept: 3, lost: 2 }, '2 of 5 groups with a confirmed root cause or events would change.'],
  [{ kept: 0, lost: 0 }, "No confirmed groups in this period, so the simulation can't tell better from worse."],
])('groups that people confirmed: %j', (verdicts, expected) => {
  expect(keptWords(trialOf({ verdicts }))).toBe(expected);
});

const group = (size: number) => ({ correlationId: 'COR-1', size });
test.each([
  [[group(11)], [group(7), group(2), group(2)], '11 events → 7 + 2 + 2'],
  [[group(5), group(3)], [group(8)], '5 + 3 events → 8'],
  [[], [group(2)], '2 events, currently ungrouped'],
  [[group(2)], [], '2 events, would be ungrouped'],
])('sizes of a change', (before, after, expected) => {
  expect(sizeWords({ kind: 'split', before, after, titles: [] })).toBe(expected);
});
