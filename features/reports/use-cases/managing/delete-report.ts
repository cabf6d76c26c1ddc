import { audited } from '#application/access/audit.ts';
import type { UseCaseContext } from '#application/access/context.ts';
import { searchDue } from '#application/records/search-due.ts';
import { cancelTask } from '#application/tasks/places.ts';
import { Fault } from '#domain/fault.ts';
import { REPORT_KINDS } from '#features/reports/rules/report.ts';
import { reportTasks } from '#features/reports/use-cases/generating/report-tasks.ts';
import { dropFile } from '#features/reports/use-cases/report-file.ts';
import { seenReport } from '#features/reports/use-cases/report-records.ts';

/**
 * Deletes a report; one in progress is canceled. Throws Fault `not-found`, and `forbidden` for another user's shared
 * report.
 */
export async function deleteReport(context: UseCaseContext, id: string): Promise<void> {
  const { ports, tenant, caller } = context;
  const { body: report } = await seenReport(context, id);
  if (report.by.id !== caller.id && !caller.permissions.has('settings.manage'))
    throw new Fault('forbidden', 'Only the owner or a user with settings.manage can delete a shared report');
  const { template, format, status } = report;
  const target = { kind: 'report', id };
  const before = { template_id: template, format, status };
  const entry = audited(context, { action: 'report.deleted', target, before, after: null });
  const due = searchDue(ports, tenant, [{ kind: 'report', id }]);
  await ports.records.remove(tenant, REPORT_KINDS.report, id, [entry, due]);
  await cancelTask(ports, reportTasks, { tenant, id });
  if (report.file !== null) await dropFile(ports.records, tenant, report, report.file);
}
