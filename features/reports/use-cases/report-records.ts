import type { UseCaseContext } from '#application/access/context.ts';
import type { Caller } from '#domain/access/caller.ts';
import { LINK_HOLDER } from '#domain/access/caller.ts';
import { isOvertaken, notFound } from '#domain/fault.ts';
import type { Ports } from '#domain/ports/ports.ts';
import { type RecordStore, type StoredRecord, SYSTEM_TENANT } from '#domain/ports/record-store.ts';
import type { SideRecord } from '#domain/side-record.ts';
import { goneAt, type QueuedReport, REPORT_KINDS, type Report } from '#features/reports/rules/report.ts';
import { TEMPLATES } from '#features/reports/rules/templates/catalogue.ts';

/** Reports of one tenant that are kept; more are not taken on. */
export const MOST_KEPT = 500;

export type StoredReport = StoredRecord<Report>;

export const findReport = (records: RecordStore, tenant: string, id: string): Promise<StoredReport | null> =>
  records.get<Report>(tenant, REPORT_KINDS.report, id);

/** All of the tenant, newest first. */
export const newestReports = async (records: RecordStore, tenant: string): Promise<Report[]> => {
  const found = await records.list<Report>(tenant, REPORT_KINDS.report, { limit: MOST_KEPT, descending: true });
  return found.map(({ body }) => body);
};

/** Throws Fault `precondition` when it changed meanwhile, or is gone. */
export const putReport = (
  records: RecordStore,
  tenant: string,
  report: Report,
  { expected, sideRecords = [] }: { readonly expected: number; readonly sideRecords?: readonly SideRecord[] },
): Promise<number> =>
  records.put(tenant, REPORT_KINDS.report, report.id, report, { expected, expiresAt: goneAt(report), sideRecords });

/** Whether somebody may see a report: his own, or a shared one of which he may read what it tells. Who holds its link may. */
export const maySee = ({ by, shared, template }: Report, { id, permissions }: Caller): boolean =>
  id === LINK_HOLDER ||
  ((by.id === id || shared) && TEMPLATES[template].needs.every((needed) => permissions.has(needed)));

/** One that the caller may see. Throws Fault `not-found`. */
export async function seenReport({ ports, tenant, caller }: UseCaseContext, id: string): Promise<StoredReport> {
  const stored = await findReport(ports.records, tenant, id);
  if (stored === null || !maySee(stored.body, caller)) throw notFound('Report', id);
  return stored;
}

const placeId = ({ tenant, report }: Pick<QueuedReport, 'tenant' | 'report'>): string => `${tenant}/${report}`;

export type QueuedReportRecord = StoredRecord<QueuedReport>;

/** To be kept along with a new report. */
export const placeRecord = (place: QueuedReport): SideRecord => ({
  tenant: SYSTEM_TENANT,
  kind: REPORT_KINDS.queue,
  id: placeId(place),
  body: place,
});

/** Reports of the tenant that are not made yet, at most so many, the first ones first. */
export async function waitingOf(
  { records }: Pick<Ports, 'records'>,
  tenant: string,
  limit: number,
): Promise<QueuedReportRecord[]> {
  const found = await records.list<QueuedReport>(SYSTEM_TENANT, REPORT_KINDS.queue, { after: `${tenant}/`, limit });
  return found.filter(({ body }) => body.tenant === tenant);
}

/** Leaves a place in the queue. */
export async function leavePlace({ records }: Pick<Ports, 'records'>, place: Pick<QueuedReport, 'tenant' | 'report'>) {
  try {
    await records.remove(SYSTEM_TENANT, REPORT_KINDS.queue, placeId(place));
  } catch (error) {
    if (!isOvertaken(error)) throw error;
  }
}
