import { expect, test } from '@jest/globals';
import type { Fault } from '#domain/fault.ts';
import { requireMatch } from './if-match.ts';

test.each([
  ['absent', null],
  ['the revision', '"3"'],
  ['any', '*'],
  ['one of several', '"1", "3"'],
  ['weak', 'W/"3"'],
])('If-Match lets through: %s', (_name, header) => {
  expect(() => requireMatch(header, 3)).not.toThrow();
});

test.each([
  ['another revision', '"2"'],
  ['without quotes', '3'],
  ['empty', ''],
  ['nothing that is a revision', '"x"'],
])('If-Match refuses: %s', (_name, header) => {
  expect(() => requireMatch(header, 3)).toThrow(expect.objectContaining({ kind: 'precondition' }) as unknown as Fault);
});
