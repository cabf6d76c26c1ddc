import { expect, test } from '@jest/globals';
import { Fault } from '#domain/fault.ts';
import { faultOf } from './refuse.ts';

test.each([
  ['precondition', true, 'precondition'],
  ['precondition', false, 'unavailable'],
  ['conflict', false, 'conflict'],
] as const)('a Fault %s, If-Match sent: %s, is told as %s', (kind, hasNamedRevision, told) => {
  expect(faultOf(new Fault(kind, 'no'), hasNamedRevision)).toMatchObject({ kind: told });
});

test('an error is told without its message', () => {
  expect(faultOf(new Error('secret'), false)).toMatchObject({
    kind: 'internal',
    message: 'An unexpected error occurred',
  });
});
