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

/** Returns groups and ungrouped events that affect the service now. */
export const groupsOf = <Row extends Pick<GroupRow, 'servicesHit'>>(name: string, groups: readonly Row[]): Row[] =>
  groups.filter(({ servicesHit }) => servicesHit.names.includes(name));

/** `2 open problems, 1 acknowledged`; empty when none affects it. */
export const hitByWords = (groups: readonly Pick<GroupRow, 'status'>[]): string => {
  const acknowledged = groups.filter(({ status }) => status === 'acknowledged').length;
  const open = groups.length - acknowledged;
  if (open === 0) return acknowledged === 0 ? '' : count(acknowledged, 'acknowledged problem');
  return `${count(open, 'open problem')}${acknowledged === 0 ? '' : `, ${number(acknowledged)} acknowledged`}`;
};

/** `2 critical, 1 degraded, 4 healthy`. */
export const healthWords = (services: readonly ServiceData[]): string =>
  HEALTHS.flatMap((status) => {
    const found = services.filter(({ health }) => health.status === status).length;
    return found === 0 ? [] : [`${found} ${status}`];
  }).join(', ');
