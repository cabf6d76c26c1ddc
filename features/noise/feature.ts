import { feature } from '#features/feature.ts';
import { getNoise } from './http/noise.ts';

export const noise = feature({ id: 'noise', uses: ['silences'], endpoints: [getNoise] });
