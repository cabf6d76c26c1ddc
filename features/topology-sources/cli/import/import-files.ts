import type { Command } from 'commander';
import { CliError } from '#cli/client/client.ts';
import { clientOf, connected, show } from '#cli/client/connection.ts';
import type { CliEnvironment } from '#cli/terminal/environment.ts';
import { assertDefined } from '#domain/assert.ts';
import { convertAwsConfig } from '#features/topology-sources/rules/converters/aws-config.ts';
import { convertAzureGraph } from '#features/topology-sources/rules/converters/azure-graph.ts';
import { convertBackstage } from '#features/topology-sources/rules/converters/backstage.ts';
import { convertConsul } from '#features/topology-sources/rules/converters/consul.ts';
import {
  type Conversion,
  type Converter,
  type FileDocument,
  FormatError,
} from '#features/topology-sources/rules/converters/conversion.ts';
import { convertTerraform } from '#features/topology-sources/rules/converters/terraform.ts';
import type { SyncReportBody } from '#features/topology-sources/schemas/sync.ts';
import { jsonDocuments, yamlDocuments } from './documents.ts';
import { previewText, syncRows } from './preview.ts';
import { type SyncOptions, syncPath, syncText } from './sync-request.ts';

interface FileFormatEntry {
  readonly convert: Converter;
  readonly read: (file: string) => readonly FileDocument[];
  readonly files: string;
}
const FORMATS: Readonly<Record<string, FileFormatEntry>> = {
  terraform: {
    convert: convertTerraform,
    read: jsonDocuments,
    files: 'Terraform state files, or output of terraform show -json',
  },
  backstage: { convert: convertBackstage, read: yamlDocuments, files: 'Backstage catalog files (catalog-info.yaml)' },
  consul: {
    convert: convertConsul,
    read: jsonDocuments,
    files: 'replies of the Consul catalog, health and intentions API, or service definitions',
  },
  'aws-config': { convert: convertAwsConfig, read: jsonDocuments, files: 'AWS Config snapshots' },
  'azure-graph': {
    convert: convertAzureGraph,
    read: jsonDocuments,
    files: 'results of Azure Resource Graph (az graph query), all pages',
  },
};

interface FilesOptions extends SyncOptions {
  readonly source?: string;
}

function converted({ convert, read }: FileFormatEntry, files: readonly string[]): Conversion {
  try {
    return convert(files.flatMap(read));
  } catch (error) {
    throw error instanceof FormatError ? new CliError(error.message) : error;
  }
}

/** Adds a command per format below `import`. */
export function addFileImports(program: Command, { screen }: CliEnvironment): void {
  const found = program.commands.find((command) => command.name() === 'import');
  const parent = assertDefined(found, 'command import');
  // Options after the name of a format are those of its own command.
  for (const command of [program, parent]) command.enablePositionalOptions();
  for (const [name, format] of Object.entries(FORMATS)) {
    connected(parent.command(name).argument('<files...>', format.files))
      .description(`sync CIs and relationships in ${format.files}`)
      .option('--source <name>', `name of the source; default: ${name}`)
      .option('--dry-run', 'preview only, write nothing')
      .option('--grace <time>', 'time until missing CIs are retired, for example 1h')
      .option('--confirm', 'allow retiring more than 30% of what the source reported before')
      .action(async (files: readonly string[], options: FilesOptions) => {
        const conversion = converted(format, files);
        const set = conversion.set.set();
        const preview = previewText(set, conversion);
        if (set.cis.length === 0) throw new CliError(`The files have no CIs.\n${preview}`);
        if (!options.json) show(screen, options, preview, String);
        const path = syncPath(options.source ?? name, { ...options, full: true });
        const report = await clientOf(options).upload<SyncReportBody>(path, syncRows(set), 'application/x-ndjson');
        show(screen, options, report, syncText);
      });
  }
}
