import type { UseCaseContext } from '#application/access/context.ts';
import type { Caller } from '#domain/access/caller.ts';
import { LINK_HOLDER } from '#domain/access/caller.ts';
import { notFound } from '#domain/fault.ts';
import type { RecordStore, StoredRecord } from '#domain/ports/record-store.ts';
import type { SideRecord } from '#domain/side-record.ts';
import { goneAt, REPORT_KINDS, type Report } from '#features/reports/rules/report.ts';
import { TEMPLATES } from '#features/reports/rules/templates/catalogue.ts';

/** Maximum number of stored reports per tenant; further requests are rejected. */
export const MAX_KEPT = 500;

export type StoredReport = StoredRecord<Report>;

export const findReport = (records: RecordStore, tenant: string, id: string): Promise<StoredReport | null> =>
  records.get<Report>(tenant, REPORT_KINDS.report, id);

/** Returns all reports of the tenant, newest first. */
export const newestReports = async (records: RecordStore, tenant: string): Promise<Report[]> => {
  const found = await records.list<Report>(tenant, REPORT_KINDS.report, { limit: MAX_KEPT, descending: true });
  return found.map(({ body }) => body);
};

/** Throws Fault `precondition` if the report has changed in the meantime or is deleted. */
export const putReport = (
  records: RecordStore,
  tenant: string,
  report: Report,
  { expected, sideRecords = [] }: { readonly expected: number; readonly sideRecords?: readonly SideRecord[] },
): Promise<number> =>
  records.put(tenant, REPORT_KINDS.report, report.id, report, { expected, expiresAt: goneAt(report), sideRecords });

/** True for own reports, for shared ones whose data the caller may read, and for holders of the link to a report. */
export const maySee = ({ by, shared, template }: Report, { id, permissions }: Caller): boolean =>
  id === LINK_HOLDER ||
  ((by.id === id || shared) && TEMPLATES[template].needs.every((needed) => permissions.has(needed)));

/** Returns a report that the caller may see. Throws Fault `not-found`. */
export async function seenReport({ ports, tenant, caller }: UseCaseContext, id: string): Promise<StoredReport> {
  const stored = await findReport(ports.records, tenant, id);
  if (stored === null || !maySee(stored.body, caller)) throw notFound('Report', id);
  return stored;
}
