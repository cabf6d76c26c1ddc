import type { ConsoleFeature } from '#console/slots/feature.ts';

export const reports: ConsoleFeature = {
  id: 'reports',
  pages: [
    {
      path: '/reports',
      needs: 'reports.read',
      load: () => import('./reports-page.tsx'),
      component: 'ReportsPage',
    },
  ],
  navigation: [
    {
      place: 45,
      to: '/reports',
      words: 'Reports',
      also: 'handover schedules pdf',
      icon: 'reports',
      needs: 'reports.read',
      key: 'r',
    },
  ],
};
