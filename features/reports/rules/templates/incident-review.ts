import { firstItem, itemAt } from '#domain/assert.ts';
import { SEVERITIES } from '#domain/event/event.ts';
import type { Chart } from '#features/reports/rules/charts/chart.ts';
import type { ReportColumn, ReportSection } from '#features/reports/rules/document/document.ts';
import type { Cell } from '#features/reports/rules/values/value.ts';
import { count, duration, mean } from '#features/reports/rules/values/values.ts';
import type { Chosen } from './chosen.ts';
import { against, axisOf, groupNoun, rowName, several, shareOf, span, type TimeUnit, timeLabels } from './said.ts';
import type { CountedGroup, Template } from './template.ts';

/** A group; times and durations are ms. */
export interface IncidentRow {
  readonly id: string;
  readonly began: number;
  readonly last: number;
  /** End of its last member; null: unresolved or unknown. */
  readonly ended: number | null;
  readonly events: number;
  readonly severity: string;
  readonly state: 'open' | 'acknowledged' | 'resolved';
  /** Title of its root cause, or of its first event. */
  readonly title: string;
  readonly cause: string | null;
  readonly causeEvent: string | null;
  readonly ci: string | null;
  /** 0 to 1. */
  readonly confidence: number | null;
  readonly services: readonly string[];
}

export interface IncidentReviewRead {
  readonly incidents: number;
  readonly before: number | null;
  readonly events: number;
  readonly unit: TimeUnit;
  readonly groups: readonly CountedGroup[];
  /** Mean time to resolve all events of the range, grouped or not. */
  readonly resolveMs: number | null;
  /** Boundaries of the parts of the range. */
  readonly edges: readonly number[];
  /** Newest first. */
  readonly rows: readonly IncidentRow[];
}

const MAX_BARS = 12;
const MAX_LARGEST = 10;
const MAX_OPEN = 25;

const COLUMNS: readonly ReportColumn[] = [
  { key: 'correlation_id', label: 'Group', kind: 'text', isForPrograms: true },
  { key: 'cause_event', label: 'Root-cause event', kind: 'text', isForPrograms: true },
  { key: 'cause', label: 'Probable root cause', kind: 'text', isForPrograms: true },
  { key: 'began', label: 'Started', kind: 'time', width: 2.1 },
  { key: 'severity', label: 'Severity', kind: 'text' },
  { key: 'state', label: 'State', kind: 'text', width: 1.35 },
  { key: 'title', label: 'Title', kind: 'text', width: 2.8 },
  { key: 'ci', label: 'On CI', kind: 'text', width: 2.1 },
  { key: 'confidence', label: 'Confidence', kind: 'share', width: 1.35 },
  { key: 'services', label: 'Services', kind: 'text', width: 1.5 },
  { key: 'events', label: 'Events', kind: 'count', width: 0.8 },
  { key: 'lasted', label: 'First to last event', kind: 'duration', width: 1.1 },
];

const rowOf = (row: IncidentRow): Cell[] => [
  row.id,
  row.causeEvent,
  row.cause,
  row.began,
  row.severity,
  row.state,
  row.title,
  row.ci,
  row.confidence,
  row.services.length === 0 ? null : row.services.join(', '),
  row.events,
  row.last - row.began,
];

const named = ({ cause, ci }: IncidentRow): string =>
  `“${cause ?? 'no root cause identified'}”${ci === null ? '' : ` on ${ci}`}`;

/** Mean time from the first event of a group to the end of its last one; null: none are resolved. */
const meanEnd = (rows: readonly IncidentRow[]): number | null =>
  mean(rows.flatMap(({ began, ended }) => (ended === null ? [] : ended - began)));

/** Counts groups by the CI of their root cause. */
const repeated = (rows: readonly IncidentRow[]): CountedGroup[] => {
  const counts = new Map<string, number>();
  for (const { ci } of rows) if (ci !== null) counts.set(ci, (counts.get(ci) ?? 0) + 1);
  return [...counts].map(([label, value]) => ({ label, value })).sort((a, b) => b.value - a.value);
};

