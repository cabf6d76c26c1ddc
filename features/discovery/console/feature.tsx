import type { ConsoleFeature } from '#console/slots/feature.ts';

export const discovery: ConsoleFeature = {
  id: 'discovery',
  pages: [
    {
      path: '/discovery',
      needs: 'discovery.read',
      load: () => import('./discovery-page.tsx'),
      component: 'DiscoveryPage',
    },
  ],
  navigation: [{ place: 52, to: '/discovery', words: 'Discovery', icon: 'discovery', needs: 'discovery.read' }],
};
