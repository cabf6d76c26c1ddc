import type { ConsoleFeature } from '#console/slots/feature.ts';
import { later } from '#console/slots/later.ts';
import { type Proposals, waiting } from './api.ts';

export const proposals: ConsoleFeature = {
  id: 'proposals',
  rightCiPanels: [{ id: 'proposals', Part: later(() => import('./proposals-panel.tsx'), 'ProposalsPanel') }],
  mapParts: [{ id: 'proposals', Part: later(() => import('./map-proposals.tsx'), 'MapProposals') }],
  pageTabs: [
    {
      id: 'proposals',
      page: '/discovery',
      place: 25,
      words: 'Proposals',
      count: (call) => ({ ...waiting(call), select: (found) => (found as Proposals).pagination.total }),
      Part: later(() => import('./proposals-tab.tsx'), 'ProposalsTab'),
    },
  ],
};
