import { MINUTE_MS } from '#application/job.ts';
import { feature } from '#features/feature.ts';
import { reportEndpoints } from './http/endpoints.ts';
import { REPORT_SCHEDULE } from './rules/schedule.ts';
import { openDocuments } from './stores/open-documents.ts';
import { reportTasks } from './use-cases/generating/report-tasks.ts';
import type { ReportParts } from './use-cases/report-parts.ts';
import { runSchedules } from './use-cases/scheduling/run-schedules.ts';

export const reports = feature({
  id: 'reports',
  uses: ['ai', 'questions', 'webhooks', 'services'],
  endpoints: reportEndpoints,
  tasks: [reportTasks],
  jobs: [
    {
      name: 'schedule-reports',
      everyMs: MINUTE_MS,
      runsIn: 'api',
      isLeased: true,
      timeoutMs: 10 * MINUTE_MS,
      run: ({ ports }, isStopping) => runSchedules(ports, isStopping),
    },
  ],
  ownedKinds: [REPORT_SCHEDULE],
  async provide({ config, contributed }) {
    const { documents, close } = openDocuments(config.reportFonts);
    const reportParts: readonly ReportParts[] = contributed('reports');
    return { ports: { documents, reportParts }, close };
  },
});
