import type { UseCaseContext } from '#application/access/context.ts';
import { pageFrom } from '#application/records/list-records.ts';
import type { Page } from '#domain/page.ts';
import type { Report } from '#features/reports/rules/report.ts';
import { estimatedAt } from '#features/reports/use-cases/generating/estimate.ts';
import { maySee, newestReports, seenReport } from '#features/reports/use-cases/report-records.ts';
import { type SignedDownload, signedDownload } from '#features/reports/use-cases/signed-download.ts';
import type { Paging } from '#schemas/http/paging.ts';

export interface ShownReport {
  readonly report: Report;
  /** Estimate for an unfinished report, ms. */
  readonly estimatedAt: number | null;
  /** Set for a completed report. */
  readonly download: SignedDownload | null;
}

/** `prefix`: precedes the paths of links. */
async function showReport(context: UseCaseContext, report: Report, prefix: string): Promise<ShownReport> {
  const { ports, tenant } = context;
  return {
    report,
    estimatedAt: report.status === 'generating' ? await estimatedAt(context, report) : null,
    download: report.status === 'completed' ? await signedDownload(ports, tenant, report, prefix) : null,
  };
}

/** Throws Fault `not-found`, also for another user's report that is not shared. */
export const reportStatus = async (context: UseCaseContext, id: string, prefix: string): Promise<ShownReport> =>
  showReport(context, (await seenReport(context, id)).body, prefix);

export interface ReportFilter {
  readonly category?: string | undefined;
  /** ID or username. */
  readonly createdBy?: string | undefined;
  readonly shared?: boolean | undefined;
}

/** Lists the caller's own reports and shared ones, newest first. */
export async function listReports(
  { ports, tenant, caller }: UseCaseContext,
  { category, createdBy, shared }: ReportFilter,
  { page, limit, cursor }: Paging,
): Promise<Page<Report>> {
  const all = await newestReports(ports.records, tenant);
  const found = all.filter(
    (report) =>
      maySee(report, caller) &&
      (category === undefined || report.category === category) &&
      (createdBy === undefined || report.by.id === createdBy || report.by.username === createdBy) &&
      (shared === undefined || report.shared === shared),
  );
  const start = cursor === undefined ? (page - 1) * limit : found.filter(({ id }) => id >= cursor).length;
  return pageFrom(found, start, limit);
}
