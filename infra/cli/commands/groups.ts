import type { Command } from 'commander';
import { type ConnectionOptions, clientOf, connected, queryOf, show } from '#infra/cli/client/connection.ts';
import type { GroupsReply } from '#infra/cli/client/replies.ts';
import type { CliEnvironment } from '#infra/cli/terminal/environment.ts';
import { moment, tableOf } from '#infra/cli/terminal/screen.ts';
import { titleOf } from './event-texts.ts';

interface Options extends ConnectionOptions {
  readonly status?: string;
  readonly range?: string;
  readonly limit: string;
}

export const groupTable = ({ groups, pagination }: GroupsReply): string => {
  if (groups.length === 0) return 'No groups: no two events belong together yet.';
  const table = tableOf(
    [
      { title: 'group' },
      { title: 'status' },
      { title: 'worst' },
      { title: 'open', right: true },
      { title: 'from (UTC)' },
      { title: 'size', right: true },
      { title: 'root cause', width: 32 },
      { title: 'sure', right: true },
    ],
    groups.map(({ correlationId, timeSpan, eventCount, rootCause, rootCauseCandidate: root, ...group }) => [
      correlationId,
      group.status,
      group.severity ?? '–',
      String(group.counts.open),
      moment(timeSpan.start).slice(5, 16),
      String(eventCount),
      rootCause ? titleOf(rootCause, 60) : 'none',
      root ? `${Math.round(root.confidence * 100)} %` : '–',
    ]),
  );
  return `${table}\n${groups.length} of ${pagination.total} groups`;
};

export const addGroups = (program: Command, { screen }: CliEnvironment): Command =>
  connected(program.command('groups'))
    .description('list groups of events that belong to one fault, with their root cause')
    .option('--status <status>', 'active, acknowledged or resolved')
    .option('--range <range>', 'how far back, such as 1h, 24h, 7d')
    .option('--limit <n>', 'how many', '25')
    .action(async (options: Options) => {
      const { status, range, limit } = options;
      const query = queryOf({ limit, status, timeRange: range });
      show(screen, options, await clientOf(options).get<GroupsReply>(`/api/events/groups?${query}`), groupTable);
    });
