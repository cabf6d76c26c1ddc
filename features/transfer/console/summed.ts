import type { ImportReport } from './api.ts';
import type { ImportPart } from './parts.ts';

/** Maximum of stored rows of a report. */
const MAX_ROWS = 2_000;

export const NO_REPORT: ImportReport = {
  dry_run: true,
  total: 0,
  created: 0,
  updated: 0,
  unchanged: 0,
  failed: 0,
  stopped: false,
  rows: [],
  truncated: false,
  warnings: [],
  ignored_columns: [],
};

/** Combines two reports; rows are counted through the whole file, and failed ones take precedence over others. */
export const summed = (
  sum: ImportReport,
  report: ImportReport,
  { before }: Pick<ImportPart, 'before'>,
): ImportReport => {
  const own = report.rows.map((row) => ({ ...row, row: row.row + before }));
  const all = [...sum.rows, ...own];
  const isFailed = ({ action }: (typeof all)[number]): boolean => action === 'failed';
  const failed = all.filter(isFailed).slice(0, MAX_ROWS);
  const others = all.filter((row) => !isFailed(row)).slice(0, MAX_ROWS - failed.length);
  return {
    dry_run: report.dry_run,
    total: sum.total + report.total,
    created: sum.created + report.created,
    updated: sum.updated + report.updated,
    unchanged: sum.unchanged + report.unchanged,
    failed: sum.failed + report.failed,
    stopped: sum.stopped || report.stopped,
    rows: [...failed, ...others].sort((a, b) => a.row - b.row),
    truncated: sum.truncated || report.truncated || all.length > failed.length + others.length,
    warnings: [...new Set([...sum.warnings, ...report.warnings])],
    ignored_columns: report.ignored_columns,
  };
};
