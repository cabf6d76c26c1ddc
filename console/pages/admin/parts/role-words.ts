import { mayGrant } from '#domain/access/grant.ts';
import { type Permission, ROLES, type Role } from '#domain/access/permissions.ts';

const WORDS: Readonly<Record<Role, string>> = {
  viewer: 'read-only access',
  operator: 'manages events and groups',
  editor: 'also edits CIs and services',
  admin: 'full access to this tenant',
  ingest: 'sends events only',
  'platform-admin': 'full access to all tenants',
};

/** Returns the roles that a user may assign, the least first, with their purposes. */
export const rolesToGive = (own: readonly Permission[]): { readonly value: Role; readonly label: string }[] => {
  const permissions = new Set(own);
  return ROLES.filter((role) => mayGrant(permissions, { role, scopes: [] })).map((value) => ({
    value,
    label: `${value}: ${WORDS[value]}`,
  }));
};
