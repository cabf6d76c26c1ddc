import { readFileSync } from 'node:fs';
import { type Command, Option } from 'commander';
import { CliError } from '#cli/client/client.ts';
import { type ConnectionOptions, clientOf, connected, queryOf, show } from '#cli/client/connection.ts';
import { type FileFormat, FORMATS, formatOf } from '#cli/files/file-format.ts';
import type { CliEnvironment } from '#cli/terminal/environment.ts';
import { clip, count, tableOf } from '#cli/terminal/screen.ts';
import type { SyncReportBody } from '#features/topology-sources/schemas/sync.ts';

const TYPES: Readonly<Record<FileFormat, string>> = { csv: 'text/csv', jsonl: 'application/x-ndjson' };
const COLUMNS = ['created', 'updated', 'unchanged', 'ended', 'missing', 'failed'] as const;

interface SyncOptions extends ConnectionOptions {
  readonly full?: boolean;
  readonly dryRun?: boolean;
  readonly confirm?: boolean;
  readonly grace?: string;
  readonly format?: FileFormat;
}

const reportText = (report: SyncReportBody): string => {
  const rows = (['cis', 'relationships'] as const).map((set) => [
    set === 'cis' ? 'CIs' : 'Relationships',
    ...COLUMNS.map((column) => count(report[set][column])),
  ]);
  const table = tableOf([{ title: '' }, ...COLUMNS.map((title) => ({ title, right: true }))], rows);
  const failed = report.failed_rows.slice(0, 20).map(({ row, error }) => `Row ${count(row)}: ${clip(error, 160)}`);
  return [table, ...failed, ...report.errors.map((error) => `Failed: ${clip(error, 160)}`)].join('\n');
};

const contentOf = (file: string): string => {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    throw new CliError(`${file} can't be read`);
  }
};

export const addSync = (program: Command, { screen }: CliEnvironment): Command =>
  connected(program.command('sync').argument('<source>', 'name of the source').argument('<file>', 'CSV or JSON lines'))
    .description('sync the CIs and relationships of a source')
    .option('--full', 'the file is the complete set of the source; retire the rest')
    .option('--dry-run', 'preview only, write nothing')
    .option('--grace <time>', 'time until missing CIs are retired, for example 1h')
    .option('--confirm', 'allow retiring more than 30% of what the source reported before')
    .addOption(new Option('--format <format>', 'file format; default: from the file extension').choices(FORMATS))
    .action(async (source: string, file: string, options: SyncOptions) => {
      const { full, dryRun, grace, confirm } = options;
      const query = queryOf({
        ...(full && { full: 'true' }),
        ...(dryRun && { dry_run: 'true' }),
        ...(confirm && { confirm: 'true' }),
        grace,
      });
      const path = `/v1/cmdb/sync/${encodeURIComponent(source)}?${query}`;
      const type = TYPES[formatOf(file, options.format)];
      show(screen, options, await clientOf(options).upload<SyncReportBody>(path, contentOf(file), type), reportText);
    });
