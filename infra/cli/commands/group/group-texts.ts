import { percent } from '#domain/numbers.ts';
import type { EventReply, GroupDetailReply } from '#infra/cli/client/replies.ts';
import { analysisLines } from '#infra/cli/commands/analysis-texts.ts';
import { assigneeOf, eventTable, titleOf } from '#infra/cli/commands/event-texts.ts';
import { clip, count, moment, tableOf } from '#infra/cli/terminal/screen.ts';

/** A group with a page of its members. */
export interface GroupWithMembers {
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

/** Events that gave way to another one are listed, and do not count. */
const sizeOf = ({ group: { eventCount }, total }: GroupWithMembers): string =>
  `${count(eventCount)} events${total > eventCount ? ` and ${count(total - eventCount)} whose place another took` : ''}`;

const countsOf = ({ counts }: GroupDetailReply): string =>
  (['open', 'acknowledged', 'suppressed', 'resolved'] as const)
    .filter((status) => counts[status] > 0)
    .map((status) => `${count(counts[status])} ${status}`)
    .join(', ');

const severityOf = ({ counts, severity }: GroupDetailReply): string =>
  counts.open > 0 ? `highest severity: ${severity}` : `none open; highest severity: ${severity ?? '–'}`;

const careOf = (group: GroupDetailReply): string => assigneeOf(group) || 'nobody';

export const verdictOf = ({ verdict }: GroupDetailReply): string => {
  if (verdict === null) return 'none';
  const { cause, rootEventId, members, note, by, at } = verdict;
  const was = rootEventId === undefined ? '' : `, it was ${rootEventId}`;
  const said = note === undefined ? '' : `: ${clip(note, 200)}`;
  return `cause ${cause}${was}; members ${spaced(members)}${said} (${by.name}, ${moment(at)})`;
};

const partsOf = (parts: NonNullable<GroupDetailReply['cause']>['parts']): string[] =>
  parts === null
    ? []
    : [
        field(
          'made of',
          `coverage ${parts.coverage.toFixed(2)}, earliness ${parts.earliness.toFixed(2)}, severity ${parts.severity.toFixed(2)}, known pattern ${parts.knownPattern.toFixed(2)}`,
        ),
      ];

const causeLines = ({ group: { cause }, members }: GroupWithMembers): string[] => {
  if (cause === null) return [field('root cause', 'none')];
  const { event, ci, reasoning, confidence, parts, alternatives, explains } = cause;
  const titles = new Map(members.map((member) => [member.eventId, titleOf(member, 80)]));
  const others = alternatives.map(({ eventId, title, ciName, score }) => {
    const known = [ciName, title].filter((name) => name !== null).join(': ');
    return field('or', `${eventId} ${titles.get(eventId) ?? clip(known, 100)} (${score.toFixed(2)})`);
  });
  const explained = explains.map(({ ciId, name, hops }) => `${name ?? ciId} (${hops})`);
  return [
    field('root cause', `${event.eventId} ${titleOf(event, 80)}`),
    ...(ci === null ? [] : [field('', `${ci.name}, ${ci.type} (${ci.id})`)]),
    field('', `${spaced(reasoning)}, ${percent(confidence)}`),
    ...partsOf(parts),
    ...others,
    ...(explained.length > 0 ? [field('explains', `${some(explained, EXPLAINED)}; in brackets the hops to it`)] : []),
  ];
};

const serviceLines = ({ impactedServices }: GroupDetailReply): string[] => {
  const hit = impactedServices.map(({ name, impact }) => `${name} (${spaced(impact)})`);
  return hit.length === 0 ? [] : [field('services', some(hit, SERVICES))];
};

/** The newest, in the order they were written in. */
const noteLines = ({ notes }: GroupDetailReply): string[] => {
  if (notes.length === 0) return [];
  const rows = [...notes].sort((a, b) => a.at.localeCompare(b.at)).slice(-NOTES);
  const table = tableOf(
    [{ title: 'time (UTC)' }, { title: 'who', width: 18 }, { title: 'note', width: 70 }],
    rows.map(({ at, by, text }) => [moment(at), clip(by.name, 60), text]),
  );
  return ['', table, `${rows.length} of ${count(notes.length)} notes`, ''];
};

/** Splits, which say why two groups are none. */
const splitLines = ({ history }: GroupDetailReply): string[] =>
  history
    .filter(({ kind }) => kind === 'split')
    .slice(-SPLITS)
    .map(({ at, by, text }) => field('split', `${clip(text, 200)} (${by.name}, ${moment(at)})`));

export const groupText = (shown: GroupWithMembers): string => {
  const { group, members, total, truncated } = shown;
  const { start, end } = group.timeSpan;
  const more = truncated ? `; all with: faultline events --group ${group.correlationId}` : '';
  return [
    `${group.correlationId}: ${sizeOf(shown)}, ${moment(start)} to ${moment(end)} UTC`,
    group.summary,
    `${countsOf(group)}; ${severityOf(group)}`,
    field('state', `${group.status}${group.growing ? ', may still take members' : ''}`),
    field('with', careOf(group)),
    ...causeLines(shown),
    ...serviceLines(group),
    field('verdict', verdictOf(group)),
    ...splitLines(group),
    ...(group.learningReason === undefined ? [] : [group.learningReason]),
    ...(group.aiAnalysis === undefined ? [] : ['', ...analysisLines(group.aiAnalysis), '']),
    ...noteLines(group),
    eventTable(members),
    `${members.length} of ${count(total)} events, the oldest first${more}`,
  ].join('\n');
};
