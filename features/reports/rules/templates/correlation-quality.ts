import { known } from '#domain/known.ts';
import type { Chart } from '#features/reports/rules/charts/chart.ts';
import type { ReportColumn } from '#features/reports/rules/document/document.ts';
import type { Cell } from '#features/reports/rules/values/value.ts';
import { count, decimal, percent } from '#features/reports/rules/values/values.ts';
import type { Chosen } from './chosen.ts';
import type { IncidentRow } from './incident-review.ts';
import { against, groupNoun, rowName, several, shareOf, span } from './said.ts';
import type { CountedGroup, Template } from './template.ts';

/** Results of correlation for one source, service …; shares are 0 to 1. */
interface QualityGroup {
  readonly label: string;
  readonly events: number;
  readonly occurrences: number;
  readonly correlatedShare: number | null;
}

/** Judgements of decisions by people and outcomes within 90 days. */
export interface JudgedAgent {
  readonly name: string;
  readonly decisions: number;
  readonly judged: number;
  readonly successRate: number | null;
  /** 95 %. */
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

const MOST_BARS = 12;
const MOST_GROUPS = 40;
const SIZES = [
  ['2', 2],
  ['3 to 5', 5],
  ['6 to 10', 10],
  ['11 to 50', 50],
  ['more', Infinity],
] as const;
const CONFIDENCES = [
  ['below 50 %', 0.5],
  ['50 to 70 %', 0.7],
  ['70 to 90 %', 0.9],
  ['90 % or more', Infinity],
] as const;

const COLUMNS: readonly ReportColumn[] = [
  { key: 'correlation_id', label: 'Group', kind: 'text', isForPrograms: true },
  { key: 'began', label: 'Began', kind: 'time', width: 1.9 },
  { key: 'events', label: 'Events', kind: 'count', width: 0.8 },
  { key: 'span', label: 'First to last event', kind: 'duration', width: 1.2 },
  { key: 'severity', label: 'Severity', kind: 'text' },
  { key: 'cause', label: 'Probable cause', kind: 'text', width: 2.8 },
  { key: 'ci', label: 'On CI', kind: 'text', width: 2.2 },
  { key: 'confidence', label: 'Confidence', kind: 'share', width: 1.25 },
];

const rowOf = (row: IncidentRow): Cell[] => [
  row.id,
  row.began,
  row.events,
  row.last - row.began,
  row.severity,
  row.cause,
  row.ci,
  row.confidence,
];

/** How many values lie in each band; a band has what is above the one before. */
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

/** How many groups have a cause; the others have a candidate at best that is too unsure to be named. */
const namedText = (causes: number, groups: number): string => {
  if (groups === 0) return 'Whether their causes are known was not looked at.';
  if (causes === groups) return `A probable cause is named for ${groups === 1 ? 'it' : 'all of them'}.`;
  if (causes === 0) return 'No cause could be named, since no candidate is sure enough.';
  return `A probable cause is named for ${count(causes)} of ${count(groups)} (${shareOf(causes, groups)}); no candidate of the others is sure enough.`;
};

function summaryOf(read: CorrelationQualityRead, { range }: Chosen): string[] {
  const { events, before, occurrences, correlatedShare, correlatedShareBefore, judged, rows, incidents } = read;
  if (events === 0) return [`No events began in these ${span(range)}, so there is nothing to judge.`];
  const compared = against(events, before, range);
  const sizes = rows.map((row) => row.events).sort((a, b) => a - b);
  const middle = sizes[Math.floor((sizes.length - 1) / 2)];
  const causes = rows.filter(({ cause }) => cause !== null).length;
  const told = judged.filter((one) => one.successRate !== null);
  return [
    `${several(events, 'event')} began in ${span(range)}${compared === '' ? '' : `, ${compared}`}. Monitors told of them ${several(occurrences, 'time')}: ${percent(occurrences === 0 ? 0 : 1 - events / occurrences)} of it was repetition and was folded.`,
    ...(correlatedShare === null
      ? []
      : [
          `${percent(correlatedShare)} of the events are in a group with others${correlatedShareBefore === null ? '' : `, against ${percent(correlatedShareBefore)} in the ${span(range)} before`}.`,
        ]),
    ...(incidents === 0
      ? ['No group of related events was found.']
      : [
          `They made ${several(incidents, 'group')}; the middle one has ${several(middle ?? 0, 'event')}, the largest ${several(sizes.at(-1) ?? 0, 'event')}. ${namedText(causes, rows.length)}`,
        ]),
    `So people had ${several(Math.max(0, Math.round(events * (1 - (correlatedShare ?? 0)))) + incidents, 'thing')} to look at instead of ${several(occurrences, 'message')}: ${decimal(occurrences === 0 ? 0 : occurrences / Math.max(1, Math.round(events * (1 - (correlatedShare ?? 0))) + incidents))} messages for each.`,
    ...(told.length === 0
      ? [
          'No decision was judged by people or by what became of it within 90 days, so how often correlation is right is not known.',
        ]
      : told.map(
          ({ name, judged: n, successRate, low, high }) =>
            `${name}: ${percent(known(successRate, 'success rate'))} of ${several(n, 'judged decision')} of 90 days ${n === 1 ? 'was' : 'were'} right${low === null || high === null ? '' : ` (95 % interval ${percent(low)} to ${percent(high)})`}.`,
        )),
  ];
}

const groupCharts = (rows: CorrelationQualityRead['rows']): Chart[] => {
  const sizes = rows.map((row) => row.events);
  const confidences = rows.flatMap(({ confidence }) => confidence ?? []);
  return [
    {
      kind: 'columns',
      title: 'Groups by their size',
      measure: 'groups',
      valueKind: 'count',
      axis: 'events in the group',
      empty: 'There are no groups.',
      series: ['groups'],
      points: bands(sizes, SIZES, true).map(({ label, value }) => ({ label, values: [value] })),
    },
    {
      kind: 'columns',
      title: 'Groups by the confidence of their probable cause',
      measure: 'groups',
      valueKind: 'count',
      axis: 'confidence',
      empty: 'No probable cause is named.',
      series: ['groups'],
      points: bands(confidences, CONFIDENCES, false).map(({ label, value }) => ({ label, values: [value] })),
    },
  ];
};

/** How well events are folded and grouped. */
export const correlationQuality: Template<CorrelationQualityRead> = (read, chosen) => {
  const { events, occurrences, correlatedShare, groups, judged, rows, incidents } = read;
  const grouping = chosen.grouping ?? 'source';
  const noun = groupNoun(grouping);
  const named = groups.map((group) => ({ ...group, label: rowName(group.label, grouping) }));
  const folded = ({ events: of, occurrences: told }: QualityGroup): number | null =>
    told === 0 ? null : 1 - of / told;
  return {
    figures: [
      { label: 'messages of monitors', value: occurrences, kind: 'count' },
      { label: 'events', value: events, kind: 'count' },
      { label: 'repetition folded', value: occurrences === 0 ? null : 1 - events / occurrences, kind: 'share' },
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
            empty: 'No event is in a group.',
            items: named.slice(0, MOST_BARS).map(({ label, correlatedShare: share }) => ({ label, value: share ?? 0 })),
          },
        ],
        tables: [
          {
            title: `Folding and grouping by ${noun}`,
            columns: [
              { key: grouping, label: noun.charAt(0).toUpperCase() + noun.slice(1), kind: 'text', width: 2.6 },
              { key: 'occurrences', label: 'Messages', kind: 'count' },
              { key: 'events', label: 'Events', kind: 'count' },
              { key: 'folded', label: 'Folded', kind: 'share' },
              { key: 'correlated', label: 'In a group', kind: 'share' },
            ],
            rows: named
              .slice(0, MOST_GROUPS)
              .map((group) => [group.label, group.occurrences, group.events, folded(group), group.correlatedShare]),
            total: named.length,
            empty: 'No events began.',
          },
        ],
      },
      {
        heading: 'Groups and causes',
        text: [],
        charts: [...groupCharts(rows)],
        tables: [
          {
            title: 'Decisions that were judged, within 90 days',
            columns: [
              { key: 'agent', label: 'Kind of decision', kind: 'text', width: 2.4 },
              { key: 'decisions', label: 'Made', kind: 'count' },
              { key: 'judged', label: 'Judged', kind: 'count' },
              { key: 'right', label: 'Right', kind: 'share' },
              { key: 'low', label: 'At least (95 %)', kind: 'share', width: 1.2 },
              { key: 'high', label: 'At most (95 %)', kind: 'share', width: 1.2 },
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
            empty: 'There are none.',
          },
        ],
      },
    ],
    details: {
      title: 'Groups, the newest first',
      columns: COLUMNS,
      rows: rows.map(rowOf),
      total: Math.max(incidents, rows.length),
      empty: 'There are no groups.',
    },
  };
};
