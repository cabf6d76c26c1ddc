import { statSync } from 'node:fs';
import { Argument, type Command, Option } from 'commander';
import { importScan, SCANNERS, type Scanner, type ScanOptions } from '#features/discovery/cli/import-scan.ts';
import type { ImportReportBody } from '#features/transfer/schemas/transfer.ts';
import { CliError, type Client } from '#infra/cli/client/client.ts';
import { type ConnectionOptions, clientOf, connected, show } from '#infra/cli/client/connection.ts';
import { type FileFormat, FORMATS, formatOf } from '#infra/cli/files/file-format.ts';
import { partsOf } from '#infra/cli/files/file-parts.ts';
import type { CliEnvironment } from '#infra/cli/terminal/environment.ts';
import { openProgress } from '#infra/cli/terminal/progress.ts';
import { clip, count, type Screen, tableOf } from '#infra/cli/terminal/screen.ts';

const TYPES: Readonly<Record<FileFormat, string>> = { csv: 'text/csv', jsonl: 'application/x-ndjson' };

interface Options extends ConnectionOptions {
  readonly dryRun?: boolean;
  readonly format?: FileFormat;
  readonly map?: readonly string[];
}

/** Rows per request: a report lists as many. */
const PART_ROWS = 10_000;
/** Rows of each kind shown to a person. */
const SHOWN = 20;

const sizeOf = (file: string): number => {
  try {
    return statSync(file).size;
  } catch {
    throw new CliError(`${file} cannot be read`);
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

const asOneName = (text: string): string => text.trim().replace(/[\\,:]/g, '\\$&');
/** `Column=field` as the server takes it. Throws CliError for anything else. */
const mapped = (pairs: readonly string[]): string =>
  pairs
    .map((pair) => {
      const at = pair.lastIndexOf('=');
      const [column, field] = [pair.slice(0, at), pair.slice(at + 1)];
      if (at < 1 || field.trim() === '') throw new CliError(`--map expects Column=field, got ${pair}`);
      return `${asOneName(column)}:${asOneName(field)}`;
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

type Row = Total['rows'][number];

const valueText = (value: unknown): string => (value === null ? '–' : clip(JSON.stringify(value) ?? '–', 60));
const changeText = ({ changes = [] }: Row): string =>
  changes.map(({ field, before, after }) => `${field}: ${valueText(before)} → ${valueText(after)}`).join('\n');
const more = (length: number): string[] =>
  length > SHOWN ? [`and ${count(length - SHOWN)} more; --json lists all`] : [];

const failedText = (rows: readonly Row[]): string[] => {
  const failed = rows.filter(({ action }) => action === 'failed');
  if (failed.length === 0) return [];
  const columns = [
    { title: 'row', right: true },
    { title: 'why it failed', width: 90 },
  ];
  const shown = failed.slice(0, SHOWN).map(({ row, error }) => [count(row), clip(error ?? '', 160)]);
  return [tableOf(columns, shown), ...more(failed.length)];
};

/** Rows that a dry run would create or update. */
const plannedText = ({ dry_run, rows }: Total): string[] => {
  const planned = dry_run ? rows.filter(({ action }) => action === 'created' || action === 'updated') : [];
  if (planned.length === 0) return [];
  const columns = [{ title: 'row', right: true }, { title: 'would be' }, { title: 'what would change', width: 90 }];
  const shown = planned.slice(0, SHOWN).map((one) => [count(one.row), one.action, changeText(one)]);
  return [tableOf(columns, shown), ...more(planned.length)];
};

const ignoredText = (columns: readonly string[]): string[] =>
  columns.length === 0
    ? []
    : [`Ignored columns: ${clip(columns.join(', '), 400)} (import them with --map "Column=attributes.name")`];

const reportText = (total: Total): string => {
  const counts = tableOf(
    [{ title: total.dry_run ? 'would be' : 'became' }, { title: 'rows', right: true }],
    (['created', 'updated', 'unchanged', 'failed'] as const).map((action) => [action, count(total[action])]),
  );
  const stopped = total.stopped ? ['Stopped: too many rows failed, the rest was not looked at.'] : [];
  const warnings = total.warnings.slice(0, SHOWN).map((text) => `Warning: ${text}`);
  const ignored = ignoredText(total.ignored_columns);
  return [counts, ...plannedText(total), ...failedText(total.rows), ...stopped, ...warnings, ...ignored].join('\n');
};

const isScanner = (kind: string): kind is Scanner => (SCANNERS as readonly string[]).includes(kind);

export const addImport = (program: Command, { screen }: CliEnvironment): Command =>
  connected(program.command('import'))
    .description(
      'import configuration items or relationships from a CSV or JSON lines file, or machines that nmap or Ansible have found',
    )
    .addArgument(new Argument('<kind>', 'what the file holds').choices(['ci', 'relationships', ...SCANNERS]))
    .argument(
      '<file>',
      'a CSV file with a header, one JSON object per line, output of nmap -oX, or facts of Ansible (a file, or a directory of ansible --tree)',
    )
    .option('--dry-run', 'write nothing, say per row what would happen')
    .addOption(new Option('--format <format>', 'by default as the file is called').choices(FORMATS))
    .addOption(
      new Option(
        '--map <Column=field>',
        'field of a CSV column, such as "Device type=attributes.model"; may be repeated',
      ).argParser((pair, before: readonly string[] | undefined) => [...(before ?? []), pair]),
    )
    .option('--scanner <id>', 'of nmap and ansible: which scanner it was, whose listeners a later scan replaces')
    .action(async (kind: string, file: string, options: Options & ScanOptions) => {
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
        throw new CliError(`${file} has no rows: expected a header and rows below it, or JSON lines`);
      show(screen, options, total, reportText);
      if (total.failed > 0) throw new CliError(`${count(total.failed)} of ${count(total.total)} rows failed`);
    });
