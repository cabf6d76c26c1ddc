import type { Command } from 'commander';
import { type ConnectionOptions, clientOf, connected, show } from '#cli/client/connection.ts';
import { addInPlace, type CliFeature } from '#cli/commands/feature.ts';
import type { CliEnvironment } from '#cli/terminal/environment.ts';

interface MergeOptions extends ConnectionOptions {
  readonly reason?: string;
}
interface Merged {
  readonly message: string;
  readonly relationships_moved: number;
  readonly relationships_ended: number;
}

const mergedText = ({ message, relationships_moved: moved, relationships_ended: ended }: Merged): string =>
  `${message}. Relationships: ${moved} moved, ${ended} removed. Open events are rebound within seconds.`;

const addMerge = (ci: Command, { screen }: CliEnvironment): Command =>
  connected(ci.command('merge'))
    .description("merge two CIs; can't be undone")
    .argument('<into>', 'ID of the CI to keep')
    .argument('<from>', 'ID of the CI to merge; it redirects to the kept CI')
    .option('--reason <text>', 'reason for the audit log')
    .action(async (into: string, from: string, options: MergeOptions) => {
      const path = `/v1/cmdb/ci/${encodeURIComponent(into)}/merge`;
      const body = { from, ...(options.reason && { reason: options.reason }) };
      show(screen, options, await clientOf(options).post<Merged>(path, body), mergedText);
    });

export const addCi =
  (features: readonly CliFeature[]) =>
  (program: Command, environment: CliEnvironment): Command => {
    const ci = program.command('ci').description('manage configuration items');
    const added = features.flatMap(({ ciCommands = [] }) => ciCommands);
    addInPlace(ci, environment, [{ place: 10, add: addMerge }, ...added]);
    return ci;
  };
