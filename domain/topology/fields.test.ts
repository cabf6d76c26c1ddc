import { expect, test } from '@jest/globals';
import { ownerOf } from './fields.ts';

test.each([
  [{ customFields: { owner: 'Network' }, attributes: { owner: 'Ops', team: 'B' } }, 'Network'],
  [{ customFields: {}, attributes: { owner: ['Ann', 'Bob'], team: 'B' } }, 'Ann, Bob'],
  [{ customFields: { team: 'Databases' }, attributes: {} }, 'Databases'],
  [{ customFields: {}, attributes: { owner: { name: 'x' }, team: '' } }, null],
])('the owner of a CI with %j is %s', (fields, expected) => {
  expect(ownerOf(fields)).toBe(expected);
});
