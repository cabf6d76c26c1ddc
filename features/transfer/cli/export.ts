import { Argument, type Command, Option } from 'commander';
import { type ConnectionOptions, clientOf, connected } from '#cli/client/connection.ts';
import { type FileFormat, FORMATS, formatOf } from '#cli/files/file-format.ts';
import { written } from '#cli/files/written.ts';
import type { CliEnvironment } from '#cli/terminal/environment.ts';

interface ExportOptions extends ConnectionOptions {
  readonly format?: FileFormat;
  readonly output: string;
}

export const addExport = (program: Command, { screen }: CliEnvironment): Command =>
  connected(program.command('export'))
    .description('export CIs or relationships to a file that import accepts')
    .addArgument(new Argument('<kind>', 'content: ci or relationships').choices(['ci', 'relationships']))
    .requiredOption('--output <file>', 'output file')
    .addOption(new Option('--format <format>', 'file format; default: from the file extension').choices(FORMATS))
    .action(async (kind: string, options: ExportOptions) => {
      const { output } = options;
      const format = formatOf(output, options.format);
      await written(clientOf(options).download(`/v1/cmdb/export/${kind}?format=${format}`), output);
      screen.print(options.json ? JSON.stringify({ file: output }) : `written to ${output}`);
    });
