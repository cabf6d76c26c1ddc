import { MINUTE_MS, SECOND_MS } from '#application/job.ts';
import { feature } from '#features/feature.ts';
import { silenceEndpoints } from './http/endpoints.ts';
import { silenceTools } from './http/tools.ts';
import { measurements } from './measurements.ts';
import { countSilences } from './use-cases/count-silences.ts';
import { LIFTING, liftSilences } from './use-cases/lift-silences.ts';

export const silences = feature({
  id: 'silences',
  uses: [],
  endpoints: silenceEndpoints,
  jobs: [
    {
      name: 'lift-silences',
      everyMs: SECOND_MS,
      runsIn: 'api',
      isLeased: true,
      atStart: true,
      timeoutMs: 10 * MINUTE_MS,
      run: ({ ports }, isStopping) => liftSilences(ports, ports.memory.of(LIFTING), isStopping),
    },
    {
      name: 'count-silences',
      everyMs: MINUTE_MS,
      runsIn: 'api',
      atStart: true,
      timeoutMs: 10 * MINUTE_MS,
      run: ({ ports }, isStopping) => countSilences(ports, isStopping),
    },
  ],
  measurements,
  contributes: { tools: silenceTools },
});
