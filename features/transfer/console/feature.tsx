import type { ConsoleFeature } from '#console/slots/feature.ts';

export const transfer: ConsoleFeature = {
  id: 'transfer',
  pages: [
    {
      path: '/import',
      needs: 'cmdb.write',
      load: () => import('./import-page.tsx'),
      component: 'ImportPage',
    },
  ],
  navigation: [{ place: 55, to: '/import', words: 'Import', icon: 'import', needs: 'cmdb.write' }],
};
