import { feature } from '#features/feature.ts';
import { insightEndpoints } from './http/endpoints.ts';

export const insights = feature({ id: 'insights', uses: ['ai'], endpoints: insightEndpoints });
