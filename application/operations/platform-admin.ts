import type { UseCaseContext } from '#application/access/context.ts';

/** True if the caller may see data of all tenants. */
export const isPlatformAdmin = ({ caller }: Pick<UseCaseContext, 'caller'>): boolean =>
  caller.permissions.has('tenants.manage');
