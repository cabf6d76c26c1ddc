import type { Permission } from '#domain/access/permissions.ts';

const MAX_NAMED = 3;

/** The users who can assign another role, by name as far as they are known. */
export const helpWords = (needs: Permission | undefined, administrators: readonly string[], tenant: string): string => {
  if (needs === 'tenants.manage') return 'Only platform administrators have this permission.';
  const named = administrators.slice(0, MAX_NAMED);
  if (named.length === 0) return `Ask an administrator of ${tenant} for a different role.`;
  const all = named.length < administrators.length ? [...named, `another administrator of ${tenant}`] : named;
  const last = all.at(-1);
  return `Ask ${all.length === 1 ? last : `${all.slice(0, -1).join(', ')} or ${last}`} for a different role.`;
};
