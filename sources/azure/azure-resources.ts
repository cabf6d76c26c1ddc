import { withoutTrailing } from '#domain/text.ts';

/** Targets of ARM ids: resources, parts of resources, and stores that hold the data of many machines. */

/** Targets that hold the data of many machines. */
const COLLECTIONS = /\/providers\/microsoft\.(?:operationalinsights|insights|monitor)\//i;
const SCALE_SET_INSTANCE = /\/virtualmachinescalesets\/[^/]+\/virtualmachines\/[^/]+\/?$/i;

export const isCollection = (id: string): boolean => COLLECTIONS.test(id);

/** ARM ids that name one resource: not a subscription, a resource group or a workspace. */
export const isResource = (id: string): boolean => /\/providers\//i.test(id) && !isCollection(id);

export const lastPart = (id: string): string => withoutTrailing(id, '/').split('/').at(-1) ?? id;

/**
 * Returns the resource and its parts: behind the provider, types and names alternate. An extension of a resource is
 * none of its parts.
 */
function namesOf(id: string): string[] {
  const [, path = ''] = id.split(/\/providers\//i, 2);
  const [, ...parts] = withoutTrailing(path, '/').split('/');
  return parts.filter((_, index) => index % 2 === 1);
}

/**
 * Returns the name of an ARM id's resource, unique within its group: `vm-1`, `server/database`, and `set_0` as Azure
 * names instances of scale sets. A part called `default` is the only one of its kind.
 */
export function resourceName(id: string): string {
  if (!id.startsWith('/')) return id;
  const names = namesOf(id).filter((name) => name.toLowerCase() !== 'default');
  return names.join(SCALE_SET_INSTANCE.test(id) ? '_' : '/') || lastPart(id);
}

/** A configuration item; Azure may send the last part of a target's name only. */
export function itemName(item: string, targets: readonly string[]): string {
  if (item.startsWith('/')) return resourceName(item);
  const isMeant = (id: string) => isResource(id) && lastPart(id).toLowerCase() === item.toLowerCase();
  const target = targets.find(isMeant);
  return target !== undefined && namesOf(target).length > 1 ? resourceName(target) : item;
}
