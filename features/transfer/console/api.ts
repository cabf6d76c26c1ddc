import type { Call } from '#console/api/link/call.ts';
import type { ImportReportBody, TransferFormat } from '#features/transfer/schemas/transfer.ts';
import type { ImportKind } from './file/kinds.ts';

export type ImportReport = ImportReportBody;

const ENDPOINTS = { cis: 'POST /api/cmdb/import/ci', relationships: 'POST /api/cmdb/import/relationships' } as const;
const TYPES: Readonly<Record<TransferFormat, string>> = { csv: 'text/csv', jsonl: 'application/x-ndjson' };

interface ImportedPart {
  readonly format: TransferFormat;
  readonly text: string;
  readonly dryRun: boolean;
  /** Mapping of columns; empty: none. */
  readonly columns: string;
}

/** A file, or an independent part of one. */
export const importPart = async (
  call: Call,
  kind: ImportKind,
  { format, text, dryRun, columns }: ImportedPart,
): Promise<ImportReport> => {
  const query = { dry_run: dryRun, format, ...(columns !== '' && { columns }) };
  const asked = { query, body: new Blob([text], { type: TYPES[format] }) };
  return (await call<{ readonly data: ImportReport }>(ENDPOINTS[kind], asked)).data;
};
