import type { ConsoleFeature } from '#console/slots/feature.ts';
import { later } from '#console/slots/later.ts';

export const transfer: ConsoleFeature = {
  id: 'transfer',
  pages: [{ path: '/import', needs: 'cmdb.write', load: () => import('./import-page.tsx'), component: 'ImportPage' }],
  navigation: [{ place: 55, to: '/import', words: 'Import', also: 'csv upload', icon: 'import', needs: 'cmdb.write' }],
  startCards: [
    {
      id: 'import',
      place: 20,
      isFor: ({ permissions }) => permissions.includes('cmdb.write'),
      Part: later(() => import('./known-card.tsx'), 'KnownCard'),
    },
  ],
};
