import type { ConsoleFeature } from '#console/slots/feature.ts';

export const silences: ConsoleFeature = {
  id: 'silences',
  pages: [
    {
      path: '/silences',
      needs: 'events.read',
      load: () => import('./silences-page.tsx'),
      component: 'SilencesPage',
    },
  ],
  navigation: [{ place: 25, to: '/silences', words: 'Silences', icon: 'silence', needs: 'events.read' }],
};
