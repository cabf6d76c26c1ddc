import { expect, test } from '@jest/globals';
import { helpWords } from './help-words.ts';

test.each([
  [[], 'An administrator of acme can give you another one.'],
  [['Ada'], 'Ada can give you another one.'],
  [['Ada', 'Bob'], 'Ada or Bob can give you another one.'],
  [['Ada', 'Bob', 'Cy'], 'Ada, Bob or Cy can give you another one.'],
  [['Ada', 'Bob', 'Cy', 'Di'], 'Ada, Bob, Cy or another administrator of acme can give you another one.'],
])('of the administrators %j: "%s"', (administrators, said) => {
  expect(helpWords('pipeline.read', administrators, 'acme')).toBe(said);
});

test('nobody of a tenant can give what is of the platform', () => {
  expect(helpWords('tenants.manage', ['Ada'], 'acme')).toBe('Only administrators of the whole platform have it.');
});
