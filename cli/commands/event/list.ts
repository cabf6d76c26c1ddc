import type { Command } from 'commander';
import type { Client } from '#cli/client/client.ts';
import { type ConnectionOptions, clientOf, connected, queryOf, show } from '#cli/client/connection.ts';
import type { EventsReply } from '#cli/client/replies.ts';
import { eventTable } from '#cli/commands/event-texts.ts';
import { noGroup } from '#cli/commands/find-group.ts';
import type { CliEnvironment } from '#cli/terminal/environment.ts';

interface EventListOptions extends ConnectionOptions {
  readonly status?: string;
  readonly severity?: string;
  readonly source?: string;
  readonly range?: string;
  readonly group?: string;
  readonly search?: string;
  readonly host?: string;
  readonly service?: string;
  readonly environment?: string;
  readonly tag?: string;
  readonly assignee?: string;
  readonly from?: string;
  readonly to?: string;
  readonly ids?: boolean;
  readonly limit: string;
  readonly page: string;
}

/** Options that are filters of the same name. */
const FILTERS: Readonly<Record<string, string>> = {
  host: 'hostname pattern (* and ?)',
  service: 'service name',
  environment: 'environment',
  tag: 'any of these tags',
  assignee: 'me (with my teams), none, or the ID or name of a user or team',
  from: 'start time (ISO 8601)',
  to: 'end time',
};

const NONE = 'No events. Send events with "faultline send FILE…" or run "faultline demo".';
const NONE_LIKE_THAT = 'No events match these filters.';
const NONE_OF_GROUP = 'No events in this group match these filters.';

const noneText = (options: EventListOptions): string => {
  if (options.group !== undefined) return NONE_OF_GROUP;
  const { status, severity, source, range, search } = options;
  const others = Object.keys(FILTERS).map((name) => options[name as keyof EventListOptions]);
  return [status, severity, source, range, search, ...others].some((filter) => filter !== undefined)
    ? NONE_LIKE_THAT
    : NONE;
};

const listText =
  (options: EventListOptions) =>
  ({ events, pagination }: EventsReply): string => {
    if (options.ids) return events.map(({ eventId }) => eventId).join('\n');
    if (events.length === 0) return noneText(options);
    return `${eventTable(events)}\n${events.length} of ${pagination.total} events`;
  };

const eventsOf = (client: Client, asked: Readonly<Record<string, string | undefined>>): Promise<EventsReply> =>
  client.get<EventsReply>(`/api/events?${queryOf(asked)}`);

/** A group is known by its events. */
const requireGroup = async (client: Client, group: string): Promise<void> => {
  const { pagination } = await eventsOf(client, { correlationId: group, limit: '1' });
  if (pagination.total === 0) throw noGroup(group);
};

export const addEventList = (parent: Command, { screen }: CliEnvironment, name: string): Command => {
  const command = connected(parent.command(name))
    .description('list events, newest first')
    .option('--status <list>', 'status: open, acknowledged, resolved, suppressed or all')
    .option('--severity <list>', 'critical, major, minor, warning, info')
    .option('--source <list>', 'sources, comma-separated');
  for (const [filter, meaning] of Object.entries(FILTERS)) command.option(`--${filter} <text>`, meaning);
  return command
    .option('--range <range>', 'time range, for example 1h, 24h, 7d')
    .option('--group <id>', 'events of one group')
    .option('--search <text>', 'search title, description and hostname (word prefixes)')
    .option('--ids', 'print IDs only, one per line')
    .option('--limit <n>', 'results per page', '25')
    .option('--page <n>', 'page', '1')
    .action(async (options: EventListOptions) => {
      const { status, severity, source, range, group, search, limit, page, json } = options;
      const client = clientOf(options);
      const given = Object.fromEntries(
        Object.keys(FILTERS).map((filter) => [filter, options[filter as keyof EventListOptions]]),
      );
      const asked = {
        status,
        severity,
        source,
        timeRange: range,
        correlationId: group,
        search,
        limit,
        page,
        view: json ? undefined : 'row',
        ...(given as Record<string, string | undefined>),
      };
      const reply = await eventsOf(client, asked);
      if (group !== undefined && reply.pagination.total === 0) await requireGroup(client, group);
      show(screen, options, reply, listText(options));
    });
};

export const addEvents = (program: Command, environment: CliEnvironment): Command =>
  addEventList(program, environment, 'events');
