import { expect, test } from '@jest/globals';
import { signInRefusal, singleSignOnUrl } from './single-sign-on.ts';

test('single sign-on leads back to the page, also below a path of a proxy', () => {
  expect(singleSignOnUrl('https://ops.example/faultline/', 'https://ops.example/faultline/ui/groups?a=1')).toBe(
    'https://ops.example/faultline/api/auth/oidc/start?return_to=%2Fui%2Fgroups%3Fa%3D1',
  );
});

test.each([
  ['', undefined],
  ['?sign_in=unassigned', /no access/],
  ['?sign_in=disabled', /disabled/],
  ['?sign_in=taken', /local user/],
  ['?sign_in=<b>', /didn't succeed/],
])('the outcome in %s is told', (search, words) => {
  const told = signInRefusal(search);
  if (words === undefined) expect(told).toBeUndefined();
  else expect(told).toMatch(words);
});
