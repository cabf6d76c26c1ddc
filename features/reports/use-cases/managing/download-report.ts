import type { UseCaseContext } from '#application/access/context.ts';
import { Fault, notFound } from '#domain/fault.ts';
import type { RecordStore } from '#domain/ports/record-store.ts';
import type { Report, ReportFile } from '#features/reports/rules/report.ts';
import { readChunk } from '#features/reports/use-cases/report-file.ts';
import { seenReport } from '#features/reports/use-cases/report-records.ts';

export interface OpenedFile {
  readonly report: Report;
  readonly content: AsyncIterable<Uint8Array>;
}

async function* pieces(
  records: RecordStore,
  tenant: string,
  report: Report,
  { turn, chunks }: ReportFile,
  first: Uint8Array,
): AsyncGenerator<Uint8Array> {
  yield first;
  for (let n = 1; n < chunks; n++) {
    const piece = await readChunk(records, tenant, report, { turn, n });
    // The client received an incomplete file, which the closed connection indicates.
    if (piece === null) throw new Fault('not-found', 'The file was deleted while it was being read');
    yield piece;
  }
}

/** Opens the file of a report. Throws Fault `not-found` if it is deleted or not written yet. */
export async function downloadReport(context: UseCaseContext, id: string): Promise<OpenedFile> {
  const { ports, tenant } = context;
  const { body: report } = await seenReport(context, id);
  if (report.file === null) throw new Fault('not-found', `Report ${id} has no file (status: ${report.status})`);
  const first = await readChunk(ports.records, tenant, report, { turn: report.file.turn, n: 0 });
  if (first === null) throw notFound('File of report', id);
  return { report, content: pieces(ports.records, tenant, report, report.file, first) };
}
