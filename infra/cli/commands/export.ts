import { createWriteStream } from 'node:fs';
import { rename, rm, stat } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Argument, type Command, Option } from 'commander';
import { CliError } from '#infra/cli/client/client.ts';
import { type ConnectionOptions, clientOf, connected } from '#infra/cli/client/connection.ts';
import { FORMATS, type Format, formatOf } from '#infra/cli/files/file-format.ts';
import type { CliEnvironment } from '#infra/cli/terminal/environment.ts';

interface Options extends ConnectionOptions {
  readonly format?: Format;
  readonly output: string;
}

/** Whether there is something other than a file, such as a pipe or a terminal: it cannot be replaced. */
const isDevice = async (file: string): Promise<boolean> => {
  const found = await stat(file).catch((): null => null);
  return found !== null && !found.isFile();
};

/** What the file held before stays until all of the new content is there. */
const written = async (content: AsyncIterable<Uint8Array>, file: string): Promise<void> => {
  const part = (await isDevice(file)) ? file : `${file}.part`;
  try {
    await pipeline(Readable.from(content), createWriteStream(part));
    if (part !== file) await rename(part, file);
  } catch (error) {
    if (part !== file) await rm(part, { force: true });
    if (error instanceof CliError) throw error;
    throw new CliError(`${file} could not be written: ${error instanceof Error ? error.message : String(error)}`);
  }
};

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
