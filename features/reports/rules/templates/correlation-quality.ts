import { assertDefined } from '#domain/assert.ts';
import { capital } from '#domain/text.ts';
import type { Chart } from '#features/reports/rules/charts/chart.ts';
import type { ReportColumn } from '#features/reports/rules/document/document.ts';
import type { Cell } from '#features/reports/rules/values/value.ts';
import { count, decimal, percent } from '#features/reports/rules/values/values.ts';
import type { Chosen } from './chosen.ts';
import type { IncidentRow } from './incident-review.ts';
import { against, groupNoun, rowName, several, shareOf, span } from './said.ts';
import type { CountedGroup, Template } from './template.ts';

/** Results of correlation for one value of the grouping; shares are 0 to 1. */
interface QualityGroup {
  readonly label: string;
  readonly events: number;
  readonly occurrences: number;
  readonly correlatedShare: number | null;
}

/** Accuracy of an agent's decisions within 90 days, as judged by users and outcomes. */
export interface JudgedAgent {
  readonly name: string;
  readonly decisions: number;
  readonly judged: number;
  readonly successRate: number | null;
  /** Bounds of the 95% interval. */
  readonly low: number | null;
  readonly high: number | null;
}

export interface CorrelationQualityRead {
  readonly events: number;
  readonly before: number | null;
  readonly occurrences: number;
  readonly correlatedShare: number | null;
  readonly correlatedShareBefore: number | null;
  readonly groups: readonly QualityGroup[];
  readonly judged: readonly JudgedAgent[];
  /** Newest first. */
  readonly rows: readonly IncidentRow[];
  readonly incidents: number;
}

const MAX_BARS = 12;
const MAX_GROUPS = 40;
const SIZES = [
  ['2', 2],
  ['3 to 5', 5],
  ['6 to 10', 10],
  ['11 to 50', 50],
  ['more', Infinity],
] as const;
const CONFIDENCES = [
  ['below 50%', 0.5],
  ['50–70%', 0.7],
  ['70–90%', 0.9],
  ['90% or more', Infinity],
] as const;

const COLUMNS: readonly ReportColumn[] = [
  { key: 'correlation_id', label: 'Group', kind: 'text', isForPrograms: true },
  { key: 'began', label: 'Started', kind: 'time', width: 1.9 },
  { key: 'events', label: 'Events', kind: 'count', width: 0.8 },
  { key: 'span', label: 'First to last event', kind: 'duration', width: 1.2 },
  { key: 'severity', label: 'Severity', kind: 'text' },
  { key: 'title', label: 'Title', kind: 'text', width: 2.8 },
  { key: 'cause', label: 'Probable root cause', kind: 'text', isForPrograms: true },
  { key: 'ci', label: 'On CI', kind: 'text', width: 2.2 },
  { key: 'confidence', label: 'Confidence', kind: 'share', width: 1.25 },
];

const rowOf = (row: IncidentRow): Cell[] => [
  row.id,
  row.began,
  row.events,
  row.last - row.began,
  row.severity,
  row.title,
  row.cause,
  row.ci,
  row.confidence,
];

/** Counts values per band; each band starts above the end of the previous one. */
const bands = (
  values: readonly number[],
  of: readonly (readonly [string, number])[],
  isUpTo: boolean,
): CountedGroup[] =>
  of.map(([label, most], n) => {
    const least = of[n - 1]?.[1] ?? -Infinity;
    const within = (value: number): boolean =>
      isUpTo ? value > least && value <= most : value >= least && value < most;
    return { label, value: values.filter(within).length };
  });

/**
 * States the number of groups with a root cause; the others have at most a candidate below the confidence threshold.
 */
const namedText = (causes: number, groups: number): string => {
  if (groups === 0) return 'Root causes were not evaluated.';
  if (causes === groups) return `Root cause identified for ${groups === 1 ? 'it' : 'all'}.`;
  if (causes === 0) return 'No root cause identified: all candidates have low confidence.';
  return `Root cause identified for ${count(causes)} of ${count(groups)} (${shareOf(causes, groups)}); other groups have no confident candidate.`;
};

