import { MINUTE_MS, SECOND_MS } from '#application/job.ts';
import { feature } from '#features/feature.ts';
import { alertEndpoints } from './http/alert-endpoints.ts';
import { silenceEndpoints } from './http/silence-endpoints.ts';
import { statusEndpoints } from './http/status-endpoints.ts';
import { EXPIRY, endExpired } from './use-cases/end-expired.ts';

export const alertmanager = feature({
  id: 'alertmanager',
  uses: ['silences'],
  endpoints: [...alertEndpoints, ...silenceEndpoints, ...statusEndpoints],
  jobs: [
    {
      name: 'end-expired-alerts',
      everyMs: 30 * SECOND_MS,
      runsIn: 'api',
      isLeased: true,
      needsClock: true,
      timeoutMs: 10 * MINUTE_MS,
      run: ({ ports }, isStopping) => endExpired(ports, ports.memory.of(EXPIRY), isStopping),
    },
  ],
});
