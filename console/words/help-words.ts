import type { Permission } from '#domain/access/permissions.ts';

const MOST_NAMED = 3;

/** The people who can give another role, by name as far as they are known. */
export const helpWords = (needs: Permission | undefined, administrators: readonly string[], tenant: string): string => {
  if (needs === 'tenants.manage') return 'Only administrators of the whole platform have it.';
  const named = administrators.slice(0, MOST_NAMED);
  if (named.length === 0) return `An administrator of ${tenant} can give you another one.`;
  const all = named.length < administrators.length ? [...named, `another administrator of ${tenant}`] : named;
  const last = all.at(-1);
  return `${all.length === 1 ? last : `${all.slice(0, -1).join(', ')} or ${last}`} can give you another one.`;
};
