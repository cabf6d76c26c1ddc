import type { Command } from 'commander';
import { type ConnectionOptions, clientOf, connected, show } from '#infra/cli/client/connection.ts';
import type { PipelineReply } from '#infra/cli/client/replies.ts';
import type { World } from '#infra/cli/terminal/environment.ts';
import { count, tableOf } from '#infra/cli/terminal/screen.ts';

const lettersText = ({ waiting, at_least }: PipelineReply['data']['dead_letters']): string =>
  waiting === 0 ? 'No dead letters wait.' : `${at_least ? 'At least ' : ''}${count(waiting)} dead letters wait.`;

const pipelineTable = ({ data: { processors, dead_letters } }: PipelineReply): string => {
  const table = tableOf(
    [
      { title: 'processor' },
      { title: 'reads' },
      { title: 'status' },
      { title: 'members', right: true },
      { title: 'lag', right: true },
      { title: 'what is wrong', width: 40 },
    ],
    processors.map(({ name, input, status, members, lag, detail, last_error }) => [
      ...[name, input, status, String(members), count(lag)],
      detail ?? last_error?.message ?? (status === 'running' ? '' : '–'),
    ]),
  );
  return `${table}\n${lettersText(dead_letters)}`;
};

export const addPipeline = (program: Command, { screen }: World): Command =>
  connected(program.command('pipeline'))
    .description('show the processors: who runs them, how far they are, what is wrong')
    .action(async (options: ConnectionOptions) => {
      show(screen, options, await clientOf(options).get<PipelineReply>('/api/admin/pipeline'), pipelineTable);
    });
