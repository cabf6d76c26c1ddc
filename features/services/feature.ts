import { feature } from '#features/feature.ts';
import { serviceEndpoints } from './http/endpoints.ts';

export const services = feature({
  id: 'services',
  uses: ['silences'],
  endpoints: serviceEndpoints,
});
