import type { UseCaseContext } from '#application/access/context.ts';

/** Whether the caller may see what concerns all tenants. */
export const isPlatformAdmin = ({ caller }: Pick<UseCaseContext, 'caller'>): boolean =>
  caller.permissions.has('tenants.manage');
