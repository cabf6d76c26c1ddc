import type { ConsoleFeature } from '#console/slots/feature.ts';
import { later } from '#console/slots/later.ts';

export const services: ConsoleFeature = {
  id: 'services',
  pages: [
    {
      path: '/services',
      needs: 'services.read',
      load: () => import('./services-page.tsx'),
      component: 'ServicesPage',
    },
    {
      path: '/services/$id',
      needs: 'services.read',
      load: () => import('./service-page.tsx'),
      component: 'ServicePage',
    },
  ],
  navigation: [
    {
      place: 42,
      to: '/services',
      words: 'Services',
      also: 'business health availability',
      icon: 'services',
      needs: 'services.read',
      key: 's',
    },
  ],
  wallParts: [{ id: 'services', Part: later(() => import('./wallboard-services.tsx'), 'WallServices') }],
};
