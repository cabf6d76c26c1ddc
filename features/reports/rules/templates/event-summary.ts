import { SEVERITIES } from '#domain/event/event.ts';
import type { Chart } from '#features/reports/rules/charts/chart.ts';
import type { ReportColumn, ReportSection } from '#features/reports/rules/document/document.ts';
import type { Cell } from '#features/reports/rules/values/value.ts';
import { duration, percent } from '#features/reports/rules/values/values.ts';
import type { Chosen } from './chosen.ts';
import { against, axisOf, groupNoun, rowName, several, shareOf, span, type TimeUnit, timeLabels } from './said.ts';
import type { CountedGroup, Template, TimePoint } from './template.ts';

/** One row per source, CI, service …; durations are ms. */
interface EventGroup {
  readonly label: string;
  readonly events: number;
  readonly before: number | null;
  readonly occurrences: number;
  readonly resolved: number;
  readonly resolveMs: number | null;
}

export interface EventSummaryRow {
  readonly eventId: string;
  readonly severity: string;
  readonly status: string;
  readonly title: string;
  readonly source: string;
  readonly ci: string | null;
  readonly ciId: string | null;
  readonly groupId: string | null;
  readonly began: number;
  readonly last: number;
  readonly occurrences: number;
  readonly resolvedAfterMs: number | null;
}

export interface EventSummaryRead {
  readonly events: number;
  readonly before: number | null;
  readonly occurrences: number;
  /** Events in a group of related ones. */
  readonly correlated: number;
  readonly open: number;
  readonly resolved: number;
  readonly resolveMs: number | null;
  readonly resolveMsBefore: number | null;
  readonly acknowledgeMs: number | null;
  readonly unit: TimeUnit;
  /** By severity, the most severe first. */
  readonly overTime: readonly TimePoint[];
  readonly bySeverity: readonly CountedGroup[];
  readonly groups: readonly EventGroup[];
  readonly groupsTotal: number;
  readonly cis: readonly CountedGroup[];
  readonly complaints: readonly CountedGroup[];
  /** The most severe first. */
  readonly rows: readonly EventSummaryRow[];
}

const MOST_BARS = 12;
const MOST_GROUPS = 40;

const COLUMNS: readonly ReportColumn[] = [
  { key: 'event_id', label: 'Event', kind: 'text', isForPrograms: true },
  { key: 'ci_id', label: 'CI id', kind: 'text', isForPrograms: true },
  { key: 'correlation_id', label: 'Group', kind: 'text', isForPrograms: true },
  { key: 'severity', label: 'Severity', kind: 'text', width: 0.95 },
  { key: 'status', label: 'Status', kind: 'text', width: 1.35 },
  { key: 'title', label: 'Event', kind: 'text', width: 2.8 },
  { key: 'source', label: 'Source', kind: 'text', width: 1.35 },
  { key: 'ci', label: 'CI', kind: 'text', width: 2.6 },
  { key: 'began', label: 'Began', kind: 'time', width: 2.15 },
  { key: 'last', label: 'Last told', kind: 'time', isForPrograms: true },
  { key: 'occurrences', label: 'Told', kind: 'count', width: 0.7 },
  { key: 'resolved_after', label: 'Resolved after', kind: 'duration', width: 1.05 },
];

const rowOf = (row: EventSummaryRow): Cell[] => [
  row.eventId,
  row.ciId,
  row.groupId,
  row.severity,
  row.status,
  row.title,
  row.source,
  row.ci,
  row.began,
  row.last,
  row.occurrences,
  row.resolvedAfterMs,
];

/** The share of one group. */
function sayLargest({ groups, events }: EventSummaryRead, grouping: string): string[] {
  const [first, second] = groups.filter(({ label }) => label !== 'none');
  if (first === undefined || events === 0) return [];
  const next = second === undefined ? '' : `, then ${second.label} (${shareOf(second.events, events)})`;
  const most = `Most events by ${groupNoun(grouping)}: ${first.label} with ${several(first.events, 'event')}`;
  return [`${most}, ${shareOf(first.events, events)} of all${next}.`];
}

function sayResolving({
  resolved,
  events,
  resolveMs,
  resolveMsBefore,
  acknowledgeMs,
  open,
}: EventSummaryRead): string[] {
  const said: string[] = [];
  if (resolveMs !== null) {
    const before = resolveMsBefore === null ? '' : `, against ${duration(resolveMsBefore)} before`;
    said.push(`${several(resolved, 'event')} were resolved, after ${duration(resolveMs)} on average${before}.`);
  } else said.push('Of no event it is known how long it took to resolve.');
  if (acknowledgeMs !== null) said.push(`Events were acknowledged after ${duration(acknowledgeMs)} on average.`);
  if (events > 0)
    said.push(
      `${several(open, 'event')} of the range ${open === 1 ? 'is' : 'are'} not resolved now (${shareOf(open, events)}).`,
    );
  return said;
}

