import { mayGrant } from '#domain/access/grant.ts';
import { type Permission, ROLES, type Role } from '#domain/access/permissions.ts';

const WORDS: Readonly<Record<Role, string>> = {
  viewer: 'looks at everything',
  operator: 'works with events and groups',
  editor: 'also changes CIs and services',
  admin: 'all of this tenant',
  ingest: 'sends events, sees nothing',
  'platform-admin': 'all tenants',
};

/** The roles that a person may give, the least first, with what they are for. */
export const rolesToGive = (own: readonly Permission[]): { readonly value: Role; readonly label: string }[] => {
  const permissions = new Set(own);
  return ROLES.filter((role) => mayGrant(permissions, { role, scopes: [] })).map((value) => ({
    value,
    label: `${value}: ${WORDS[value]}`,
  }));
};
