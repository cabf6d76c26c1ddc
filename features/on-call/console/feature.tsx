import type { ConsoleFeature } from '#console/slots/feature.ts';
import { later } from '#console/slots/later.ts';

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
  groupPanels: [{ id: 'on-call', Part: later(() => import('./on-call-now.tsx'), 'OnCallPanel') }],
  adminPages: [
    {
      place: 21,
      to: '/admin/on-call',
      words: 'On call',
      also: 'oncall escalation calendar rotation schedule',
      needs: 'users.manage',
    },
  ],
};
