import { describe, expect, test } from '@jest/globals';
import { administers, mayGrant, permissionsOf } from './grant.ts';
import { passwordProblem } from './password.ts';
import { ROLE_PERMISSIONS, ROLES } from './permissions.ts';
import { isTenantId, USERNAME, usernameOf } from './tenant.ts';

describe('tenant ids', () => {
  test.each(['default', 'a', '0', 'acme-eu', 'a'.repeat(63)])('%p is one', (id) => expect(isTenantId(id)).toBe(true));
  test.each(['', '-a', 'A', 'a_b', '_system', 'a.b', 'a'.repeat(64), 'a\n'])('%p is none', (id) =>
    expect(isTenantId(id)).toBe(false),
  );
});

describe('user names', () => {
  test.each(['admin', 'Eva.Maier@example.com', 'u1'])('%p is one', (name) => expect(USERNAME.test(name)).toBe(true));
  test.each(['', ' admin', '.x', 'a b', 'a'.repeat(65)])('%p is none', (name) =>
    expect(USERNAME.test(name)).toBe(false),
  );
});

test.each([
  ['Eva.Maier@example.com', 'Eva.Maier@example.com'],
  ["'o'hara@example.com", 'ohara@example.com'],
  [`--${'a'.repeat(80)}@example.com`, 'a'.repeat(64)],
])('the user name of %p is %p', (mail, name) => {
  expect(usernameOf(mail)).toBe(name);
  expect(USERNAME.test(name)).toBe(true);
});

describe('passwords', () => {
  test.each([
    ['a'.repeat(11), /at least 12/],
    ['é'.repeat(11), /at least 12/],
    ['😀'.repeat(11), /at least 12/],
    ['a'.repeat(257), /at most 256/],
  ])('%p is refused', (password, reason) => expect(passwordProblem(password)).toMatch(reason));
  test.each(['a'.repeat(12), 'a'.repeat(256)])('a password of good length is accepted', (password) =>
    expect(passwordProblem(password)).toBeNull(),
  );
});

describe('granting', () => {
  const rank: Record<string, readonly string[]> = {
    viewer: ['viewer'],
    operator: ['viewer', 'operator'],
    editor: ['viewer', 'operator', 'editor'],
    admin: ['viewer', 'operator', 'editor', 'admin', 'ingest'],
    ingest: ['ingest'],
    'platform-admin': ROLES,
  };
  const cells = ROLES.flatMap((own) => ROLES.map((given) => [own, given, rank[own]!.includes(given)] as const));
  test.each(cells)('%s may give %s: %p', (own, given, allowed) =>
    expect(mayGrant(new Set(ROLE_PERMISSIONS[own]), { role: given, scopes: [] })).toBe(allowed),
  );

  test('scopes never exceed the own permissions', () => {
    const own = new Set(ROLE_PERMISSIONS.operator);
    expect(mayGrant(own, { role: null, scopes: ['events.read', 'events.write'] })).toBe(true);
    expect(mayGrant(own, { role: null, scopes: ['events.read', 'cmdb.write'] })).toBe(false);
  });

  test('a role outweighs scopes', () => {
    expect(permissionsOf({ role: 'ingest', scopes: ['tenants.manage'] })).toEqual(ROLE_PERMISSIONS.ingest);
  });

  test('only admin and platform-admin administer', () => {
    expect(ROLES.filter(administers)).toEqual(['admin', 'platform-admin']);
  });
});
