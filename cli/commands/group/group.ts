import { type Command, Option } from 'commander';
import { CliError, type Client } from '#cli/client/client.ts';
import { type ConnectionOptions, clientOf, connected, queryOf, show } from '#cli/client/connection.ts';
import type { EventReply, GroupDetailReply, MembersReply, ReplyOf } from '#cli/client/replies.ts';
import { analysisLines } from '#cli/commands/analysis-texts.ts';
import { assigneeOf, eventTable, titleOf } from '#cli/commands/event-texts.ts';
import { groupPath, ofGroup } from '#cli/commands/find-group.ts';
import type { CliEnvironment } from '#cli/terminal/environment.ts';
import { clip, count, counted, moment, tableOf } from '#cli/terminal/screen.ts';
import { CAUSE_VERDICTS, MEMBER_VERDICTS } from '#domain/correlation/grouping/group-state.ts';
import { clueWords } from '#domain/correlation/root-cause/clue-words.ts';
import { percent } from '#domain/numbers.ts';
import type { ManualCorrelateReply } from '#schemas/http/events/group-view.ts';
import type { SplitReply } from '#schemas/http/events/groups.ts';
import { addGroupList } from './list.ts';
import { addOperations } from './operate.ts';

/** A group with a page of its members. */
interface GroupWithMembers {
  readonly group: GroupDetailReply;
  /** The oldest first. */
  readonly members: readonly EventReply[];
  readonly total: number;
  readonly truncated: boolean;
}

const WIDTH = 15;
const EXPLAINED = 12;
const SERVICES = 12;
const NOTES = 20;
const SPLITS = 10;

const field = (name: string, text: string): string => `${name === '' ? '' : `${name}:`}`.padEnd(WIDTH) + text;
const spaced = (word: string): string => word.replaceAll('_', ' ');

/** The first of many, and how many there are beside them. */
const some = (all: readonly string[], most: number): string =>
  all.length <= most ? all.join(', ') : `${all.slice(0, most).join(', ')} and ${count(all.length - most)} more`;

/** Superseded events are listed, and do not count. */
const sizeOf = ({ group: { eventCount }, total }: GroupWithMembers): string =>
  `${count(eventCount)} events${total > eventCount ? ` and ${count(total - eventCount)} superseded` : ''}`;

const countsOf = ({ counts }: GroupDetailReply): string =>
  (['open', 'acknowledged', 'suppressed', 'resolved'] as const)
    .filter((status) => counts[status] > 0)
    .map((status) => `${count(counts[status])} ${status}`)
    .join(', ');

const severityOf = ({ counts, severity }: GroupDetailReply): string =>
  counts.open > 0 ? `highest severity: ${severity}` : `none open; highest severity: ${severity ?? '–'}`;

const assignmentOf = (group: GroupDetailReply): string => assigneeOf(group) || 'unassigned';

const verdictOf = ({ verdict }: GroupDetailReply): string => {
  if (verdict === null) return 'none';
  const { cause, rootEventId, members, note, by, at } = verdict;
  const was = rootEventId === undefined ? '' : `, actual: ${rootEventId}`;
  const said = note === undefined ? '' : `: ${clip(note, 200)}`;
  return `root cause ${cause}${was}; events ${spaced(members)}${said} (${by.name}, ${moment(at)})`;
};

const partsOf = (parts: NonNullable<GroupDetailReply['cause']>['parts']): string[] =>
  parts === null
    ? []
    : [
        field(
          'score parts',
          `coverage ${parts.coverage.toFixed(2)}, evidence ${parts.evidence.toFixed(2)}, earliness ${parts.earliness.toFixed(2)}, severity ${parts.severity.toFixed(2)}, known pattern ${parts.knownPattern.toFixed(2)}`,
        ),
      ];

const causeLines = ({ group: { cause }, members }: GroupWithMembers): string[] => {
  if (cause === null) return [field('root cause', 'none')];
  const { event, ci, reasoning, confidence, parts, evidence, alternatives, explains } = cause;
  const titles = new Map(members.map((member) => [member.eventId, titleOf(member, 80)]));
  const others = alternatives.map(({ eventId, title, ciName, score }) => {
    const known = [ciName, title].filter((name) => name !== null).join(': ');
    return field('alternatives', `${eventId} ${titles.get(eventId) ?? clip(known, 100)} (${score.toFixed(2)})`);
  });
  const explained = explains.map(({ ciId, name, hops }) => `${name ?? ciId} (${hops})`);
  return [
    field('root cause', `${event.eventId} ${titleOf(event, 80)}`),
    ...(ci === null ? [] : [field('', `${ci.name}, ${ci.type} (${ci.id})`)]),
    field('', `${spaced(reasoning)}, ${percent(confidence)}`),
    ...partsOf(parts),
    ...evidence.map((clue) => field('evidence', `${clip(clue.title ?? clue.eventId, 80)}: ${clueWords(clue)}`)),
    ...others,
    ...(explained.length > 0 ? [field('explains', `${some(explained, EXPLAINED)} (hops in parentheses)`)] : []),
  ];
};