function summaryOf(read: CorrelationQualityRead, { range }: Chosen): string[] {
  const { events, before, occurrences, correlatedShare, correlatedShareBefore, judged, rows, incidents } = read;
  if (events === 0) return [`No events in ${span(range)}.`];
  const compared = against(events, before, range);
  const sizes = rows.map((row) => row.events).sort((a, b) => a - b);
  const middle = sizes[Math.floor((sizes.length - 1) / 2)];
  const causes = rows.filter(({ cause }) => cause !== null).length;
  const told = judged.filter((one) => one.successRate !== null);
  return [
    `${several(events, 'event')} in ${span(range)}${compared === '' ? '' : `, ${compared}`}. Sources sent ${several(occurrences, 'message')}; ${percent(occurrences === 0 ? 0 : 1 - events / occurrences)} were duplicates.`,
    ...(correlatedShare === null
      ? []
      : [
          `${percent(correlatedShare)} of events are grouped${correlatedShareBefore === null ? '' : ` (previous ${span(range)}: ${percent(correlatedShareBefore)})`}.`,
        ]),
    ...(incidents === 0
      ? ['No groups.']
      : [
          `${several(incidents, 'group')}: median ${several(middle ?? 0, 'event')}, largest ${several(sizes.at(-1) ?? 0, 'event')}. ${namedText(causes, rows.length)}`,
        ]),
    `Workload: ${several(Math.max(0, Math.round(events * (1 - (correlatedShare ?? 0)))) + incidents, 'item')} instead of ${several(occurrences, 'message')} (${decimal(occurrences === 0 ? 0 : occurrences / Math.max(1, Math.round(events * (1 - (correlatedShare ?? 0))) + incidents))} messages per item).`,
    ...(told.length === 0
      ? ['No verdicts or outcomes in the last 90 days, so accuracy is unknown.']
      : told.map(
          ({ name, judged: n, successRate, low, high }) =>
            `${name}: ${percent(assertDefined(successRate, 'success rate'))} of ${several(n, 'decision')} with feedback (90 days) ${n === 1 ? 'was' : 'were'} correct${low === null || high === null ? '' : ` (95% interval ${percent(low)}–${percent(high)})`}.`,
        )),
  ];
}

const groupCharts = (rows: CorrelationQualityRead['rows']): Chart[] => {
  const sizes = rows.map((row) => row.events);
  const confidences = rows.flatMap(({ confidence }) => confidence ?? []);
  return [
    {
      kind: 'columns',
      title: 'Groups by size',
      measure: 'groups',
      valueKind: 'count',
      axis: 'events in the group',
      empty: 'No groups.',
      series: ['groups'],
      points: bands(sizes, SIZES, true).map(({ label, value }) => ({ label, values: [value] })),
    },
    {
      kind: 'columns',
      title: 'Groups by root-cause confidence',
      measure: 'groups',
      valueKind: 'count',
      axis: 'confidence',
      empty: 'No root causes identified.',
      series: ['groups'],
      points: bands(confidences, CONFIDENCES, false).map(({ label, value }) => ({ label, values: [value] })),
    },
  ];
};

export const correlationQuality: Template<CorrelationQualityRead> = (read, chosen) => {
  const { events, occurrences, correlatedShare, groups, judged, rows, incidents } = read;
  const grouping = chosen.grouping ?? 'source';
  const noun = groupNoun(grouping);
  const named = groups.map((group) => ({ ...group, label: rowName(group.label, grouping) }));
  const folded = ({ events: of, occurrences: told }: QualityGroup): number | null =>
    told === 0 ? null : 1 - of / told;
  return {
    figures: [
      { label: 'messages from sources', value: occurrences, kind: 'count' },
      { label: 'events', value: events, kind: 'count' },
      { label: 'duplicates removed', value: occurrences === 0 ? null : 1 - events / occurrences, kind: 'share' },
      { label: 'events in a group', value: correlatedShare, kind: 'share' },
      { label: 'groups', value: incidents, kind: 'count' },
    ],
    summary: summaryOf(read, chosen),
    sections: [
      {
        heading: `By ${noun}`,
        text: [],
        charts: [
          {
            kind: 'bars',
            title: `Share of events in a group, by ${noun}`,
            measure: 'share of events',
            valueKind: 'share',
            empty: 'No grouped events.',
            items: named.slice(0, MAX_BARS).map(({ label, correlatedShare: share }) => ({ label, value: share ?? 0 })),
          },
        ],
        tables: [
          {
            title: `Deduplication and grouping by ${noun}`,
            columns: [
              { key: grouping, label: capital(noun), kind: 'text', width: 2.6 },
              { key: 'occurrences', label: 'Messages', kind: 'count' },
              { key: 'events', label: 'Events', kind: 'count' },
              { key: 'folded', label: 'Duplicates', kind: 'share' },
              { key: 'correlated', label: 'In a group', kind: 'share' },
            ],
            rows: named
              .slice(0, MAX_GROUPS)
              .map((group) => [group.label, group.occurrences, group.events, folded(group), group.correlatedShare]),
            total: named.length,
            empty: 'No events.',
          },
        ],
      },
      {
        heading: 'Groups and root causes',
        text: [],
        charts: [...groupCharts(rows)],
        tables: [
          {
            title: 'Decisions with feedback (90 days)',
            columns: [
              { key: 'agent', label: 'Decision type', kind: 'text', width: 2.4 },
              { key: 'decisions', label: 'Decisions', kind: 'count' },
              { key: 'judged', label: 'With feedback', kind: 'count' },
              { key: 'right', label: 'Correct', kind: 'share' },
              { key: 'low', label: '95% interval, lower bound', kind: 'share', width: 1.2 },
              { key: 'high', label: '95% interval, upper bound', kind: 'share', width: 1.2 },
            ],
            rows: judged.map(({ name, decisions, judged: n, successRate, low, high }) => [
              name,
              decisions,
              n,
              successRate,
              low,
              high,
            ]),
            total: judged.length,
            empty: 'No decisions with feedback.',
          },
        ],
      },
    ],
    details: {
      title: 'Groups, newest first',
      columns: COLUMNS,
      rows: rows.map(rowOf),
      total: Math.max(incidents, rows.length),
      empty: 'No groups.',
    },
  };
};
