import type { MomentData } from '#console/api/group-parts.ts';
import type { GroupDetailData } from '#console/api/groups.ts';
import { groupTitle, howWords, isCertain } from '#console/text/group-text.ts';
import { escapedMarkdown } from '#console/text/ticket.ts';
import { duration } from '#console/text/times.ts';
import * as texts from './texts.ts';

interface ReviewFact {
  readonly name: string;
  readonly value: string;
}

const span = (from: string, to: string): string => duration(Date.parse(to) - Date.parse(from));

/** Figures of one incident; `full` writes a time. */
export const reviewFacts = (group: GroupDetailData, full: (at: string) => string): readonly ReviewFact[] => {
  const { timeSpan, acknowledgedAt, acknowledgedBy, status, lastActivity, history, cis, impactedServices } = group;
  const people = [...new Set(history.map(({ by }) => by.name))];
  const { open, acknowledged, suppressed, resolved } = group.counts;
  const isOver = status === 'resolved';
  const by = acknowledgedBy === null ? '' : ` (${acknowledgedBy.name})`;
  return [
    { name: texts.startedAt, value: full(timeSpan.start) },
    {
      name: texts.acknowledgedAfter,
      value: acknowledgedAt === null ? texts.notAcknowledged : `${span(timeSpan.start, acknowledgedAt)}${by}`,
    },
    { name: texts.resolvedAfter, value: isOver ? span(timeSpan.start, lastActivity) : texts.notResolved },
    { name: texts.events, value: `${open + acknowledged + suppressed + resolved}` },
    { name: texts.cis, value: `${cis.count}` },
    { name: texts.services, value: impactedServices.map(({ name }) => name).join(', ') || texts.none },
    { name: texts.responders, value: people.join(', ') || texts.none },
  ];
};

/** User actions and turning points of an incident, without each event that joined or changed. */
export const courseOf = (timeline: readonly MomentData[]): readonly MomentData[] =>
  timeline.filter(({ kind, by }) => by !== undefined || (kind !== 'joined' && kind !== 'status'));

const causeWords = (group: GroupDetailData): string => {
  const { cause } = group;
  if (cause === null) return texts.noRootCauseIdentified;
  const on = cause.ci === null ? '' : ` on ${cause.ci.name}`;
  return `${isCertain(group) ? '' : `${texts.lowConfidence}: `}${cause.event.title}${on} (${howWords(group, cause)})`;
};

interface Written {
  readonly facts: readonly ReviewFact[];
  readonly course: readonly MomentData[];
  readonly link: string;
  readonly full: (at: string) => string;
}

/** The review as a document. */
export const reviewMarkdown = (group: GroupDetailData, { facts, course, link, full }: Written): string => {
  const cell = (text: string): string => escapedMarkdown(text).replaceAll(/\s+/g, ' ');
  return [
    `# ${cell(groupTitle(group))}`,
    '',
    `[${group.correlationId}](${link})`,
    '',
    '| | |',
    '|---|---|',
    ...facts.map(({ name, value }) => `| ${name} | ${cell(value)} |`),
    '',
    `## ${texts.rootCauseLabel}`,
    '',
    cell(causeWords(group)),
    '',
    `## ${texts.timeline}`,
    '',
    ...course.map(({ at, by, text }) => `- ${full(at)}: ${cell(text)}${by === undefined ? '' : ` (${cell(by.name)})`}`),
    '',
    `## ${texts.notes}`,
    '',
    ...(group.notes.length === 0 ? [texts.none] : []),
    ...group.notes.map(({ at, by, text }) => `- ${full(at)}, ${cell(by.name)}: ${cell(text)}`),
    '',
  ].join('\n');
};
