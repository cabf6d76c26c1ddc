import { expect, test } from '@jest/globals';
import type { ServiceData } from './api.ts';
import { componentOf, draftOfService, NEW_SERVICE, serviceBodyOf, withComponents } from './service-draft.ts';

const service: ServiceData = {
  id: 's1',
  name: 'Shop',
  description: 'Sells',
  criticality: 'high',
  sla: { availability: '99.9%' },
  components: [
    { ci_id: 'c1', role: 'component' },
    { ci_id: 'c2', role: 'database', redundancy_group: 'db', redundancy_required: 1 },
  ],
  health: { status: 'healthy', score: 100 },
  created_at: '2026-11-01T00:00:00.000Z',
  updated_at: '2026-11-01T00:00:00.000Z',
  created_by: 'ann',
  updated_by: 'ann',
};

test('an unchanged service is sent as it was', () => {
  const { name, description, criticality, sla, components } = service;
  const draft = draftOfService(service, new Map([['c1', 'web-1']]));
  expect(draft.components.map((one) => one.name)).toEqual(['web-1', 'c2']);
  expect(serviceBodyOf(draft)).toEqual({ name, description, criticality, sla, components });
});

test('a CI is a component once', () => {
  const draft = withComponents(NEW_SERVICE, [componentOf('c1', 'web-1')]);
  expect(withComponents(draft, [componentOf('c1', 'web-1'), componentOf('c2', 'db-1')]).components).toHaveLength(2);
});
