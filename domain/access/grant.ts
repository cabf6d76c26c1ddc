import { type Permission, ROLE_PERMISSIONS, type Role } from './permissions.ts';

/** A right holds either a role or a list of scopes. */
export interface Right {
  readonly role: Role | null;
  readonly scopes: readonly Permission[];
}

export const permissionsOf = (right: Right): readonly Permission[] =>
  right.role === null ? right.scopes : ROLE_PERMISSIONS[right.role];

/** No user grants or revokes a right that exceeds the user's own. */
export const mayGrant = (own: ReadonlySet<Permission>, right: Right): boolean =>
  permissionsOf(right).every((permission) => own.has(permission));

/** Permissions of a monitor that sends events and reads nothing. */
export const FEED: readonly Permission[] = ROLE_PERMISSIONS.ingest;
export const isIngestOnly = (right: Right): boolean =>
  permissionsOf(right).every((permission) => FEED.includes(permission));

/** True for a role that can restore access for others; each tenant must retain one active user with such a role. */
export const administers = (role: Role): boolean => ROLE_PERMISSIONS[role].includes('users.manage');
