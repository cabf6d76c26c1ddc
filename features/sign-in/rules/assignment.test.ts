import { expect, test } from '@jest/globals';
import { assignmentFor, consolePage, type SignInSettings } from './assignment.ts';

const settings: SignInSettings = {
  rules: [
    { claim: 'groups', value: 'sre-*', role: 'operator', teams: ['SRE'] },
    { claim: 'email', value: '*@example.com', role: 'viewer', tenant: 'shop' },
  ],
  default: 'none',
};

test.each([
  [{ groups: ['dev', 'sre-eu'], email: 'a@example.com' }, 'operator'],
  [{ groups: 'sre-eu' }, 'operator'],
  [{ groups: ['dev'], email: 'a@example.com' }, 'viewer'],
  [{ groups: ['SRE-eu'] }, undefined],
  [{ groups: { name: 'sre-eu' } }, undefined],
  [{}, undefined],
])('%j has the role of the first rule that matches', (claims, role) => {
  expect(assignmentFor(settings, claims)?.role).toBe(role);
});

test('a default serves those whom no rule matches', () => {
  expect(assignmentFor({ ...settings, default: 'viewer' }, {})).toMatchObject({ role: 'viewer', rule: 'default' });
});

test.each([
  ['/ui/groups?status=open#a', '/ui/groups?status=open#a'],
  [undefined, '/ui/'],
  ['https://evil.example/ui/', '/ui/'],
  ['//evil.example/ui/', '/ui/'],
  ['/\\evil.example/ui/', '/ui/'],
  ['/ui/../api/auth', '/ui/'],
  ['/ui/%2e%2e/api', '/ui/'],
  ['/uix', '/ui/'],
  ['javascript:alert(1)', '/ui/'],
  ['/\t/evil.example', '/ui/'],
])('after the sign-in %s leads to %s', (asked, page) => {
  expect(consolePage(asked)).toBe(page);
});
