import { feature } from '#features/feature.ts';
import { alertEndpoints } from './http/alert-endpoints.ts';
import { heartbeatEndpoints } from './http/heartbeat-endpoints.ts';

export const opsgenieAlerts = feature({
  id: 'opsgenie',
  uses: ['silences'],
  endpoints: [...alertEndpoints, ...heartbeatEndpoints],
});
