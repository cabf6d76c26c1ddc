import { feature } from '#features/feature.ts';
import { getHome } from './http/home.ts';

export const home = feature({ id: 'home', uses: ['noise', 'services', 'silent-sources'], endpoints: [getHome] });
