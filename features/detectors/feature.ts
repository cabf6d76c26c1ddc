import { feature } from '#features/feature.ts';
import { insights } from './http/insights.ts';

export const detectors = feature({
  id: 'detectors',
  endpoints: [insights],
  uses: ['ai', 'change-risk', 'insights', 'services'],
});
