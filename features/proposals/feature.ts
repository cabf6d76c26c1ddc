import { feature } from '#features/feature.ts';
import { proposalEndpoints } from './http/endpoints.ts';

export const proposals = feature({
  id: 'proposals',
  uses: ['ai', 'discovery', 'insights', 'detectors'],
  endpoints: proposalEndpoints,
});
