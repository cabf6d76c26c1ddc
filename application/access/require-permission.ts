import type { UseCaseContext } from '#application/access/context.ts';
import type { Permission } from '#domain/access/permissions.ts';
import { Fault } from '#domain/fault.ts';

/** For what an endpoint needs beside its own permission. Throws Fault `forbidden`. */
export const requirePermission = ({ caller }: Pick<UseCaseContext, 'caller'>, permission: Permission): void => {
  if (!caller.permissions.has(permission)) throw new Fault('forbidden', `This needs the permission ${permission}`);
};
