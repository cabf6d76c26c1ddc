import { Argument, type Command, Option } from 'commander';
import { type ConnectionOptions, clientOf, connected } from '#infra/cli/client/connection.ts';
import { type FileFormat, FORMATS, formatOf } from '#infra/cli/files/file-format.ts';
import { written } from '#infra/cli/files/written.ts';
import type { CliEnvironment } from '#infra/cli/terminal/environment.ts';

interface Options extends ConnectionOptions {
  readonly format?: FileFormat;
  readonly output: string;
}

export const addExport = (program: Command, { screen }: CliEnvironment): Command =>
  connected(program.command('export'))
    .description('export configuration items or relationships into a file that import takes')
    .addArgument(new Argument('<kind>', 'what to export').choices(['ci', 'relationships']))
    .requiredOption('--output <file>', 'file to write')
    .addOption(new Option('--format <format>', 'by default as the file is called').choices(FORMATS))
    .action(async (kind: string, options: Options) => {
      const { output } = options;
      const format = formatOf(output, options.format);
      await written(clientOf(options).download(`/v1/cmdb/export/${kind}?format=${format}`), output);
      screen.print(options.json ? JSON.stringify({ file: output }) : `written to ${output}`);
    });
