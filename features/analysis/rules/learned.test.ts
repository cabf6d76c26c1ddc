import { expect, test } from '@jest/globals';
import type { CauseLesson } from '#domain/correlation/root-cause/cause-lesson.ts';
import { sampleEvent } from '#test/contract/samples.ts';
import { learnedCause } from './learned.ts';

const evicted = sampleEvent(1, { title: 'ORA-29740: instance evicted from cluster' });
const port = sampleEvent(2, { title: 'Interface Ethernet1/2 err-disabled' });
const slow = sampleEvent(3, { title: 'Response time above 5 s' });
const lesson = (groupId: string, scoredKind: string, rootKind: string): CauseLesson => ({
  signature: groupId,
  by: 'Ann',
  at: 0,
  groupId,
  note: null,
  rootTitle: '',
  rootSubject: '',
  rootKind,
  scoredKind,
});
const suspects = [evicted, port, slow];

test('the kind that users set where the score had that of the candidate is learned', () => {
  const lessons = [lesson('G1', 'evicted', 'port_disabled'), lesson('G1', 'evicted', 'port_disabled')];
  expect(learnedCause(evicted, suspects, lessons)).toEqual({ event: port, verdicts: 1 });
});

test.each([
  ['no verdict', []],
  ['a verdict on other kinds', [lesson('G1', 'slow', 'port_disabled')]],
  [
    'as many that say the opposite',
    [lesson('G1', 'evicted', 'port_disabled'), lesson('G2', 'port_disabled', 'evicted')],
  ],
  [
    'as many that confirm the candidate',
    [lesson('G1', 'evicted', 'port_disabled'), lesson('G2', 'evicted', 'evicted')],
  ],
])('nothing by %s', (_, lessons) => expect(learnedCause(evicted, suspects, lessons)).toBeNull());
