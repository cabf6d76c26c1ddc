import { INCIDENT_DUE } from '#application/events/incident-records.ts';
import { HOUR_MS, MINUTE_MS, SECOND_MS } from '#application/job.ts';
import { feature } from '#features/feature.ts';
import { analyze } from './http/analyze.ts';
import { groupRunbook } from './http/runbook.ts';
import { similarGroups } from './http/similar.ts';
import { measurements } from './measurements.ts';
import { runDeferredAnalyses } from './use-cases/deferred-analyses.ts';
import { analyseIncidents } from './use-cases/incidents.ts';
import { withAnalysis } from './use-cases/show-analysis.ts';
import { analyse, analyseGroups } from './use-cases/sinks.ts';
import { wordAnalyses } from './use-cases/word.ts';

export const analysis = feature({
  id: 'analysis',
  uses: ['ai', 'insights', 'services', 'webhooks'],
  endpoints: [analyze, similarGroups, groupRunbook],
  jobs: [
    {
      name: 'analyse-incidents',
      everyMs: 5 * SECOND_MS,
      runsIn: 'api',
      isLeased: true,
      timeoutMs: 10 * MINUTE_MS,
      run: ({ ports }, isStopping) => analyseIncidents(ports, isStopping),
    },
    {
      name: 'analyse-left',
      everyMs: 30 * SECOND_MS,
      runsIn: 'api',
      isLeased: true,
      timeoutMs: 10 * MINUTE_MS,
      run: ({ ports }, isStopping) => runDeferredAnalyses(ports, isStopping),
    },
    {
      name: 'word-analyses',
      everyMs: 5 * SECOND_MS,
      runsIn: 'everywhere',
      timeoutMs: HOUR_MS,
      run: ({ ports }, isStopping) => wordAnalyses(ports, isStopping),
    },
  ],
  sinks: [analyse, analyseGroups],
  measurements,
  shown: withAnalysis,
  ownedKinds: [INCIDENT_DUE],
});
