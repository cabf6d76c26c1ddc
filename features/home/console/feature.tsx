import type { ConsoleFeature } from '#console/slots/feature.ts';
import { VisitWatch } from './visits.tsx';

export const home: ConsoleFeature = {
  id: 'home',
  pages: [{ path: '/home', needs: 'events.read', load: () => import('./home-page.tsx'), component: 'HomePage' }],
  navigation: [
    { place: 5, to: '/home', words: 'Home', also: 'overview dashboard', icon: 'home', needs: 'events.read', key: 'h' },
  ],
  headerParts: [{ id: 'visits', Part: VisitWatch }],
};
