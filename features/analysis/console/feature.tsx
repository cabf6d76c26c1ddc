import type { ConsoleFeature } from '#console/slots/feature.ts';
import { later } from '#console/slots/later.ts';

export const analysis: ConsoleFeature = {
  id: 'analysis',
  groupPanels: [{ id: 'advice', Part: later(() => import('./advice-panel.tsx'), 'AdvicePanel') }],
};