const serviceLines = ({ impactedServices }: GroupDetailReply): string[] => {
  const services = impactedServices.map(({ name, impact }) => `${name} (${spaced(impact)})`);
  return services.length === 0 ? [] : [field('services', some(services, SERVICES))];
};

/** The newest, in the order they were written in. */
const noteLines = ({ notes }: GroupDetailReply): string[] => {
  if (notes.length === 0) return [];
  const rows = [...notes].sort((a, b) => a.at.localeCompare(b.at)).slice(-NOTES);
  const table = tableOf(
    ['time (UTC)', { title: 'user', width: 18 }, { title: 'note', width: 70 }],
    rows.map(({ at, by, text }) => [moment(at), clip(by.name, 60), text]),
  );
  return ['', table, `${rows.length} of ${count(notes.length)} notes`, ''];
};

/** Returns the lines on splits, which explain why two groups are separate. */
const splitLines = ({ history }: GroupDetailReply): string[] =>
  history
    .filter(({ kind }) => kind === 'split')
    .slice(-SPLITS)
    .map(({ at, by, text }) => field('split', `${clip(text, 200)} (${by.name}, ${moment(at)})`));

const groupText = (shown: GroupWithMembers): string => {
  const { group, members, total, truncated } = shown;
  const { start, end } = group.timeSpan;
  const more = truncated ? `; all with: faultline events --group ${group.correlationId}` : '';
  return [
    `${group.correlationId}: ${sizeOf(shown)}, ${moment(start)} to ${moment(end)} UTC`,
    group.summary,
    `${countsOf(group)}; ${severityOf(group)}`,
    field('status', `${group.status}${group.growing ? ', growing' : ''}`),
    field('assignee', assignmentOf(group)),
    ...causeLines(shown),
    ...serviceLines(group),
    field('verdict', verdictOf(group)),
    ...splitLines(group),
    ...(group.learningReason === undefined ? [] : [group.learningReason]),
    ...(group.aiAnalysis === undefined ? [] : ['', ...analysisLines(group.aiAnalysis), '']),
    ...noteLines(group),
    eventTable(members),
    `${members.length} of ${count(total)} events, oldest first${more}`,
  ].join('\n');
};

interface GroupMergeOptions extends ConnectionOptions {
  readonly reason?: string;
}

/** Each is requested twice; the default limit of requests allows a hundred per minute. */
const MAX_GROUPS = 20;
/** Maximum of members that are searched for one that is not superseded. */
const LOOKED_AT = 50;

const memberOf = async (client: Client, id: string): Promise<string> => {
  const { members } = await ofGroup(id, client.get<MembersReply>(`${groupPath(id)}/members?limit=${LOOKED_AT}`));
  const member = members.find(({ supersededBy }) => supersededBy === undefined) ?? members[0];
  if (member === undefined) throw new CliError(`group ${id} has no events left to merge`);
  return member.eventId;
};

/** Returns one event of each group, by current ids. */
const eventsOf = async (client: Client, ids: readonly string[]): Promise<string[]> => {
  const members = new Map<string, string>();
  for (const id of ids) {
    const { group } = await ofGroup(id, client.get<{ readonly group: GroupDetailReply }>(groupPath(id)));
    if (!members.has(group.correlationId)) members.set(group.correlationId, await memberOf(client, id));
  }
  if (members.size < 2) throw new CliError(`already the same group: ${[...members.keys()].join()}`);
  return [...members.values()];
};

const merge = async ({ screen }: CliEnvironment, ids: readonly string[], options: GroupMergeOptions): Promise<void> => {
  if (new Set(ids).size < 2) throw new CliError('pass at least two group IDs (see: faultline groups)');
  if (ids.length > MAX_GROUPS) throw new CliError(`at most ${MAX_GROUPS} groups at once`);
  const client = clientOf(options);
  const [primaryEventId, ...relatedEventIds] = await eventsOf(client, ids);
  const body = { primaryEventId, relatedEventIds, reason: options.reason };
  const reply = await client.post<ReplyOf<typeof ManualCorrelateReply>>('/api/events/correlate', body);
  show(screen, options, reply, ({ correlationId, correlationGroup }) => {
    if (correlationGroup === null) return 'The merge is queued; see: faultline groups';
    const merged = `Merged ${relatedEventIds.length + 1} groups into ${correlationId}`;
    return `${merged}, ${count(correlationGroup.analysis.eventCount)} events; see: faultline group show ${correlationId}`;
  });
};

