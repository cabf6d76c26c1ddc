import type { ConsoleFeature } from '#console/slots/feature.ts';
import { later } from '#console/slots/later.ts';

export const demo: ConsoleFeature = {
  id: 'demo',
  startCards: [
    {
      id: 'demo',
      place: 5,
      isFor: ({ permissions, features }) => permissions.includes('tenants.manage') && features.demo,
      Part: later(() => import('./demo-card.tsx'), 'DemoCard'),
    },
  ],
  visitedTenants: [
    {
      id: 'demo',
      isOf: (tenant) => tenant.startsWith('demo'),
      words: 'Demo tenant: 12 hours of events from a small company.',
      Part: later(() => import('./delete-demo.tsx'), 'DeleteDemo'),
    },
  ],
};
