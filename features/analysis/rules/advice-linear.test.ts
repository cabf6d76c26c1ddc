import { expect, test } from '@jest/globals';
import { complaintKindOf } from '#domain/event/complaints/kind.ts';
import { slowOnes } from '#test/conventions/hostile.ts';
import { adviceFor } from './actions.ts';

test('no title takes long to find advice for', () => {
  const advise = (text: string) =>
    adviceFor(
      { title: text, complaint: { kind: 'unknown', known: null }, kind: complaintKindOf({ title: text }) },
      'alone',
    );
  expect(slowOnes('adviceFor', advise)).toEqual([]);
});
