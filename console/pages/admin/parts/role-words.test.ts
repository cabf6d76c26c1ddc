import { expect, test } from '@jest/globals';
import { ROLE_PERMISSIONS, type Role } from '#domain/access/permissions.ts';
import { rolesToGive } from './role-words.ts';

test.each<[Role, Role[]]>([
  ['platform-admin', ['viewer', 'operator', 'editor', 'admin', 'ingest', 'platform-admin']],
  ['admin', ['viewer', 'operator', 'editor', 'admin', 'ingest']],
  ['operator', ['viewer', 'operator']],
])('%s may give no role above the own', (own, expected) => {
  expect(rolesToGive(ROLE_PERMISSIONS[own]).map(({ value }) => value)).toEqual(expected);
});
