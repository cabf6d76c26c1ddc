import type { Command } from 'commander';
import { CliError, type Client } from '#infra/cli/client/client.ts';
import { type ConnectionOptions, clientOf, connected, queryOf, show } from '#infra/cli/client/connection.ts';
import type {
  AnalysisReply,
  EventDetailReply,
  EventReply,
  EventsReply,
  GroupAnalysisReply,
} from '#infra/cli/client/replies.ts';
import type { CliEnvironment } from '#infra/cli/terminal/environment.ts';
import { count, moment } from '#infra/cli/terminal/screen.ts';
import { analysisLines } from './analysis-texts.ts';
import { eventTable, titleOf } from './event-texts.ts';

interface Shown {
  readonly group: GroupAnalysisReply;
  /** Absent before the group was quiet for a while. */
  readonly analysis?: AnalysisReply;
  /** Members that were looked at, the oldest first. */
  readonly events: readonly EventReply[];
  readonly total: number;
  readonly truncated: boolean;
}

/** Members that are looked at, and shown. */
const LOOKED_AT = 1_000;
const PAGE = 100;
const SHOWN = 50;
const EXPLAINED = 12;
const STATUSES = ['open', 'acknowledged', 'suppressed', 'resolved'];
const SEVERITIES = ['critical', 'major', 'minor', 'warning', 'info'];

const membersOf = async (client: Client, id: string): Promise<Pick<Shown, 'events' | 'total'>> => {
  const events: EventReply[] = [];
  for (let page = 1; ; page++) {
    const asked = { correlationId: id, sortOrder: 'asc', limit: String(PAGE), page: String(page) };
    const reply = await client.get<EventsReply>(`/api/events?${queryOf(asked)}`);
    events.push(...reply.events);
    const { total } = reply.pagination;
    if (reply.events.length < PAGE || events.length >= Math.min(total, LOOKED_AT)) return { events, total };
  }
};

/** A group is shown with each of its events. */
const groupOf = async (client: Client, id: string): Promise<Shown> => {
  const { events, total } = await membersOf(client, id);
  const [first] = events;
  const reply = first && (await client.get<EventDetailReply>(`/api/events/${encodeURIComponent(first.eventId)}`));
  const group = reply?.correlationGroup?.analysis;
  if (group === undefined) throw new CliError(`no group ${id} — list them with: faultline groups`, 404);
  const analysis = reply?.correlationGroup?.aiAnalysis;
  return { group, ...(analysis && { analysis }), events, total, truncated: events.length < total };
};

const countsOf = (events: readonly EventReply[]): string =>
  STATUSES.map((status) => [status, events.filter((event) => event.status === status).length] as const)
    .filter(([, events]) => events > 0)
    .map(([status, events]) => `${count(events)} ${status}`)
    .join(', ');

/** Of the open ones; when none is open, of all. */
const worstOf = (events: readonly EventReply[]): string => {
  const open = events.filter(({ status }) => status === 'open');
  const among = open.length > 0 ? open : events;
  const worst = SEVERITIES.find((severity) => among.some((event) => event.severity === severity));
  return open.length > 0 ? `worst open: ${worst}` : `none open; worst: ${worst}`;
};

/** By id, as people call them; what is not among the members keeps its id. */
const namesIn = (events: readonly EventReply[]) => {
  const titles = new Map(events.map((event) => [event.eventId, titleOf(event, 80)]));
  const cis = new Map(events.flatMap(({ ciId }) => (ciId ? [[ciId._id, ciId.name] as const] : [])));
  return {
    event: (id: string) => [id, titles.get(id)].filter((part) => part !== undefined).join(' '),
    ci: (id: string) => cis.get(id) ?? id,
  };
};

const causeLines = ({ group: { rootCauseCandidate: root }, events }: Shown): string[] => {
  if (root === null) return ['root cause:    none'];
  const names = namesIn(events);
  const why = `${root.reasoning.replaceAll('_', ' ')}, ${Math.round(root.confidence * 100)} %`;
  const explained = root.explains.map(({ ciId, hops }) => `${names.ci(ciId)} (${hops})`);
  const rest = explained.length > EXPLAINED ? ` and ${explained.length - EXPLAINED} more` : '';
  return [
    `root cause:    ${names.event(root.eventId)}`,
    `               ${why}`,
    ...root.alternatives.map(({ eventId, score }) => `or:            ${names.event(eventId)} (${score.toFixed(2)})`),
    ...(explained.length > 0
      ? [`explains:      ${explained.slice(0, EXPLAINED).join(', ')}${rest}; in brackets the hops to it`]
      : []),
  ];
};

/** Events that gave way to another one are shown, and do not count. */
const sizeOf = ({ group: { eventCount }, events }: Shown): string => {
  const replaced = events.filter(({ supersededBy }) => supersededBy !== undefined).length;
  return `${count(eventCount)} events${replaced === 0 ? '' : ` and ${count(replaced)} whose place another took`}`;
};

const groupText = (shown: Shown): string => {
  const { group, analysis, events, total, truncated } = shown;
  const { start, end } = group.timeSpan;
  const first = events.slice(0, SHOWN);
  const more = total > first.length ? `; all with: faultline events --group ${group.correlationId}` : '';
  return [
    `${group.correlationId}: ${sizeOf(shown)}, ${moment(start)} to ${moment(end)} UTC`,
    `${truncated ? `of the first ${count(events.length)}: ` : ''}${countsOf(events)}; ${worstOf(events)}`,
    ...causeLines(shown),
    ...(group.learningReason === undefined ? [] : [group.learningReason]),
    ...(analysis === undefined ? [] : ['', ...analysisLines(analysis), '']),
    eventTable(first),
    `${first.length} of ${count(total)} events, the oldest first${more}`,
  ].join('\n');
};

export const addGroup = (program: Command, { screen }: CliEnvironment): Command => {
  const group = program.command('group').description('look at single groups');
  connected(group.command('show').argument('<id>', 'of the group, or one that it had before'))
    .description('show a group: what is open, its root-cause candidate and its events')
    .action(async (id: string, options: ConnectionOptions) =>
      show(screen, options, await groupOf(clientOf(options), id), groupText),
    );
  return group;
};
