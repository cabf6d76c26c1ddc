import type { Context } from '#api/endpoint.ts';

/** Whether the caller may see what concerns all tenants. */
export const isPlatformAdmin = ({ caller }: Pick<Context, 'caller'>): boolean =>
  caller.permissions.has('tenants.manage');
