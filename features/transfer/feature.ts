import { feature } from '#features/feature.ts';
import { transferEndpoints } from './http/endpoints.ts';

export const transfer = feature({ id: 'transfer', uses: ['discovery'], endpoints: transferEndpoints });
