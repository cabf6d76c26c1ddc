import type { Command } from 'commander';
import { type ConnectionOptions, clientOf, connected, queryOf, show } from '#cli/client/connection.ts';
import type { GroupReply, GroupsReply } from '#cli/client/replies.ts';
import { assigneeOf, titleOf } from '#cli/commands/event-texts.ts';
import type { CliEnvironment } from '#cli/terminal/environment.ts';
import { clip, moment, tableOf } from '#cli/terminal/screen.ts';
import { percent } from '#domain/numbers.ts';

interface GroupListOptions extends ConnectionOptions, Readonly<Partial<Record<(typeof FILTERS)[number][0], string>>> {
  readonly range?: string;
  readonly ids?: boolean;
  readonly limit: string;
  readonly page: string;
}

/** Options that are filters of the same name, with their descriptions. */
const FILTERS = [
  ['status', 'status: active, acknowledged or resolved, comma-separated'],
  ['severity', 'severity (highest open event, else highest), comma-separated'],
  ['service', 'service name'],
  ['source', 'source'],
  ['host', 'hostname'],
  ['assignee', 'assignee: me (with my teams), none, or a user or team ID'],
  ['verdict', 'verdict: right, wrong, unknown or none'],
  ['search', 'search event title and description'],
  ['from', 'start time (ISO 8601)'],
  ['to', 'end time'],
] as const;

const NONE = 'No groups yet.';
const NONE_LIKE_THAT = 'No groups match these filters.';

/** Returns the cause with its assignee. */
export const causeOf = ({
  rootCause,
  causeByParts: whole,
  ...care
}: Pick<GroupReply, 'rootCause' | 'causeByParts' | 'assignedTo' | 'assignedTeam'>): string => {
  const assignee = assigneeOf(care);
  const place = whole === null ? '' : ` on ${whole.name}`;
  return `${rootCause ? `${titleOf(rootCause, 60)}${place}` : 'no root cause'}${assignee && ` (assigned to ${clip(assignee, 40)})`}`;
};

export const groupTable = ({ groups, pagination }: GroupsReply): string => {
  if (groups.length === 0) return NONE;
  const table = tableOf(
    [
      'group',
      'status',
      'severity',
      { title: 'open', right: true },
      'from (UTC)',
      { title: 'events', right: true },
      { title: 'root cause', width: 26 },
      { title: 'confidence', right: true },
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
    'list groups with their probable root cause, most urgent first',
  );
  for (const [filter, meaning] of FILTERS) command.option(`--${filter} <text>`, meaning);
  return command
    .option('--range <range>', 'time range, for example 1h, 24h, 7d')
    .option('--ids', 'print IDs only, one per line')
    .option('--limit <n>', 'results per page', '25')
    .option('--page <n>', 'page', '1')
    .action(async (options: GroupListOptions) => {
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
