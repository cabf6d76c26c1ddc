import { expect, test } from '@jest/globals';
import { helpWords } from './help-text.ts';

test.each([
  [[], 'Ask an administrator of acme for a different role.'],
  [['Ada'], 'Ask Ada for a different role.'],
  [['Ada', 'Bob'], 'Ask Ada or Bob for a different role.'],
  [['Ada', 'Bob', 'Cy'], 'Ask Ada, Bob or Cy for a different role.'],
  [['Ada', 'Bob', 'Cy', 'Di'], 'Ask Ada, Bob, Cy or another administrator of acme for a different role.'],
])('of the administrators %j: "%s"', (administrators, said) => {
  expect(helpWords('pipeline.read', administrators, 'acme')).toBe(said);
});

test('nobody of a tenant can give what is of the platform', () => {
  expect(helpWords('tenants.manage', ['Ada'], 'acme')).toBe('Only platform administrators have this permission.');
});
