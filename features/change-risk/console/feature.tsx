import type { ConsoleFeature } from '#console/slots/feature.ts';

export const changeRisk: ConsoleFeature = {
  id: 'change-risk',
  pages: [{ path: '/changes', needs: 'cmdb.read', load: () => import('./changes-page.tsx'), component: 'ChangesPage' }],
  navigation: [
    {
      place: 44,
      to: '/changes',
      words: 'Changes',
      also: 'change calendar planned risk assessment deployments releases',
      icon: 'changes',
      needs: 'cmdb.read',
      key: 'd',
    },
  ],
};
