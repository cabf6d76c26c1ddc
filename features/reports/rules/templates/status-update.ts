import type { ReportColumn } from '#features/reports/rules/document/document.ts';
import { clockIn, duration } from '#features/reports/rules/values/values.ts';
import { causeSentence, type GroupReportRead, lastedMs, type ReportedGroup, whenText } from './group-facts.ts';
import { several } from './said.ts';
import type { ReportBody, Template } from './template.ts';

const COLUMNS: readonly ReportColumn[] = [
  { key: 'service', label: 'Service', kind: 'text', width: 2.4 },
  { key: 'criticality', label: 'Criticality', kind: 'text' },
  { key: 'state', label: 'State', kind: 'text' },
  { key: 'impact', label: 'Impact so far', kind: 'duration' },
];
const NAMES = 8;

const named = (names: readonly string[]): string =>
  names.length <= NAMES ? names.join(', ') : `${names.slice(0, NAMES).join(', ')} and ${names.length - NAMES} more`;

const stateOf = ({ isHitNow, isDown }: ReportedGroup['services'][number]): string => {
  if (!isHitNow) return 'recovered';
  return isDown ? 'down' : 'degraded';
};

const impactSentence = (group: ReportedGroup, zone: string): string => {
  const { services, ended, began, now, title } = group;
  const names = services.map(({ name }) => name);
  const subject = names.length === 0 ? `“${title}”: no business service` : named(names);
  const verb = names.length > 1 ? ['are', 'were'] : ['is', 'was'];
  if (ended !== null)
    return `${subject} ${verb[1]} affected from ${clockIn(zone).time(began)} to ${clockIn(zone).time(ended)} (${duration(ended - began)}).`;
  return `${subject} ${verb[0]} affected since ${whenText(began, now, zone)}.`;
};

const workSentence = ({ assignee, acknowledgedBy, ended }: ReportedGroup): string => {
  if (ended !== null) return assignee === null ? 'Handled without an assignee.' : `Handled by ${assignee}.`;
  if (assignee !== null) return `Assigned to ${assignee}.`;
  return acknowledgedBy === null
    ? 'Unassigned and not acknowledged yet.'
    : `Acknowledged by ${acknowledgedBy}, unassigned.`;
};

const stateSentence = ({ open, events, ended }: ReportedGroup): string =>
  ended === null
    ? `${several(open, 'event')} of ${events} still open.`
    : `Resolved: ${events === 1 ? 'its event has' : `all ${events} events have`} ended.`;

/** Four sentences for readers without context: impact, root cause, work, state. */
export const statusSentences = (group: ReportedGroup, zone: string): string[] => [
  impactSentence(group, zone),
  causeSentence(group),
  workSentence(group),
  stateSentence(group),
];

const NOTHING: ReportBody = {
  figures: ['duration', 'events', 'open events', 'CIs', 'services'].map((label) => ({
    label,
    value: null,
    kind: 'count',
  })),
  summary: ['No groups in the time range.'],
  sections: [{ heading: 'Services', text: [], charts: [], tables: [] }],
  details: { title: 'Services', columns: COLUMNS, rows: [], total: 0, empty: 'No groups.' },
};

export const statusUpdate: Template<GroupReportRead> = ({ group }, { zone }) => {
  if (group === null) return NOTHING;
  const { events, open, cis, services, title, id } = group;
  return {
    figures: [
      { label: 'duration', value: lastedMs(group), kind: 'duration' },
      { label: 'events', value: events, kind: 'count' },
      { label: 'open events', value: open, kind: 'count' },
      { label: 'CIs', value: cis, kind: 'count' },
      { label: 'services', value: services.length, kind: 'count' },
    ],
    summary: statusSentences(group, zone),
    sections: [{ heading: title, text: [`Group ${id}`], charts: [], tables: [] }],
    details: {
      title: 'Services',
      columns: COLUMNS,
      rows: services.map((one) => [one.name, one.criticality, stateOf(one), one.impactMs]),
      total: services.length,
      empty: 'No business service is affected.',
    },
  };
};
