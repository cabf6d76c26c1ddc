import { readFileSync } from 'node:fs';
import { CliError } from '#cli/client/client.ts';
import { type ConnectionOptions, queryOf } from '#cli/client/connection.ts';
import { clip, count, tableOf } from '#cli/terminal/screen.ts';
import type { SyncReportBody } from '#features/topology-sources/schemas/sync.ts';

const COLUMNS = ['created', 'updated', 'unchanged', 'ended', 'missing', 'failed'] as const;

export interface SyncOptions extends ConnectionOptions {
  readonly full?: boolean;
  readonly dryRun?: boolean;
  readonly confirm?: boolean;
  readonly grace?: string;
}

export const syncText = (report: SyncReportBody): string => {
  const rows = (['cis', 'relationships'] as const).map((set) => [
    set === 'cis' ? 'CIs' : 'Relationships',
    ...COLUMNS.map((column) => count(report[set][column])),
  ]);
  const table = tableOf([{ title: '' }, ...COLUMNS.map((title) => ({ title, right: true }))], rows);
  const failed = report.failed_rows.slice(0, 20).map(({ row, error }) => `Row ${count(row)}: ${clip(error, 160)}`);
  return [table, ...failed, ...report.errors.map((error) => `Failed: ${clip(error, 160)}`)].join('\n');
};

export const contentOf = (file: string): string => {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    throw new CliError(`${file} can't be read`);
  }
};

export const syncPath = (source: string, { full, dryRun, grace, confirm }: SyncOptions): string => {
  const query = queryOf({
    ...(full && { full: 'true' }),
    ...(dryRun && { dry_run: 'true' }),
    ...(confirm && { confirm: 'true' }),
    grace,
  });
  return `/v1/cmdb/sync/${encodeURIComponent(source)}?${query}`;
};