const addMerge = (group: Command, environment: CliEnvironment): Command =>
  connected(group.command('merge').argument('<ids...>', `group IDs, up to ${MAX_GROUPS}`))
    .description('merge groups')
    .option('--reason <text>', 'reason')
    .action((ids: string[], options: GroupMergeOptions) => merge(environment, ids, options));

interface GroupSplitOptions extends ConnectionOptions {
  readonly reason: string;
}

const addSplit = (group: Command, { screen }: CliEnvironment): Command =>
  connected(
    group
      .command('split')
      .argument('<id>', 'group ID (current or merged)')
      .argument('<events...>', 'event IDs to split off'),
  )
    .description("split events from a group; they aren't grouped again unless merged manually")
    .requiredOption('--reason <text>', 'reason')
    .action(async (id: string, eventIds: string[], { reason, ...options }: GroupSplitOptions) => {
      const client = clientOf(options);
      // An unknown event is reported as such.
      const { group: found } = await ofGroup(id, client.get<{ readonly group: GroupDetailReply }>(groupPath(id)));
      const reply = await client.post<ReplyOf<typeof SplitReply>>(`${groupPath(found.correlationId)}/split`, {
        eventIds,
        reason,
      });
      show(screen, options, reply, ({ correlationId }) =>
        correlationId === null
          ? `Removed ${eventIds.join(', ')} from ${found.correlationId}`
          : `Split ${eventIds.length} events from ${found.correlationId} into ${correlationId}; see: faultline group show ${correlationId}`,
      );
    });

interface ShowOptions extends ConnectionOptions {
  readonly limit: string;
}
interface NoteOptions extends ConnectionOptions {
  readonly note: string;
}
interface VerdictOptions extends ConnectionOptions {
  readonly cause: string;
  readonly root?: string;
  readonly members: string;
  readonly note?: string;
}
interface DetailReply {
  readonly group: GroupDetailReply;
}

/** A command about one group. */
const about = (group: Command, verb: string, description: string): Command =>
  connected(group.command(verb).argument('<id>', 'group ID (current or merged)')).description(description);

const shownGroup = async (client: Client, id: string, limit: string): Promise<GroupWithMembers> => {
  const path = groupPath(id);
  const [{ group }, { members, pagination }] = await Promise.all([
    ofGroup(id, client.get<DetailReply>(path)),
    ofGroup(id, client.get<MembersReply>(`${path}/members?${queryOf({ limit })}`)),
  ]);
  return { group, members, total: pagination.total, truncated: members.length < pagination.total };
};

const addShow = (group: Command, { screen }: CliEnvironment): Command =>
  about(group, 'show', 'show a group: status, assignee, root-cause candidate, notes and events')
    .option('--limit <n>', 'maximum number of events (up to 500)', '50')
    .action(async (id: string, options: ShowOptions) =>
      show(screen, options, await shownGroup(clientOf(options), id, options.limit), groupText),
    );

const addNote = (group: Command, { screen }: CliEnvironment): Command =>
  about(group, 'note', 'add a note to a group')
    .requiredOption('--note <text>', 'text of the note')
    .action(async (id: string, { note, ...options }: NoteOptions) => {
      const asked = clientOf(options).post<DetailReply>(`${groupPath(id)}/notes`, { text: note });
      show(screen, options, await ofGroup(id, asked), ({ group: { correlationId, notes } }) => {
        return `Added the note to ${correlationId} (${counted(notes.length, 'note')}); see: faultline group show ${correlationId}`;
      });
    });

const addVerdict = (group: Command, { screen }: CliEnvironment): Command =>
  about(group, 'verdict', 'record a verdict on the root cause and events of a group; replaces the previous one')
    .addOption(
      new Option('--cause <verdict>', 'verdict on the root cause').choices(CAUSE_VERDICTS).makeOptionMandatory(),
    )
    .addOption(
      new Option('--members <verdict>', 'verdict on the grouped events').choices(MEMBER_VERDICTS).makeOptionMandatory(),
    )
    .option('--root <event>', 'event that was the actual root cause')
    .option('--note <text>', 'note for the verdict')
    .action(async (id: string, { cause, members, root, note, ...options }: VerdictOptions) => {
      const body = { cause, members, rootEventId: root, note };
      const asked = ofGroup(id, clientOf(options).put<DetailReply>(`${groupPath(id)}/verdict`, body));
      show(screen, options, await asked, (reply) => `${reply.group.correlationId}: ${verdictOf(reply.group)}`);
    });

export const addGroup = (program: Command, environment: CliEnvironment): Command => {
  const group = program.command('group').description('view and manage groups');
  addGroupList(group, environment, 'list');
  addShow(group, environment);
  addOperations(group, environment);
  addNote(group, environment);
  addVerdict(group, environment);
  addMerge(group, environment);
  addSplit(group, environment);
  return group;
};
