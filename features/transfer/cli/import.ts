import { statSync } from 'node:fs';
import { Argument, type Command, Option } from 'commander';
import { CliError, type Client } from '#cli/client/client.ts';
import { type ConnectionOptions, clientOf, connected, show } from '#cli/client/connection.ts';
import { type FileFormat, FORMATS, formatOf } from '#cli/files/file-format.ts';
import { partsOf } from '#cli/files/file-parts.ts';
import type { CliEnvironment } from '#cli/terminal/environment.ts';
import { openProgress } from '#cli/terminal/progress.ts';
import { clip, count, type Screen, tableOf } from '#cli/terminal/screen.ts';
import { pairPart } from '#domain/text.ts';
import { importScan, SCANNERS, type Scanner, type ScanOptions } from '#features/discovery/cli/import-scan.ts';
import type { ImportReportBody } from '#features/transfer/schemas/transfer.ts';

const TYPES: Readonly<Record<FileFormat, string>> = { csv: 'text/csv', jsonl: 'application/x-ndjson' };

interface ImportOptions extends ConnectionOptions {
  readonly dryRun?: boolean;
  readonly format?: FileFormat;
  readonly map?: readonly string[];
}

/** Rows per request: a report lists as many. */
const PART_ROWS = 10_000;
/** Maximum of rows of each kind that are printed. */
const SHOWN = 20;

const sizeOf = (file: string): number => {
  try {
    return statSync(file).size;
  } catch {
    throw new CliError(`${file} can't be read`);
  }
};

type Total = Omit<ImportReportBody, 'truncated'>;
const NOTHING: Total = {
  dry_run: false,
  total: 0,
  created: 0,
  updated: 0,
  unchanged: 0,
  failed: 0,
  stopped: false,
  rows: [],
  warnings: [],
  ignored_columns: [],
};

/** The reports of two parts as one; rows are counted on. */
const together = (before: Total, part: ImportReportBody, rowsBefore: number): Total => ({
  dry_run: part.dry_run,
  total: before.total + part.total,
  created: before.created + part.created,
  updated: before.updated + part.updated,
  unchanged: before.unchanged + part.unchanged,
  failed: before.failed + part.failed,
  stopped: part.stopped,
  rows: [...before.rows, ...part.rows.map((one) => ({ ...one, row: one.row + rowsBefore }))],
  warnings: [...new Set([...before.warnings, ...part.warnings])],
  ignored_columns: part.ignored_columns,
});

interface Upload {
  readonly kind: string;
  readonly file: string;
  readonly format: FileFormat;
  readonly dryRun: boolean;
  readonly map: readonly string[];
}

/** Converts `Column=field` to the server's format. Throws CliError for anything else. */
const mapped = (pairs: readonly string[]): string =>
  pairs
    .map((pair) => {
      const at = pair.lastIndexOf('=');
      const [column, field] = [pair.slice(0, at), pair.slice(at + 1)];
      if (at < 1 || field.trim() === '') throw new CliError(`--map expects Column=field, got ${pair}`);
      return `${pairPart(column.trim())}:${pairPart(field.trim())}`;
    })
    .join(',');

const uploaded = async (
  client: Client,
  screen: Screen,
  { kind, file, format, dryRun, map }: Upload,
): Promise<Total> => {
  const progress = openProgress(screen, dryRun ? 'checked (bytes)' : 'imported (bytes)', sizeOf(file));
  const query = new URLSearchParams({ dry_run: String(dryRun), ...(map.length > 0 && { columns: mapped(map) }) });
  let total = NOTHING;
  let rows = 0;
  try {
    for await (const part of partsOf(file, format, PART_ROWS)) {
      const path = `/v1/cmdb/import/${kind}?${query}`;
      total = together(total, await client.upload<ImportReportBody>(path, part.text, TYPES[format]), rows);
      rows += part.rows;
      progress.step(part.bytes);
      if (total.stopped) break;
    }
  } finally {
    progress.done();
  }
  return total;
};

type ImportRow = Total['rows'][number];

