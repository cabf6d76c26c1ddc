import type { ConsoleFeature } from '#console/slots/feature.ts';

export const landscape: ConsoleFeature = {
  id: 'landscape',
  pages: [
    { path: '/landscape', needs: 'cmdb.read', load: () => import('./landscape-page.tsx'), component: 'LandscapePage' },
  ],
  navigation: [{ place: 35, to: '/landscape', words: 'Landscape', icon: 'landscape', needs: 'cmdb.read', key: 'l' }],
};
