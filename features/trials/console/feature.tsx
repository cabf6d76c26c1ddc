import type { ConsoleFeature } from '#console/slots/feature.ts';
import { later } from '#console/slots/later.ts';

export const trials: ConsoleFeature = {
  id: 'trials',
  tuningParts: [{ id: 'trials', Part: later(() => import('./trial-part.tsx'), 'TrialPart') }],
  trialWords: [{ id: 'trials', Part: later(() => import('./tried.tsx'), 'Tried') }],
};