function summaryOf(read: IncidentReviewRead, { range, grouping }: Chosen): string[] {
  const { incidents, before, events, rows, groups, resolveMs } = read;
  if (incidents === 0) return [`No groups in ${span(range)}.`];
  const open = rows.filter(({ state }) => state !== 'resolved');
  const incidentMs = meanEnd(rows);
  const compared = against(incidents, before, range);
  const largest = rows.reduce((most, row) => (row.events > most.events ? row : most), firstItem(rows));
  const [first] = groups.filter(({ label }) => label !== 'none');
  const again = repeated(rows).filter(({ value }) => value > 1);
  const sure = rows.filter(({ confidence }) => confidence !== null && confidence >= 0.7).length;
  return [
    `${several(incidents, 'group')} with ${several(events, 'event')} in ${span(range)}${compared === '' ? '' : `, ${compared}`}.`,
    `${several(open.length, 'group')} unresolved${open.length === 0 ? '' : `; the oldest started ${duration(range.to - Math.min(...open.map(({ began }) => began)))} ago`}.`,
    `Largest: ${several(largest.events, 'event')} within ${duration(largest.last - largest.began)}; probable root cause ${named(largest)}.`,
    ...(first === undefined
      ? []
      : [
          `Most groups by ${groupNoun(grouping ?? 'service')}: ${first.label} with ${count(first.value)} (${shareOf(first.value, incidents)}).`,
        ]),
    ...(again.length === 0
      ? ['No CI was the root cause of more than one group.']
      : [
          `Root cause of more than one group: ${again
            .slice(0, 3)
            .map(({ label, value }) => `${label} (${count(value)})`)
            .join(', ')}.`,
        ]),
    `Root cause with at least 70% confidence: ${several(sure, 'group')} (${shareOf(sure, rows.length)}).`,
    ...(incidentMs === null ? [] : [`Mean time to resolve a group: ${duration(incidentMs)}.`]),
    ...(resolveMs === null ? [] : [`Mean time to resolve an event: ${duration(resolveMs)}.`]),
  ];
}

const perUnit = ({ rows, edges }: IncidentReviewRead) =>
  edges.slice(0, -1).map((at, n) => {
    const within = rows.filter(({ began }) => began >= at && began < itemAt(edges, n + 1));
    return { at, values: SEVERITIES.map((severity) => within.filter((row) => row.severity === severity).length) };
  });

const overTime = (read: IncidentReviewRead, { zone }: Chosen): Chart => {
  const { unit } = read;
  const label = timeLabels(zone, unit);
  return {
    kind: 'columns',
    title: `Groups per ${unit} by highest severity`,
    measure: 'groups started',
    valueKind: 'count',
    axis: axisOf(unit, zone),
    empty: 'No groups.',
    series: SEVERITIES,
    points: perUnit(read).map(({ at, values }) => ({ label: label(at), values })),
  };
};

const attention = (rows: readonly IncidentRow[], open: readonly IncidentRow[]): ReportSection => {
  const largest = [...rows].sort((a, b) => b.events - a.events).slice(0, MAX_LARGEST);
  const people = COLUMNS.filter(({ isForPrograms }) => isForPrograms !== true);
  const forPeople = (some: readonly IncidentRow[]): Cell[][] => some.map((row) => rowOf(row).slice(3));
  return {
    heading: 'Needs attention',
    text: [],
    charts: [],
    tables: [
      {
        title: 'Unresolved, oldest first',
        columns: people,
        total: open.length,
        empty: 'All groups are resolved.',
        rows: forPeople([...open].sort((a, b) => a.began - b.began).slice(0, MAX_OPEN)),
      },
      {
        title: 'Largest groups',
        columns: people,
        rows: forPeople(largest),
        total: largest.length,
        empty: 'No groups.',
      },
    ],
  };
};

export const incidentReview: Template<IncidentReviewRead> = (read, chosen) => {
  const { incidents, events, rows, groups } = read;
  const grouping = chosen.grouping ?? 'service';
  const open = rows.filter(({ state }) => state !== 'resolved');
  const agreed = rows.flatMap(({ confidence }) => confidence ?? []);
  return {
    figures: [
      { label: 'groups', value: incidents, kind: 'count' },
      { label: 'unresolved', value: open.length, kind: 'count' },
      { label: 'events in these groups', value: events, kind: 'count' },
      { label: 'mean time to resolve a group', value: meanEnd(rows), kind: 'duration' },
      { label: 'mean root-cause confidence', value: mean(agreed), kind: 'share' },
    ],
    summary: summaryOf(read, chosen),
    sections: [
      {
        heading: 'Over time',
        text:
          rows.length < incidents
            ? [`The chart shows the ${count(rows.length)} newest of ${several(incidents, 'group')}.`]
            : [],
        charts: [overTime(read, chosen)],
        tables: [],
      },
      {
        heading: `By ${groupNoun(grouping)}`,
        text: [`A group counts for each ${groupNoun(grouping)} of its events.`],
        charts: [
          {
            kind: 'bars',
            title: `Groups by ${groupNoun(grouping)}`,
            measure: 'incidents',
            valueKind: 'count',
            empty: 'No groups.',
            items: groups.slice(0, MAX_BARS).map((one) => ({ ...one, label: rowName(one.label, grouping) })),
          },
          {
            kind: 'bars',
            title: 'Root-cause CIs',
            measure: 'incidents',
            valueKind: 'count',
            empty: 'No root cause is bound to a CI.',
            items: repeated(rows).slice(0, MAX_BARS),
          },
        ],
        tables: [],
      },
      attention(rows, open),
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
