import type { ConsoleFeature } from '#console/slots/feature.ts';

export const onCall: ConsoleFeature = {
  id: 'on-call',
  pages: [
    {
      path: '/admin/on-call',
      needs: 'users.manage',
      load: () => import('./on-call-page.tsx'),
      component: 'OnCallPage',
    },
  ],
  adminPages: [{ place: 21, to: '/admin/on-call', words: 'On call', needs: 'users.manage' }],
};
