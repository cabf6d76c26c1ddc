import { expect, test } from '@jest/globals';
import type { Severity } from '#domain/event/event.ts';
import { impactOn } from './business-impact.ts';
import type { Criticality, Service } from './service.ts';

const service = (id: string, criticality: Criticality) => ({ id, name: `${id} name`, criticality }) as Service;

test.each<[Severity, Criticality[], string]>([
  ['critical', ['critical'], 'critical'],
  ['major', ['medium', 'high'], 'high'],
  ['minor', ['critical'], 'high'],
  ['warning', ['high'], 'low'],
  ['info', ['critical', 'low'], 'low'],
  ['info', ['low'], 'low'],
])('a %s event on components of %j services', (severity, criticalities, level) => {
  const services = criticalities.map((criticality, i) => service(`s${i}`, criticality));
  expect(impactOn(severity, services)).toEqual({
    level,
    affectedServices: services.map(({ id, name, criticality }) => ({ id, name, criticality })),
    affectedUsers: null,
  });
});
