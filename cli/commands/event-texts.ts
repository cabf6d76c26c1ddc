import type { EventDetailReply, EventReply, GroupReply } from '#cli/client/replies.ts';
import { clip, moment, tableOf } from '#cli/terminal/screen.ts';
import { analysisLines } from './analysis-texts.ts';

/** Returns the subject of an event, by readable names. */
const subjectOf = ({ ciId, hostname, ipAddress, service, source }: EventReply): string =>
  ciId?.name ?? hostname ?? ipAddress ?? service ?? (source === 'faultline' ? 'Faultline' : 'unknown host');

export const titleOf = (event: EventReply, length: number): string =>
  `${subjectOf(event)}: ${clip(event.title, length)}`;

export const assigneeOf = ({
  assignedTo,
  assignedTeam,
}: Pick<EventReply, 'assignedTo' | 'assignedTeam'> | Pick<GroupReply, 'assignedTo' | 'assignedTeam'>): string =>
  [assignedTo?.name, assignedTeam && `team ${assignedTeam.name}`].filter((name) => name !== undefined).join(', ');

export const eventTable = (events: readonly EventReply[]): string =>
  tableOf(
    ['time (UTC)', 'event', 'severity', 'status', { title: 'title', width: 36 }, { title: '×', right: true }],
    events.map((event) => [
      moment(event.timestamp).slice(5),
      event.eventId,
      event.severity,
      event.status,
      titleOf(event, 80),
      String(event.occurrenceCount),
    ]),
  );

type HistoryEntry = EventDetailReply['event']['history'][number];

const named = (who: { readonly name: string } | null): string => who?.name ?? 'unassigned';

/** An entry of the history in a few words. */
const changeOf = ({ from, to, severity, assignedTo, assignedTeam }: HistoryEntry): string =>
  [
    ...(from === to ? [] : [from === null ? to : `${from} → ${to}`]),
    ...(severity ? [`${severity.from} → ${severity.to}`] : []),
    ...(assignedTo ? [`assigned to ${named(assignedTo.to)}`] : []),
    ...(assignedTeam ? [`team ${named(assignedTeam.to)}`] : []),
  ].join(', ') || 'note';

/** The sender of an event is no user of ours. */
const historyTable = (history: readonly HistoryEntry[]): string =>
  tableOf(
    ['time (UTC)', { title: 'user', width: 18 }, { title: 'what', width: 28 }, { title: 'notes', width: 42 }],
    history.map((entry) => [moment(entry.at), clip(entry.by?.name ?? '–', 60), changeOf(entry), entry.notes ?? '']),
  );

const byAt = (by: { readonly name: string } | undefined, at: string | undefined): string | undefined =>
  at === undefined ? undefined : `${moment(at)}${by ? ` by ${by.name}` : ''}`;

const resolutionOf = (event: EventReply): string | undefined => {
  const { resolvedBy, resolvedAt, resolutionCategory, resolutionNotes } = event;
  const parts = [byAt(resolvedBy, resolvedAt), resolutionCategory, resolutionNotes];
  return parts.filter((part) => part !== undefined).join(', ') || undefined;
};

const ciOf = ({ ciId }: EventReply): string | undefined => ciId && `${ciId.name}, ${ciId.type} (${ciId._id})`;

const conditionsOf = ({ conditions }: EventDetailReply['event']): string | undefined =>
  conditions.length === 0 ? undefined : conditions.map(({ title, id }) => clip(title ?? id, 60)).join('; ');

const groupOf = ({ event, correlationGroup: group }: EventDetailReply): string | undefined => {
  if (group === null) return undefined;
  const { correlationId, eventCount, rootCauseCandidate: root } = group.analysis;
  const role = root?.eventId === event.eventId ? '; root-cause candidate' : '';
  return `${correlationId}, ${eventCount} events${role}`;
};

const suppressedText = ({ suppressedBy, suppressedUntil }: EventDetailReply['event']): string | undefined =>
  suppressedUntil === undefined ? suppressedBy : `${suppressedBy}, until ${moment(suppressedUntil)} UTC`;

/** Everything that is there, a line each. */
export const eventText = (reply: EventDetailReply): string => {
  const { event } = reply;
  const { occurrenceCount: count, firstOccurrence, lastOccurrence } = event;
  const fields: Readonly<Record<string, string | undefined>> = {
    source: `${event.source}, ${clip(event.sourceId, 80)}`,
    host: [event.hostname, event.ipAddress].filter((name) => name !== undefined).join(', ') || undefined,
    CI: ciOf(event),
    service: event.service,
    seen: `${count === 1 ? 'once' : `${count} times`}, ${moment(firstOccurrence)} to ${moment(lastOccurrence)}`,
    'also from': event.alsoReportedBy?.join(', '),
    returns: event.returns === undefined ? undefined : `${event.returns}, each within an hour of the end`,
    'waiting for': conditionsOf(event),
    assigned: assigneeOf(event) || undefined,
    acknowledged: byAt(event.acknowledgedBy, event.acknowledgedAt),
    resolved: resolutionOf(event),
    supersedes: event.supersedes,
    'superseded by': event.supersededBy,
    'problem since': event.problemSince && moment(event.problemSince),
    'suppressed by': suppressedText(event),
    group: groupOf(reply),
    tags: event.tags.join(', ') || undefined,
  };
  const lines = Object.entries(fields).filter(([, text]) => text !== undefined);
  return [
    `${event.eventId}, ${event.severity}, ${event.status}: ${event.title}`,
    ...(event.description === undefined || event.description === event.title ? [] : [clip(event.description, 1_000)]),
    ...lines.map(([name, text]) => `${`${name}:`.padEnd(15)}${text}`),
    ...(event.aiAnalysis === undefined ? [] : ['', ...analysisLines(event.aiAnalysis), '']),
    historyTable(event.history),
  ].join('\n');
};
