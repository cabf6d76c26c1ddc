import type { Command } from 'commander';
import { type ConnectionOptions, clientOf, connected, show } from '#infra/cli/client/connection.ts';
import { addInPlace, type CliFeature } from '#infra/cli/commands/feature.ts';
import type { CliEnvironment } from '#infra/cli/terminal/environment.ts';

interface MergeOptions extends ConnectionOptions {
  readonly reason?: string;
}
interface Merged {
  readonly message: string;
  readonly relationships_moved: number;
  readonly relationships_ended: number;
}

const mergedText = ({ message, relationships_moved: moved, relationships_ended: ended }: Merged): string =>
  `${message}. Relationships: ${moved} moved or joined, ${ended} ended. Open events follow within seconds.`;

const addMerge = (ci: Command, { screen }: CliEnvironment): Command =>
  connected(ci.command('merge'))
    .description('say that two configuration items are one; this cannot be undone')
    .argument('<into>', 'id of the one that stays')
    .argument('<from>', 'id of the one that goes; it leads to the other from then on')
    .option('--reason <text>', 'for the audit trail')
    .action(async (into: string, from: string, options: MergeOptions) => {
      const path = `/v1/cmdb/ci/${encodeURIComponent(into)}/merge`;
      const body = { from, ...(options.reason && { reason: options.reason }) };
      show(screen, options, await clientOf(options).post<Merged>(path, body), mergedText);
    });

export const addCi =
  (features: readonly CliFeature[]) =>
  (program: Command, environment: CliEnvironment): Command => {
    const ci = program.command('ci').description('configuration items');
    const added = features.flatMap(({ ciCommands = [] }) => ciCommands);
    addInPlace(ci, environment, [{ place: 10, add: addMerge }, ...added]);
    return ci;
  };
