import { feature } from '#features/feature.ts';
import { pagerdutyEndpoints } from './http/pagerduty-endpoints.ts';

export const pagerdutyEvents = feature({ id: 'pagerduty', uses: [], endpoints: pagerdutyEndpoints });
