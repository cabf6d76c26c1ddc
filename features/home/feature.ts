import { feature } from '#features/feature.ts';
import { getHome } from './http/home.ts';

export const home = feature({
  id: 'home',
  uses: ['noise', 'on-call', 'services', 'silent-sources'],
  endpoints: [getHome],
});
