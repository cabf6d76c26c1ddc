import { SECOND_MS } from '#application/job.ts';
import type { StoredTasks } from '#application/tasks/task.ts';
import { REPORT_KINDS, type Report } from '#features/reports/rules/report.ts';
import { findReport, putReport } from '#features/reports/use-cases/report-records.ts';
import { runReport } from './run-report.ts';

/** Longest time of one report. */
const REPORT_MS = 120_000;
/** Limit of attempts, so that a report that never ends is not restarted forever. */
const MAX_TRIES = 3;

/** Reports that were asked for; `mostMs`: longest time of one. */
export const reportTasksOf = (mostMs: number): StoredTasks<Report> => ({
  name: 'make-reports',
  everyMs: 5 * SECOND_MS,
  atStart: true,
  failure: 'report failed',
  stuck: 'report generation failed, retrying',
  about: REPORT_KINDS.report,
  places: 'many',
  atOnce: 2,
  tries: {
    most: MAX_TRIES,
    counted: 'begun',
    unended: `Failed after ${MAX_TRIES} attempts`,
  },
  find: findReport,
  isOpen: ({ status }) => status === 'generating',
  run: (turn) => runReport(turn, mostMs),
  async giveUp({ ports: { records, clock }, task: { tenant }, thing: { body, revision } }, error) {
    const failed: Report = { ...body, status: 'failed', step: null, completedAt: clock.now(), error };
    await putReport(records, tenant, failed, { expected: revision });
  },
});

export const reportTasks = reportTasksOf(REPORT_MS);
