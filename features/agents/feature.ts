import { HOUR_MS } from '#application/job.ts';
import { feature } from '#features/feature.ts';
import { agentEndpoints } from './http/endpoints.ts';
import { judgeDecisions } from './use-cases/judge.ts';
import { reported } from './use-cases/performance.ts';

export const agents = feature({
  id: 'agents',
  uses: ['ai', 'change-risk', 'discovery', 'questions'],
  endpoints: agentEndpoints,
  contributes: { reports: reported },
  jobs: [
    {
      name: 'judge-decisions',
      everyMs: HOUR_MS,
      runsIn: 'api',
      isLeased: true,
      needsClock: true,
      timeoutMs: HOUR_MS,
      run: ({ ports }, isStopping) => judgeDecisions(ports, isStopping),
    },
  ],
});
