import type { Command } from 'commander';
import { type ConnectionOptions, clientOf, connected, show } from '../connection.ts';
import type { EventsReply } from '../replies.ts';
import { clip, moment, tableOf } from '../screen.ts';
import type { World } from '../world.ts';

interface Options extends ConnectionOptions {
  readonly status?: string;
  readonly severity?: string;
  readonly source?: string;
  readonly range?: string;
  readonly group?: string;
  readonly search?: string;
  readonly limit: string;
  readonly page: string;
}

const eventTable = ({ events, pagination }: EventsReply): string => {
  if (events.length === 0) return 'No events. Send some with: faultline send FILE…, or see the demo: faultline demo';
  const table = tableOf(
    [
      { title: 'time (UTC)' },
      { title: 'event' },
      { title: 'severity' },
      { title: 'status' },
      { title: 'title', width: 36 },
      { title: '×', right: true },
    ],
    events.map(({ timestamp, eventId, severity, status, title, ciId, hostname, occurrenceCount }) => [
      moment(timestamp).slice(5),
      eventId,
      severity,
      status,
      `${ciId?.name ?? hostname ?? 'no host'}: ${clip(title, 80)}`,
      String(occurrenceCount),
    ]),
  );
  return `${table}\n${events.length} of ${pagination.total} events`;
};

export const addEvents = (program: Command, { screen }: World): Command =>
  connected(program.command('events'))
    .description('list events, newest first')
    .option('--status <list>', 'open, acknowledged, resolved, suppressed or all')
    .option('--severity <list>', 'critical, major, minor, warning, info')
    .option('--source <list>', 'monitoring systems')
    .option('--range <range>', 'how far back, such as 1h, 24h, 7d')
    .option('--group <id>', 'members of one group')
    .option('--search <text>', 'words of the title or description')
    .option('--limit <n>', 'per page', '25')
    .option('--page <n>', 'page', '1')
    .action(async (options: Options) => {
      const { status, severity, source, range, group, search, limit, page } = options;
      const asked = { status, severity, source, timeRange: range, correlationId: group, search, limit, page };
      const query = new URLSearchParams(
        Object.entries(asked).filter(([, value]) => value !== undefined) as [string, string][],
      );
      show(screen, options, await clientOf(options).get<EventsReply>(`/api/events?${query}`), eventTable);
    });
