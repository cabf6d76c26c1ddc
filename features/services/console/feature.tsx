import type { ConsoleFeature } from '#console/slots/feature.ts';

export const services: ConsoleFeature = {
  id: 'services',
  pages: [
    {
      path: '/services',
      needs: 'services.read',
      load: () => import('./services/services-page.tsx'),
      component: 'ServicesPage',
    },
    {
      path: '/services/$id',
      needs: 'services.read',
      load: () => import('./service/service-page.tsx'),
      component: 'ServicePage',
    },
  ],
  navigation: [{ place: 42, to: '/services', words: 'Services', icon: 'services', needs: 'services.read', key: 's' }],
};
