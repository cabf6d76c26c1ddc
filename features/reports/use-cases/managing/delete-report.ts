import { audited } from '#application/access/audit.ts';
import type { UseCaseContext } from '#application/access/context.ts';
import { searchDue } from '#application/records/search-due.ts';
import { Fault } from '#domain/fault.ts';
import { REPORT_KINDS } from '#features/reports/rules/report.ts';
import { dropFile } from '#features/reports/use-cases/report-file.ts';
import { leavePlace, seenReport } from '#features/reports/use-cases/report-records.ts';

/** Forgets a report; one that is being made is given up. Throws Fault `not-found`, and `forbidden` for what a colleague has shared. */
export async function deleteReport(context: UseCaseContext, id: string): Promise<void> {
  const { ports, tenant, caller } = context;
  const { body: report } = await seenReport(context, id);
  if (report.by.id !== caller.id && !caller.permissions.has('settings.manage'))
    throw new Fault(
      'forbidden',
      'A shared report is deleted by who asked for it, or with the permission settings.manage',
    );
  const { template, format, status } = report;
  const target = { kind: 'report', id };
  const before = { template_id: template, format, status };
  const entry = audited(context, { action: 'report.deleted', target, before, after: null });
  const due = searchDue(ports, tenant, [{ kind: 'report', id }]);
  await ports.records.remove(tenant, REPORT_KINDS.report, id, [entry, due]);
  await leavePlace(ports, { tenant, report: id });
  if (report.file !== null) await dropFile(ports.records, tenant, report, report.file);
}
