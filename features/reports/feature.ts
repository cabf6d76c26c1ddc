import { SECOND_MS } from '#application/job.ts';
import { feature } from '#features/feature.ts';
import { reportEndpoints } from './http/endpoints.ts';
import { MAKE_REPORTS, REPORT_KINDS } from './rules/report.ts';
import { openDocuments } from './stores/open-documents.ts';
import { ReportMaker } from './use-cases/generating/report-maker.ts';

/** Longest time of one report. */
const REPORT_MS = 120_000;

export const reports = feature({
  id: 'reports',
  uses: ['ai', 'questions', 'webhooks', 'detectors'],
  endpoints: reportEndpoints,
  background: [
    {
      name: MAKE_REPORTS,
      everyMs: 5 * SECOND_MS,
      atStart: true,
      failure: 'A report has failed',
      open: (ports, options) => new ReportMaker(ports, { ...options, mostMs: REPORT_MS }),
    },
  ],
  ownedRecords: { kinds: [REPORT_KINDS.queue], leases: [] },
  async provide({ config }) {
    const { documents, close } = openDocuments(config.reportFonts);
    return { ports: { documents }, close };
  },
});
