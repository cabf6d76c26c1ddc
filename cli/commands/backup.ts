import type { Command } from 'commander';
import type { CliEnvironment, StoredBackup } from '#cli/terminal/environment.ts';

const MIB = 1024 * 1024;
const sizeOf = ({ bytes, events }: StoredBackup): string =>
  `${events.toLocaleString('en-US')} events, ${(bytes / MIB).toFixed(1)} MiB`;

interface BackupOptions {
  readonly output: string;
}
interface RestoreOptions {
  readonly overwrite?: boolean;
}

export const addBackup = (program: Command, { screen, backUp }: CliEnvironment): Command =>
  program
    .command('backup')
    .description('embedded mode: write all data of FAULTLINE_DATA to one file; the server may run')
    .requiredOption('-o, --output <file>', 'file to write')
    .action(async ({ output }: BackupOptions) => {
      screen.print(
        `Wrote and checked ${output}: ${sizeOf(await backUp(output))}. It contains password hashes: protect it.`,
      );
    });

export const addRestore = (program: Command, { screen, restore }: CliEnvironment): Command =>
  program
    .command('restore')
    .description('embedded mode: put the data of a backup into FAULTLINE_DATA; stop the server first')
    .argument('<file>', 'file of faultline backup')
    .option('--overwrite', 'replace the data of the directory')
    .action(async (file: string, { overwrite = false }: RestoreOptions) => {
      screen.print(`Restored ${file}: ${sizeOf(await restore(file, overwrite))}. Start the server.`);
    });
