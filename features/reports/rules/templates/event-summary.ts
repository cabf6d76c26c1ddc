import { SEVERITIES } from '#domain/event/event.ts';
import { capital } from '#domain/text.ts';
import type { Chart } from '#features/reports/rules/charts/chart.ts';
import type { ReportColumn, ReportSection } from '#features/reports/rules/document/document.ts';
import type { Cell } from '#features/reports/rules/values/value.ts';
import { duration, percent } from '#features/reports/rules/values/values.ts';
import type { Chosen } from './chosen.ts';
import { against, axisOf, groupNoun, rowName, several, shareOf, span, type TimeUnit, timeLabels } from './said.ts';
import type { CountedGroup, Template, TimePoint } from './template.ts';

/** One row per value of the grouping; durations are ms. */
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
  /** Number of events in groups. */
  readonly correlated: number;
  readonly open: number;
  readonly resolved: number;
  readonly resolveMs: number | null;
  readonly resolveMsBefore: number | null;
  readonly acknowledgeMs: number | null;
  readonly unit: TimeUnit;
  /** Counts by severity, most severe first. */
  readonly overTime: readonly TimePoint[];
  readonly bySeverity: readonly CountedGroup[];
  readonly groups: readonly EventGroup[];
  readonly groupsTotal: number;
  readonly cis: readonly CountedGroup[];
  readonly complaints: readonly CountedGroup[];
  /** Most severe first. */
  readonly rows: readonly EventSummaryRow[];
}

const MAX_BARS = 12;
const MAX_GROUPS = 40;

const COLUMNS: readonly ReportColumn[] = [
  { key: 'event_id', label: 'Event', kind: 'text', isForPrograms: true },
  { key: 'ci_id', label: 'CI ID', kind: 'text', isForPrograms: true },
  { key: 'correlation_id', label: 'Group', kind: 'text', isForPrograms: true },
  { key: 'severity', label: 'Severity', kind: 'text', width: 0.95 },
  { key: 'status', label: 'Status', kind: 'text', width: 1.35 },
  { key: 'title', label: 'Event', kind: 'text', width: 2.8 },
  { key: 'source', label: 'Source', kind: 'text', width: 1.35 },
  { key: 'ci', label: 'CI', kind: 'text', width: 2.6 },
  { key: 'began', label: 'Started', kind: 'time', width: 2.15 },
  { key: 'last', label: 'Last seen', kind: 'time', isForPrograms: true },
  { key: 'occurrences', label: 'Count', kind: 'count', width: 0.7 },
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

/** States the share of the largest value of the grouping. */
function describeLargest({ groups, events }: EventSummaryRead, grouping: string): string[] {
  const [first, second] = groups.filter(({ label }) => label !== 'none');
  if (first === undefined || events === 0) return [];
  const next = second === undefined ? '' : `, then ${second.label} (${shareOf(second.events, events)})`;
  const most = `Most events by ${groupNoun(grouping)}: ${first.label} with ${several(first.events, 'event')}`;
  return [`${most}, ${shareOf(first.events, events)} of all${next}.`];
}

function describeResolving({
  resolved,
  events,
  resolveMs,
  resolveMsBefore,
  acknowledgeMs,
  open,
}: EventSummaryRead): string[] {
  const said: string[] = [];
  if (resolveMs !== null) {
    const before = resolveMsBefore === null ? '' : `, ${duration(resolveMsBefore)} before`;
    said.push(`${several(resolved, 'event')} resolved; mean time to resolve ${duration(resolveMs)}${before}.`);
  } else said.push('Resolution times are not available.');
  if (acknowledgeMs !== null) said.push(`Mean time to acknowledge: ${duration(acknowledgeMs)}.`);
  if (events > 0) said.push(`${several(open, 'event')} still unresolved (${shareOf(open, events)}).`);
  return said;
}

function summaryOf(read: EventSummaryRead, { range, grouping }: Chosen): string[] {
  const { events, before, occurrences, correlated, bySeverity, complaints } = read;
  if (events === 0)
    return [
      `No events in ${span(range)}${before ? `; ${several(before, 'event')} in the previous ${span(range)}` : ''}.`,
    ];
  const compared = against(events, before, range);
  const severe = bySeverity.filter(({ label }) => label === 'critical' || label === 'major');
  const severeCount = severe.reduce((sum, { value }) => sum + value, 0);
  const [complaint] = complaints;
  return [
    `${several(events, 'event')} in ${span(range)}${compared === '' ? '' : `, ${compared}`}.`,
    `${several(severeCount, 'event')} ${severeCount === 1 ? 'was' : 'were'} critical or major (${shareOf(severeCount, events)}).`,
    ...describeLargest(read, grouping ?? 'source'),
    ...(complaint === undefined
      ? []
      : [`Most frequent problem: “${complaint.label}” (${several(complaint.value, 'event')}).`]),
    ...describeResolving(read),
    `Sources sent ${several(occurrences, 'message')}; ${percent(occurrences === 0 ? 0 : 1 - events / occurrences)} were duplicates. ${shareOf(correlated, events)} of events are grouped.`,
  ];
}

const bars = (title: string, measure: string, items: readonly CountedGroup[]): Chart => ({
  kind: 'bars',
  title,
  measure,
  valueKind: 'count',
  empty: 'None.',
  items: items.slice(0, MAX_BARS),
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
        measure: 'events started',
        valueKind: 'count',
        axis: axisOf(unit, zone),
        empty: 'No events.',
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
        'events started',
        named.map(({ label, events: value }) => ({ label, value })),
      ),
    ],
    tables: [
      {
        title: `Events by ${noun}`,
        columns: [
          { key: grouping, label: capital(noun), kind: 'text', width: 2.6 },
          { key: 'events', label: 'Events', kind: 'count' },
          { key: 'before', label: 'Previous period', kind: 'count' },
          { key: 'share', label: 'Share', kind: 'share' },
          { key: 'occurrences', label: 'Count', kind: 'count' },
          { key: 'resolved', label: 'Resolved', kind: 'count' },
          { key: 'mean_time_to_resolve', label: 'Mean time to resolve', kind: 'duration', width: 1.3 },
        ],
        rows: named
          .slice(0, MAX_GROUPS)
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
        empty: 'No events.',
      },
    ],
  };
}

export const eventSummary: Template<EventSummaryRead> = (read, chosen) => {
  const { events, open, resolveMs, occurrences, correlated, rows, cis, complaints } = read;
  const grouping = chosen.grouping ?? 'source';
  return {
    figures: [
      { label: 'events', value: events, kind: 'count' },
      { label: 'unresolved', value: open, kind: 'count' },
      { label: 'mean time to resolve', value: resolveMs, kind: 'duration' },
      { label: 'duplicates removed', value: occurrences === 0 ? null : 1 - events / occurrences, kind: 'share' },
      { label: 'grouped', value: events === 0 ? null : correlated / events, kind: 'share' },
    ],
    summary: summaryOf(read, chosen),
    sections: [
      overTime(read, chosen),
      byGroup(read, grouping),
      {
        heading: 'Most frequent',
        text: [],
        charts: [
          bars('CIs with most events', 'events started', cis),
          bars('Most frequent problems', 'events started', complaints),
        ],
        tables: [],
      },
    ],
    details: {
      title: 'Events, most severe first',
      columns: COLUMNS,
      rows: rows.map(rowOf),
      total: Math.max(events, rows.length),
      empty: 'No events.',
    },
  };
};