const valueText = (value: unknown): string => (value === null ? '–' : clip(JSON.stringify(value) ?? '–', 60));
const changeText = ({ changes = [] }: ImportRow): string =>
  changes.map(({ field, before, after }) => `${field}: ${valueText(before)} → ${valueText(after)}`).join('\n');
const more = (length: number): string[] =>
  length > SHOWN ? [`and ${count(length - SHOWN)} more; --json lists all`] : [];

const failedText = (rows: readonly ImportRow[]): string[] => {
  const failed = rows.filter(({ action }) => action === 'failed');
  if (failed.length === 0) return [];
  const columns = [
    { title: 'row', right: true },
    { title: 'error', width: 90 },
  ];
  const shown = failed.slice(0, SHOWN).map(({ row, error }) => [count(row), clip(error ?? '', 160)]);
  return [tableOf(columns, shown), ...more(failed.length)];
};

/** Rows that a dry run would create or update. */
const plannedText = ({ dry_run, rows }: Total): string[] => {
  const planned = dry_run ? rows.filter(({ action }) => action === 'created' || action === 'updated') : [];
  if (planned.length === 0) return [];
  const columns = [{ title: 'row', right: true }, { title: 'action' }, { title: 'changes', width: 90 }];
  const shown = planned.slice(0, SHOWN).map((one) => [count(one.row), one.action, changeText(one)]);
  return [tableOf(columns, shown), ...more(planned.length)];
};

const ignoredText = (columns: readonly string[]): string[] =>
  columns.length === 0
    ? []
    : [`Ignored columns: ${clip(columns.join(', '), 400)} (import them with --map "Column=attributes.name")`];

const reportText = (total: Total): string => {
  const counts = tableOf(
    [{ title: total.dry_run ? 'action' : 'result' }, { title: 'rows', right: true }],
    (['created', 'updated', 'unchanged', 'failed'] as const).map((action) => [action, count(total[action])]),
  );
  const stopped = total.stopped ? ['Stopped: too many rows failed.'] : [];
  const warnings = total.warnings.slice(0, SHOWN).map((text) => `Warning: ${text}`);
  const ignored = ignoredText(total.ignored_columns);
  return [counts, ...plannedText(total), ...failedText(total.rows), ...stopped, ...warnings, ...ignored].join('\n');
};

const isScanner = (kind: string): kind is Scanner => (SCANNERS as readonly string[]).includes(kind);

export const addImport = (program: Command, { screen }: CliEnvironment): Command =>
  connected(program.command('import'))
    .description('import CIs or relationships (CSV, JSON lines), or nmap and Ansible scan results')
    .addArgument(
      new Argument('<kind>', 'content: ci, relationships, nmap or ansible').choices([
        'ci',
        'relationships',
        ...SCANNERS,
      ]),
    )
    .argument(
      '<file>',
      'CSV file with a header, JSON lines, nmap -oX output, or Ansible facts (file or ansible --tree directory)',
    )
    .option('--dry-run', 'preview only, write nothing')
    .addOption(new Option('--format <format>', 'file format; default: from the file extension').choices(FORMATS))
    .addOption(
      new Option(
        '--map <Column=field>',
        'map a CSV column to a field, for example "Device type=attributes.model" (repeatable)',
      ).argParser((pair, before: readonly string[] | undefined) => [...(before ?? []), pair]),
    )
    .option('--scanner <id>', 'scanner ID (nmap, ansible)')
    .action(async (kind: string, file: string, options: ImportOptions & ScanOptions) => {
      if (isScanner(kind)) return importScan(screen, kind, file, options);
      const quiet: Screen = options.json ? { print: () => {}, isTerminal: false } : screen;
      const upload = {
        kind,
        file,
        format: formatOf(file, options.format),
        dryRun: options.dryRun ?? false,
        map: options.map ?? [],
      };
      const total = await uploaded(clientOf(options), quiet, upload);
      if (total.total === 0)
        throw new CliError(`${file} has no rows: expected a header row and data rows, or JSON lines`);
      show(screen, options, total, reportText);
      if (total.failed > 0) throw new CliError(`${count(total.failed)} of ${count(total.total)} rows failed`);
    });
