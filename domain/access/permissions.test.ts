import { describe, expect, test } from '@jest/globals';
import { PERMISSIONS, type Permission, ROLE_PERMISSIONS, ROLES, type Role } from './permissions.ts';

/** One row per permission; columns in the order of ROLES: viewer, operator, editor, admin, ingest, platform-admin. */
const TABLE: Readonly<Record<Permission, string>> = {
  'events.read': 'x x x x - x',
  'events.ingest': '- x x x x x',
  'events.webhook': '- - - x x x',
  'events.write': '- x x x - x',
  'events.correlate': '- x x x - x',
  'alertmanager.read': 'x x x x - x',
  'alertmanager.write': '- - - x x x',
  'alertmanager.silences': '- x x x - x',
  'cmdb.read': 'x x x x - x',
  'cmdb.write': '- - x x - x',
  'discovery.read': 'x x x x - x',
  'discovery.submit': '- - x x - x',
  'discovery.manage': '- - x x - x',
  'services.read': 'x x x x - x',
  'services.write': '- - x x - x',
  'reports.read': 'x x x x - x',
  'reports.write': '- x x x - x',
  'ai.use': '- x x x - x',
  'webhooks.manage': '- - - x - x',
  'users.manage': '- - - x - x',
  'tokens.manage': '- - - x - x',
  'settings.read': 'x x x x - x',
  'settings.manage': '- - - x - x',
  'audit.read': '- - - x - x',
  'pipeline.read': '- - - x - x',
  'pipeline.manage': '- - - x - x',
  'debug.read': '- - - x - x',
  'tenants.manage': '- - - - - x',
};

const cells = PERMISSIONS.flatMap((permission) =>
  ROLES.map((role, column): [Role, Permission, boolean] => [
    role,
    permission,
    TABLE[permission].split(' ')[column] === 'x',
  ]),
);

describe('role × permission', () => {
  test.each(cells)('%s has %s: %p', (role, permission, has) =>
    expect(ROLE_PERMISSIONS[role].includes(permission)).toBe(has),
  );

  test.each(ROLES)('%s names no permission twice', (role) => {
    expect(new Set(ROLE_PERMISSIONS[role]).size).toBe(ROLE_PERMISSIONS[role].length);
  });
});
