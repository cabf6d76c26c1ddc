import type { ReportColumn, ReportSection, Table } from '#features/reports/rules/document/document.ts';
import { duration, percent } from '#features/reports/rules/values/values.ts';
import {
  causeSentence,
  type GroupMomentRow,
  type GroupReportRead,
  lastedMs,
  type ReportedGroup,
  whenText,
} from './group-facts.ts';
import { statusSentences } from './status-update.ts';
import type { ReportBody, Template } from './template.ts';

const SLOW_MS = 15 * 60_000;
/** Placeholder for text that readers add. */
const BLANK = 'To be completed';

const MOMENTS: readonly ReportColumn[] = [
  { key: 'at', label: 'Time', kind: 'time', width: 1.6 },
  { key: 'known_by', label: 'Known by', kind: 'text', width: 1.4 },
  { key: 'title', label: 'Entry', kind: 'text', width: 5 },
];
const IMPACT: readonly ReportColumn[] = [
  { key: 'service', label: 'Service', kind: 'text', width: 2.4 },
  { key: 'criticality', label: 'Criticality', kind: 'text' },
  { key: 'impact', label: 'Impact', kind: 'text' },
  { key: 'minutes', label: 'Minutes', kind: 'count' },
];
const BOX: readonly ReportColumn[] = [
  { key: 'question', label: 'Topic', kind: 'text', width: 2 },
  { key: 'answer', label: 'Answer', kind: 'text', width: 4 },
];
const BOXES = ['Successes', 'Problems', 'Luck', 'Follow-up actions with owner and date'];

const rowOf = ({ at, by, text }: GroupMomentRow) => [at, by, text];

/** Lists questions that the data does not answer, by rules. */
export const openQuestions = (group: ReportedGroup): string[] => {
  const { cause, rival, verdict, acknowledgedAt, began, ended, resolutionNotes, services } = group;
  return [
    ...(ended === null ? ['When will the remaining events end?'] : []),
    ...(cause === null && verdict?.root == null ? ['What was the root cause?'] : []),
    ...(verdict === null && cause !== null ? [`Was ${cause.text} the root cause? No verdict was recorded.`] : []),
    ...(verdict === null && rival !== null ? [`What rules out ${rival.text}?`] : []),
    ...(acknowledgedAt === null ? ['Why was the group not acknowledged?'] : []),
    ...(acknowledgedAt !== null && acknowledgedAt - began > SLOW_MS
      ? [`Why did acknowledgement take ${duration(acknowledgedAt - began)}?`]
      : []),
    ...(resolutionNotes.length === 0 ? ['What resolved it? No resolution note was recorded.'] : []),
    ...(services.length === 0 ? ['Which business services were affected? None is known.'] : []),
  ];
};

const causeSection = (group: ReportedGroup, zone: string): ReportSection => {
  const { rival, verdict, cause, causeNamedAt, now } = group;
  return {
    heading: 'Root cause',
    text: [
      causeSentence(group),
      ...(verdict?.root != null && cause !== null
        ? [`Ranked first: ${cause.text}, ${percent(cause.confidence)} confidence.`]
        : []),
      rival === null
        ? 'No alternative was ranked.'
        : `Alternative: ${rival.text}, with ${percent(rival.confidence)} of the score of the root cause.`,
      ...(causeNamedAt === null
        ? []
        : [`The probable root cause was first named at ${whenText(causeNamedAt, now, zone)}.`]),
    ],
    charts: [],
    tables: [],
  };
};

const section = (heading: string, text: readonly string[], tables: readonly Table[]): ReportSection => ({
  heading,
  text,
  charts: [],
  tables,
});

const impactTable = ({ services }: ReportedGroup): Table => ({
  title: 'Impact per service',
  columns: IMPACT,
  rows: services.map(({ name, criticality, isDown, impactMs }) => [
    name,
    criticality,
    isDown ? 'down' : 'degraded',
    Math.ceil(impactMs / 60_000),
  ]),
  total: services.length,
  empty: 'No business service was affected.',
});

const actionsTable = ({ actions, resolutionNotes }: ReportedGroup): Table => ({
  title: 'Actions',
  columns: MOMENTS,
  rows: actions.map(rowOf),
  total: actions.length,
  empty: resolutionNotes.length === 0 ? 'No actions were recorded.' : 'Only resolution notes were recorded.',
});

const boxTable: Table = {
  title: 'Review',
  columns: BOX,
  rows: BOXES.map((question) => [question, BLANK]),
  total: BOXES.length,
  empty: '',
};

const details = (rows: readonly GroupMomentRow[], total: number): Table => ({
  title: 'Timeline',
  columns: MOMENTS,
  rows: rows.map(rowOf),
  total,
  empty: 'No groups.',
});

const NOTHING: ReportBody = {
  figures: ['duration', 'events', 'CIs', 'services', 'time to acknowledge'].map((label) => ({
    label,
    value: null,
    kind: 'count',
  })),
  summary: ['No groups in the time range.'],
  sections: [section('Review', [], [boxTable])],
  details: details([], 0),
};

/** Record of one group, for a post-incident review. */
export const postIncident: Template<GroupReportRead> = ({ group }, { zone }) => {
  if (group === null) return NOTHING;
  const { began, events, cis, services, acknowledgedAt, resolutionNotes, moments, momentsTotal, title } = group;
  const questions = openQuestions(group);
  return {
    figures: [
      { label: 'duration', value: lastedMs(group), kind: 'duration' },
      { label: 'events', value: events, kind: 'count' },
      { label: 'CIs', value: cis, kind: 'count' },
      { label: 'services', value: services.length, kind: 'count' },
      {
        label: 'time to acknowledge',
        value: acknowledgedAt === null ? null : Math.max(0, acknowledgedAt - began),
        kind: 'duration',
      },
    ],
    summary: [`“${title}”`, ...statusSentences(group, zone)],
    sections: [
      section('Impact', [], [impactTable(group)]),
      causeSection(group, zone),
      section(
        'Actions',
        resolutionNotes.map((note) => `Resolution: “${note}”`),
        [actionsTable(group)],
      ),
      section('Open questions', questions.length === 0 ? ['None.'] : questions, []),
      section('Review', ['Complete this part in the review meeting.'], [boxTable]),
    ],
    details: details(moments, momentsTotal),
  };
};
