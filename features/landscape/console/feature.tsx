import type { ConsoleFeature } from '#console/slots/feature.ts';
import { later } from '#console/slots/later.ts';

export const landscape: ConsoleFeature = {
  id: 'landscape',
  pages: [
    { path: '/landscape', needs: 'cmdb.read', load: () => import('./landscape-page.tsx'), component: 'LandscapePage' },
  ],
  mapStarts: [{ id: 'worst-cis', Part: later(() => import('./worst-cis.tsx'), 'WorstCis') }],
  navigation: [{ place: 35, to: '/landscape', words: 'Landscape', icon: 'landscape', needs: 'cmdb.read', key: 'l' }],
};
