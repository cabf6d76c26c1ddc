import { feature } from '#features/feature.ts';
import { serviceEndpoints } from './http/endpoints.ts';
import { serviceTools } from './http/tools.ts';

export const services = feature({
  id: 'services',
  uses: [],
  endpoints: serviceEndpoints,
  contributes: { tools: serviceTools },
});
