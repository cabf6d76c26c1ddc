import type { ConsoleFeature } from '#console/slots/feature.ts';
import { Bell } from './bell.tsx';

export const inbox: ConsoleFeature = {
  id: 'inbox',
  pages: [{ path: '/inbox', needs: 'events.read', load: () => import('./inbox-page.tsx'), component: 'InboxPage' }],
  navigation: [
    {
      place: 7,
      to: '/inbox',
      words: 'Inbox',
      also: 'notifications email rules activity',
      icon: 'bell',
      needs: 'events.read',
      key: 'i',
    },
  ],
  headerParts: [{ id: 'inbox', Part: Bell }],
};
