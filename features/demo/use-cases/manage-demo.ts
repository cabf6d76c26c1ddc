import type { UseCaseContext } from '#application/access/context.ts';
import { deleteTenant } from '#application/tenants/delete-tenant.ts';
import { createTenant, findTenant } from '#application/tenants/tenants.ts';
import { stateOf } from '#domain/access/tenant-state.ts';
import { isOvertaken, notFound } from '#domain/fault.ts';
import { type Demo, dropDemo, putDemo, storedDemo } from './demo-record.ts';

const NAME = 'Demo';

/** Null when there is none, or its tenant was deleted otherwise. */
export const showDemo = async (context: UseCaseContext): Promise<Demo | null> => {
  const stored = await storedDemo(context.ports);
  if (stored === null) return null;
  const { body } = await findTenant(context, stored.body.tenant);
  return stateOf(body) === 'active' ? stored.body : null;
};

/** A failed one is replaced; else the existing one stays. */
export const startDemo = async (context: UseCaseContext): Promise<Demo> => {
  const { ports } = context;
  const known = await showDemo(context);
  if (known !== null && known.state !== 'failed') return known;
  if (known !== null) await deleteTenant(context, known.tenant);
  const revision = (await storedDemo(ports))?.revision ?? 0;
  const tenant = `demo-${ports.ids.ulid().slice(-8).toLowerCase()}`;
  const demo: Demo = { tenant, state: 'waiting', sent: 0, total: 0 };
  await createTenant(context, { id: tenant, name: NAME });
  try {
    await putDemo(ports, demo, revision);
  } catch (error) {
    if (!isOvertaken(error)) throw error;
    // A concurrent caller was faster: theirs is the demo.
    await deleteTenant(context, tenant);
    return startDemo(context);
  }
  return demo;
};

/** Deletes its tenant; a running load stops. Throws Fault `not-found` when there is none. */
export const removeDemo = async (context: UseCaseContext): Promise<Demo> => {
  const known = await showDemo(context);
  if (known === null) throw notFound('Demo', 'current');
  await deleteTenant(context, known.tenant);
  await dropDemo(context.ports);
  return known;
};
