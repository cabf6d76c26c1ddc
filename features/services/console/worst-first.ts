import type { GroupRow } from '#console/api/groups.ts';
import { count, number } from '#console/text/counts.ts';
import type { ServiceData } from './api.ts';

const HEALTHS = ['critical', 'degraded', 'unknown', 'healthy'] as const;
const IMPORTANCE = ['critical', 'high', 'medium', 'low'];

/** The worst first; of equal ones the most important. */
export const worstFirst = (services: readonly ServiceData[]): ServiceData[] =>
  services.toSorted(
    (a, b) =>
      HEALTHS.indexOf(a.health.status) - HEALTHS.indexOf(b.health.status) ||
      a.health.score - b.health.score ||
      IMPORTANCE.indexOf(a.criticality) - IMPORTANCE.indexOf(b.criticality) ||
      a.name.localeCompare(b.name, 'en'),
  );

type Hits = Pick<GroupRow, 'services' | 'servicesHit' | 'status'>;

/** Returns groups that affect the service: their cause stops it, or an event names it. */
export const groupsOf = <Row extends Hits>(name: string, groups: readonly Row[]): Row[] =>
  groups.filter(({ services, servicesHit }) => [...servicesHit.names, ...services.names].includes(name));

/** `2 open groups, 1 acknowledged`; empty when none does. */
export const hitByWords = (groups: readonly Pick<GroupRow, 'status'>[]): string => {
  const acknowledged = groups.filter(({ status }) => status === 'acknowledged').length;
  const open = groups.length - acknowledged;
  if (open === 0) return acknowledged === 0 ? '' : count(acknowledged, 'acknowledged group');
  return `${count(open, 'open group')}${acknowledged === 0 ? '' : `, ${number(acknowledged)} acknowledged`}`;
};

/** `2 critical, 1 degraded, 4 healthy`. */
export const healthWords = (services: readonly ServiceData[]): string =>
  HEALTHS.flatMap((status) => {
    const found = services.filter(({ health }) => health.status === status).length;
    return found === 0 ? [] : [`${found} ${status}`];
  }).join(', ');
