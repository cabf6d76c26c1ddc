import { feature } from '#features/feature.ts';
import { getLandscape } from './http/landscape.ts';

export const landscape = feature({ id: 'landscape', uses: [], endpoints: [getLandscape] });
