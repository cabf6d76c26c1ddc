import { expect, test } from '@jest/globals';
import { delimiterOf } from './delimiter.ts';

test.each([
  ['name,type', ','],
  ['name;type', ';'],
  ['name\ttype', '\t'],
  ['"a, b, c";type', ';'],
  ['name', ','],
])('%j is separated by %j', (header, delimiter) => expect(delimiterOf(header)).toBe(delimiter));
