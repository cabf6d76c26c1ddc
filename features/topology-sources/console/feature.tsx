import type { ConsoleFeature } from '#console/slots/feature.ts';
import { later } from '#console/slots/later.ts';
import { type AlertKindData, alertKindsQuery, sourcesQuery, type TopologySourceData } from './api.ts';

export const topologySources: ConsoleFeature = {
  id: 'topology-sources',
  pages: [
    {
      path: '/topology-sources/$name',
      needs: 'cmdb.read',
      load: () => import('./topology-source-page.tsx'),
      component: 'TopologySourcePage',
    },
  ],
  pageTabs: [
    {
      id: 'topology',
      page: '/sources',
      place: 20,
      words: 'Topology',
      count: (call) => ({ ...sourcesQuery(call), select: (found) => (found as readonly TopologySourceData[]).length }),
      Part: later(() => import('./topology-tab.tsx'), 'TopologyTab'),
    },
    {
      id: 'alerts',
      page: '/sources',
      place: 30,
      words: 'Alert kinds',
      count: (call) => ({
        ...alertKindsQuery(call),
        select: (found) => (found as { readonly alerts: readonly AlertKindData[] }).alerts.length,
      }),
      Part: later(() => import('./alert-kinds-tab.tsx'), 'AlertKindsTab'),
    },
  ],
  startCards: [
    {
      id: 'prometheus',
      place: 15,
      isFor: ({ permissions }) => permissions.includes('settings.manage') && permissions.includes('cmdb.read'),
      Part: later(() => import('./prometheus-card.tsx'), 'PrometheusCard'),
    },
  ],
};
