import type { ServiceShown } from '#console/api/cmdb/services.ts';
import type { GroupRow } from '#console/api/groups.ts';

const HEALTHS = ['critical', 'degraded', 'unknown', 'healthy'] as const;
const IMPORTANCE = ['critical', 'high', 'medium', 'low'];

/** The worst first; of equal ones the most important. */
export const worstFirst = (services: readonly ServiceShown[]): ServiceShown[] =>
  services.toSorted(
    (a, b) =>
      HEALTHS.indexOf(a.health.status) - HEALTHS.indexOf(b.health.status) ||
      a.health.score - b.health.score ||
      IMPORTANCE.indexOf(a.criticality) - IMPORTANCE.indexOf(b.criticality) ||
      a.name.localeCompare(b.name, 'en'),
  );

/** How many groups hit the service: their cause takes it down, or an event names it. */
export const groupsOf = (name: string, groups: readonly Pick<GroupRow, 'services' | 'servicesHit'>[]): number =>
  groups.filter(({ services, servicesHit }) => [...servicesHit.names, ...services.names].includes(name)).length;

/** `2 critical, 1 degraded, 4 healthy`. */
export const healthWords = (services: readonly ServiceShown[]): string =>
  HEALTHS.flatMap((status) => {
    const found = services.filter(({ health }) => health.status === status).length;
    return found === 0 ? [] : [`${found} ${status === 'unknown' ? 'not known' : status}`];
  }).join(', ');
