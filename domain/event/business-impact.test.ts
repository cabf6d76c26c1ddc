import { describe, expect, test } from '@jest/globals';
import type { Service } from '#domain/services/service.ts';
import { besideSaid, type Criticality, impactOn } from './business-impact.ts';
import type { Severity } from './event.ts';

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

describe('what the sender says', () => {
  const found = impactOn('critical', [service('shop', 'high')]);
  const named = { ...found, affectedServices: [{ id: 'own', name: 'Own', criticality: 'low' }] };
  const said = { level: 'low', affectedServices: [], affectedUsers: '12' };

  test.each([
    ['stays, with the services of the CI', said, found, { ...said, affectedServices: found.affectedServices }],
    ['stays as it is where it names services', named, found, named],
    ['stays as it is on a CI without services', said, undefined, said],
    ['is what the CI says when it is nothing', undefined, found, found],
  ])('%s', (_what, its, ours, impact) => {
    expect(besideSaid(its, ours)).toEqual(impact);
  });
});
