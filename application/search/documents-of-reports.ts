import { findReport } from '#application/reports/report-records.ts';
import type { Ports } from '#domain/ports/ports.ts';
import type { SearchDocument } from '#domain/search/document.ts';
import { reportDocument } from '#domain/search/report-document.ts';

/** Those that there are. */
export async function documentsOfReports(
  { records }: Ports,
  tenant: string,
  ids: readonly string[],
): Promise<SearchDocument[]> {
  const documents: SearchDocument[] = [];
  for (const id of ids) {
    const stored = await findReport(records, tenant, id);
    if (stored !== null) documents.push(reportDocument(stored.body));
  }
  return documents;
}
