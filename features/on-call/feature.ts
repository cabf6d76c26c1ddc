import { MINUTE_MS } from '#application/job.ts';
import { feature } from '#features/feature.ts';
import { onCallEndpoints } from './http/endpoints.ts';
import { calendars } from './stores/calendars.ts';
import { escalate } from './use-cases/escalate.ts';
import { reported } from './use-cases/handed-over.ts';
import { onCallTool } from './use-cases/policies.ts';
import { readRotas } from './use-cases/read-rotas.ts';

const often = { runsIn: 'api', isLeased: true, timeoutMs: 10 * MINUTE_MS } as const;

export const onCall = feature({
  id: 'on-call',
  uses: ['ai', 'questions', 'webhooks', 'reports'],
  contributes: { questionTools: [onCallTool], reports: reported },
  endpoints: onCallEndpoints,
  jobs: [
    { ...often, name: 'escalate', everyMs: MINUTE_MS, run: ({ ports }, isStopping) => escalate(ports, isStopping) },
    {
      ...often,
      name: 'read-rotas',
      everyMs: 5 * MINUTE_MS,
      run: ({ ports }, isStopping) => readRotas(ports, isStopping),
    },
  ],
  provide: async () => ({ ports: { calendars } }),
});
