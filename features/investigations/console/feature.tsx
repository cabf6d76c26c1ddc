import type { ConsoleFeature } from '#console/slots/feature.ts';
import { later } from '#console/slots/later.ts';

export const investigations: ConsoleFeature = {
  id: 'investigations',
  groupPanels: [{ id: 'investigation', Part: later(() => import('./investigation-panel.tsx'), 'InvestigationPanel') }],
};
