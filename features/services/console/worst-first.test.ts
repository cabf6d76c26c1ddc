import { expect, test } from '@jest/globals';
import type { ServiceData } from './api.ts';
import { groupsOf, healthWords, hitByWords, worstFirst } from './worst-first.ts';

const service = (name: string, status: string, score: number, criticality = 'medium'): ServiceData =>
  ({ name, criticality, health: { status, score } }) as unknown as ServiceData;

const ALL = [
  service('well', 'healthy', 100),
  service('late', 'degraded', 60, 'low'),
  service('down', 'critical', 10),
  service('empty', 'unknown', 100),
  service('slow', 'degraded', 60, 'critical'),
];

test('the worst service comes first, of equal ones the most important', () => {
  expect(worstFirst(ALL).map(({ name }) => name)).toEqual(['down', 'slow', 'late', 'empty', 'well']);
  expect(healthWords(ALL)).toBe('1 critical, 2 degraded, 1 unknown, 1 healthy');
});

test('groups are counted by the names of services that they affect now', () => {
  const hit = (...names: string[]) => ({ servicesHit: { count: names.length, names } });
  expect(groupsOf('down', [hit('down', 'late'), hit('late'), hit()])).toHaveLength(1);
});

test.each([
  [[], ''],
  [['active'], '1 open problem'],
  [['acknowledged'], '1 acknowledged problem'],
  [['active', 'acknowledged', 'active'], '2 open problems, 1 acknowledged'],
] as const)('groups that are %j: %s', (statuses, expected) => {
  expect(hitByWords(statuses.map((status) => ({ status })))).toBe(expected);
});
