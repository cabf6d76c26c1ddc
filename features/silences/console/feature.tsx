import type { ConsoleFeature } from '#console/slots/feature.ts';
import { later } from '#console/slots/later.ts';

export const silences: ConsoleFeature = {
  id: 'silences',
  pages: [
    { path: '/silences', needs: 'events.read', load: () => import('./silences-page.tsx'), component: 'SilencesPage' },
  ],
  places: [{ to: '/silences?tab=calendar', words: 'Calendar of silences', also: 'planned', needs: 'events.read' }],
  navigation: [
    {
      place: 25,
      to: '/silences',
      words: 'Silences',
      also: 'maintenance mute downtime',
      icon: 'silence',
      needs: 'events.read',
    },
  ],
  eventActions: [
    { id: 'silence', words: 'Silence', keys: 's', Part: later(() => import('./silence-dialog.tsx'), 'SilenceEvent') },
  ],
  groupActions: [
    { id: 'silence', words: 'Silence', keys: 's', Part: later(() => import('./silence-dialog.tsx'), 'SilenceGroup') },
  ],
  leftCiPanels: [{ id: 'maintenance', Part: later(() => import('./maintenance-panel.tsx'), 'MaintenancePanel') }],
};
