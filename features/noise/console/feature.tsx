import type { ConsoleFeature } from '#console/slots/feature.ts';

export const noise: ConsoleFeature = {
  id: 'noise',
  pages: [{ path: '/noise', needs: 'events.read', load: () => import('./noise-page.tsx'), component: 'NoisePage' }],
  navigation: [
    {
      place: 27,
      to: '/noise',
      words: 'Noise',
      also: 'noisy flapping checks',
      icon: 'noise',
      needs: 'events.read',
      key: 'n',
    },
  ],
};
