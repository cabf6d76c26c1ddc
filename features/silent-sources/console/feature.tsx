import type { ConsoleFeature } from '#console/slots/feature.ts';
import { later } from '#console/slots/later.ts';

export const silentSources: ConsoleFeature = {
  id: 'silent-sources',
  wallFoot: [{ id: 'silent-sources', Part: later(() => import('./wall-sources.tsx'), 'WallSources') }],
};
