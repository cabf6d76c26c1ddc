import type { Command } from 'commander';
import { percent } from '#domain/numbers.ts';
import { type ConnectionOptions, clientOf, connected, queryOf, show } from '#infra/cli/client/connection.ts';
import type { GroupReply, GroupsReply } from '#infra/cli/client/replies.ts';
import { assigneeOf, titleOf } from '#infra/cli/commands/event-texts.ts';
import type { CliEnvironment } from '#infra/cli/terminal/environment.ts';
import { clip, moment, tableOf } from '#infra/cli/terminal/screen.ts';

interface Options extends ConnectionOptions, Readonly<Partial<Record<(typeof FILTERS)[number][0], string>>> {
  readonly range?: string;
  readonly ids?: boolean;
  readonly limit: string;
  readonly page: string;
}

/** Options that are filters of the same name, with what they are. */
const FILTERS = [
  ['status', 'active, acknowledged or resolved, several with commas'],
  ['severity', 'severity (highest open event, else highest), comma-separated'],
  ['service', 'what the sender of a member calls the service'],
  ['source', 'the monitoring system of a member'],
  ['host', 'the host name of a member'],
  ['assignee', 'me (with my teams), none, or the id of a user or team'],
  ['verdict', 'what was said of the cause: right, wrong, unknown or none'],
  ['search', 'words of the title or description of one member'],
  ['from', 'since when, ISO 8601 with offset'],
  ['to', 'until when'],
] as const;

const NONE = 'No groups: no two events belong together yet.';
const NONE_LIKE_THAT = 'No group is like that; without options, faultline groups lists all.';

/** With who takes care of it. */
export const causeOf = ({
  rootCause,
  ...care
}: Pick<GroupReply, 'rootCause' | 'assignedTo' | 'assignedTeam'>): string => {
  const assignee = assigneeOf(care);
  return `${rootCause ? titleOf(rootCause, 60) : 'no root cause'}${assignee && ` (with ${clip(assignee, 40)})`}`;
};

export const groupTable = ({ groups, pagination }: GroupsReply): string => {
  if (groups.length === 0) return NONE;
  const table = tableOf(
    [
      { title: 'group' },
      { title: 'status' },
      { title: 'severity' },
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
      causeOf({ rootCause, ...group }),
      root ? percent(root.confidence) : '–',
    ]),
  );
  return `${table}\n${groups.length} of ${pagination.total} groups`;
};

export const addGroupList = (parent: Command, { screen }: CliEnvironment, name: string): Command => {
  const command = connected(parent.command(name)).description(
    'list groups of events that belong to one fault, the most urgent first, with their root cause',
  );
  for (const [filter, meaning] of FILTERS) command.option(`--${filter} <text>`, meaning);
  return command
    .option('--range <range>', 'how far back, such as 1h, 24h, 7d')
    .option('--ids', 'print ids alone, one per line')
    .option('--limit <n>', 'per page', '25')
    .option('--page <n>', 'page', '1')
    .action(async (options: Options) => {
      const { range: timeRange, limit, page } = options;
      const given = Object.fromEntries(FILTERS.map(([filter]) => [filter, options[filter]]));
      const isAsked = [timeRange, ...Object.values(given)].some((filter) => filter !== undefined);
      const query = queryOf({ ...given, timeRange, limit, page });
      const reply = await clientOf(options).get<GroupsReply>(`/api/events/groups?${query}`);
      show(screen, options, reply, (found) => {
        if (options.ids) return found.groups.map(({ correlationId }) => correlationId).join('\n');
        return found.groups.length === 0 && isAsked ? NONE_LIKE_THAT : groupTable(found);
      });
    });
};

export const addGroups = (program: Command, environment: CliEnvironment): Command =>
  addGroupList(program, environment, 'groups');
