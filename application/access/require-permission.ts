import type { UseCaseContext } from '#application/access/context.ts';
import type { Permission } from '#domain/access/permissions.ts';
import { Fault } from '#domain/fault.ts';

/** Checks a permission beyond the endpoint's own. Throws Fault `forbidden`. */
export const requirePermission = ({ caller }: Pick<UseCaseContext, 'caller'>, permission: Permission): void => {
  if (!caller.permissions.has(permission)) throw new Fault('forbidden', `Requires permission ${permission}`);
};
