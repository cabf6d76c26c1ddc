import { feature } from '#features/feature.ts';
import { insights } from './http/insights.ts';
import { reported } from './use-cases/advice.ts';

export const detectors = feature({
  id: 'detectors',
  uses: ['ai', 'change-risk', 'insights', 'reports'],
  endpoints: [insights],
  contributes: { reports: reported },
});
