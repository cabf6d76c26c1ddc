import { type Command, Option } from 'commander';
import { clientOf, connected, show } from '#cli/client/connection.ts';
import { type FileFormat, FORMATS, formatOf } from '#cli/files/file-format.ts';
import type { CliEnvironment } from '#cli/terminal/environment.ts';
import type { SyncReportBody } from '#features/topology-sources/schemas/sync.ts';
import { contentOf, type SyncOptions, syncPath, syncText } from './import/sync-request.ts';

const TYPES: Readonly<Record<FileFormat, string>> = { csv: 'text/csv', jsonl: 'application/x-ndjson' };

export const addSync = (program: Command, { screen }: CliEnvironment): Command =>
  connected(program.command('sync').argument('<source>', 'name of the source').argument('<file>', 'CSV or JSON lines'))
    .description('sync the CIs and relationships of a source')
    .option('--full', 'the file is the complete set of the source; retire the rest')
    .option('--dry-run', 'preview only, write nothing')
    .option('--grace <time>', 'time until missing CIs are retired, for example 1h')
    .option('--confirm', 'allow retiring more than 30% of what the source reported before')
    .addOption(new Option('--format <format>', 'file format; default: from the file extension').choices(FORMATS))
    .action(async (source: string, file: string, options: SyncOptions & { readonly format?: FileFormat }) => {
      const path = syncPath(source, options);
      const type = TYPES[formatOf(file, options.format)];
      show(screen, options, await clientOf(options).upload<SyncReportBody>(path, contentOf(file), type), syncText);
    });
