import { HOUR_MS, MINUTE_MS } from '#application/job.ts';
import { feature } from '#features/feature.ts';
import { aiEndpoints } from './http/endpoints.ts';
import { measurements } from './measurements.ts';
import { provideModels } from './provide-models.ts';
import { storeRulesAnswers } from './use-cases/usage/rules-count.ts';
import { sumUsage } from './use-cases/usage/sum-usage.ts';

export const ai = feature({
  id: 'ai',
  uses: [],
  endpoints: aiEndpoints,
  jobs: [
    {
      name: 'store-rules-answers',
      everyMs: MINUTE_MS,
      runsIn: 'everywhere',
      timeoutMs: 10 * MINUTE_MS,
      run: ({ ports }, isStopping) => storeRulesAnswers(ports, isStopping),
    },
    {
      name: 'sum-ai-usage',
      everyMs: HOUR_MS,
      runsIn: 'api',
      isLeased: true,
      needsClock: true,
      timeoutMs: HOUR_MS,
      run: ({ ports }, isStopping) => sumUsage(ports, isStopping),
    },
  ],
  measurements,
  provide: provideModels,
});