function summaryOf(read: EventSummaryRead, { range, grouping }: Chosen): string[] {
  const { events, before, occurrences, correlated, bySeverity, complaints } = read;
  if (events === 0)
    return [
      `No events began in these ${span(range)}${before ? `; ${several(before, 'event')} did in the ${span(range)} before` : ''}.`,
    ];
  const compared = against(events, before, range);
  const severe = bySeverity.filter(({ label }) => label === 'critical' || label === 'major');
  const severeCount = severe.reduce((sum, { value }) => sum + value, 0);
  const [complaint] = complaints;
  return [
    `${several(events, 'event')} began in ${span(range)}${compared === '' ? '' : `, ${compared}`}.`,
    `${several(severeCount, 'event')} ${severeCount === 1 ? 'was' : 'were'} critical or major (${shareOf(severeCount, events)}).`,
    ...sayLargest(read, grouping ?? 'source'),
    ...(complaint === undefined
      ? []
      : [`The most frequent complaint is “${complaint.label}” (${several(complaint.value, 'event')}).`]),
    ...sayResolving(read),
    `Monitors told of them ${several(occurrences, 'time')}; ${percent(occurrences === 0 ? 0 : 1 - events / occurrences)} of it was repetition and was folded. ${shareOf(correlated, events)} of the events are in a group with others.`,
  ];
}

const bars = (title: string, measure: string, items: readonly CountedGroup[]): Chart => ({
  kind: 'bars',
  title,
  measure,
  valueKind: 'count',
  empty: 'There are none.',
  items: items.slice(0, MOST_BARS),
});

function overTime({ overTime: points, unit }: EventSummaryRead, { zone }: Chosen): ReportSection {
  const label = timeLabels(zone, unit);
  return {
    heading: 'Over time',
    text: [],
    tables: [],
    charts: [
      {
        kind: 'columns',
        title: `Events per ${unit}, by severity`,
        measure: 'events that began',
        valueKind: 'count',
        axis: axisOf(unit, zone),
        empty: 'No events began.',
        series: SEVERITIES,
        points: points.map(({ at, values }) => ({ label: label(at), values })),
      },
    ],
  };
}

function byGroup({ groups, groupsTotal, events }: EventSummaryRead, grouping: string): ReportSection {
  const noun = groupNoun(grouping);
  const named = groups.map((group) => ({ ...group, label: rowName(group.label, grouping) }));
  return {
    heading: `By ${noun}`,
    text: [],
    charts: [
      bars(
        `Events by ${noun}`,
        'events that began',
        named.map(({ label, events: value }) => ({ label, value })),
      ),
    ],
    tables: [
      {
        title: `Events by ${noun}`,
        columns: [
          { key: grouping, label: noun.charAt(0).toUpperCase() + noun.slice(1), kind: 'text', width: 2.6 },
          { key: 'events', label: 'Events', kind: 'count' },
          { key: 'before', label: 'Range before', kind: 'count' },
          { key: 'share', label: 'Share', kind: 'share' },
          { key: 'occurrences', label: 'Told', kind: 'count' },
          { key: 'resolved', label: 'Resolved', kind: 'count' },
          { key: 'mean_time_to_resolve', label: 'Mean time to resolve', kind: 'duration', width: 1.3 },
        ],
        rows: named
          .slice(0, MOST_GROUPS)
          .map((group) => [
            group.label,
            group.events,
            group.before,
            events === 0 ? null : group.events / events,
            group.occurrences,
            group.resolved,
            group.resolveMs,
          ]),
        total: groupsTotal,
        empty: 'No events began.',
      },
    ],
  };
}

/** Events of a time. */
export const eventSummary: Template<EventSummaryRead> = (read, chosen) => {
  const { events, open, resolveMs, occurrences, correlated, rows, cis, complaints } = read;
  const grouping = chosen.grouping ?? 'source';
  return {
    figures: [
      { label: 'events began', value: events, kind: 'count' },
      { label: 'not resolved now', value: open, kind: 'count' },
      { label: 'mean time to resolve', value: resolveMs, kind: 'duration' },
      { label: 'repetition folded', value: occurrences === 0 ? null : 1 - events / occurrences, kind: 'share' },
      { label: 'in a group', value: events === 0 ? null : correlated / events, kind: 'share' },
    ],
    summary: summaryOf(read, chosen),
    sections: [
      overTime(read, chosen),
      byGroup(read, grouping),
      {
        heading: 'What was heard most',
        text: [],
        charts: [
          bars('CIs with most events', 'events that began', cis),
          bars('Most frequent complaints', 'events that began', complaints),
        ],
        tables: [],
      },
    ],
    details: {
      title: 'Events, the most severe first',
      columns: COLUMNS,
      rows: rows.map(rowOf),
      total: Math.max(events, rows.length),
      empty: 'No events began.',
    },
  };
};
