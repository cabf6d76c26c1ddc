import type { Command } from 'commander';
import type { CliEnvironment } from '#infra/cli/terminal/environment.ts';

const DONE = `All groups and decisions are deleted, and merge reads its PARTITIONS partitions from the start.
Start the workers: the same groups come back, under the same ids.`;

export const addRebuildGroups = (program: Command, { screen, rebuildGroups }: CliEnvironment): Command =>
  program
    .command('rebuild-groups')
    .description(
      'distributed mode: delete all groups and decisions and have them made again from the log; every process that runs merge must be stopped',
    )
    .action(async () => {
      screen.print(DONE.replace('PARTITIONS', String(await rebuildGroups())));
    });
