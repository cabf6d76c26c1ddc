import type { ConsoleFeature } from '#console/slots/feature.ts';
import { later } from '#console/slots/later.ts';

export const discovery: ConsoleFeature = {
  id: 'discovery',
  pages: [
    {
      path: '/discovery',
      needs: 'discovery.read',
      load: () => import('./discovery-page.tsx'),
      component: 'DiscoveryPage',
      slots: ['pageTabs'],
    },
  ],
  navigation: [
    {
      place: 52,
      to: '/discovery',
      words: 'Discovery',
      also: 'scans scanner unbound hosts reviews',
      icon: 'discovery',
      needs: 'discovery.read',
    },
  ],
  ciValueParts: [{ id: 'source', Part: later(() => import('./value-source.tsx'), 'ValueSource') }],
};
