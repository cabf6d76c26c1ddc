import { MINUTE_MS, SECOND_MS } from '#application/job.ts';
import { feature } from '#features/feature.ts';
import { demoEndpoints } from './http/demo-endpoints.ts';
import { loadDemo } from './use-cases/load-demo.ts';

export const demo = feature({
  id: 'demo',
  uses: [],
  endpoints: demoEndpoints,
  jobs: [
    {
      name: 'load-demo',
      everyMs: SECOND_MS,
      runsIn: 'api',
      isLeased: true,
      timeoutMs: 30 * MINUTE_MS,
      run: ({ ports }, isStopping) => loadDemo(ports, isStopping),
    },
  ],
});
