import { SECOND_MS } from '#application/job.ts';
import type { StoredTasks } from '#application/tasks/task.ts';
import { REPORT_KINDS, type Report } from '#features/reports/rules/report.ts';
import { findReport, putReport } from '#features/reports/use-cases/report-records.ts';
import { runReport } from './run-report.ts';

/** Time limit of one report. */
const REPORT_MS = 120_000;
/** Maximum number of attempts, so that a report that crashes the process is not retried forever. */
const MAX_TRIES = 3;

/** `mostMs`: time limit of one report. */
export const reportTasksOf = (mostMs: number): StoredTasks<Report> => ({
  name: 'make-reports',
  everyMs: 5 * SECOND_MS,
  atStart: true,
  failure: 'report failed',
  stuck: 'report generation failed, retrying',
  about: REPORT_KINDS.report,
  places: 'many',
  atOnce: 2,
  tries: { most: MAX_TRIES, counted: 'begun', unended: `Failed after ${MAX_TRIES} attempts` },
  find: findReport,
  isOpen: ({ status }) => status === 'generating',
  run: (turn) => runReport(turn, mostMs),
  async giveUp({ ports: { records, clock }, task: { tenant }, thing: { body, revision } }, error) {
    const failed: Report = { ...body, status: 'failed', step: null, completedAt: clock.now(), error };
    await putReport(records, tenant, failed, { expected: revision });
  },
});

export const reportTasks = reportTasksOf(REPORT_MS);
