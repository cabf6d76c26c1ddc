import { SEVERITIES } from '#domain/event/event.ts';
import { firstItem, itemAt } from '#domain/known.ts';
import type { Chart } from '#features/reports/rules/charts/chart.ts';
import type { ReportColumn, ReportSection } from '#features/reports/rules/document/document.ts';
import type { Cell } from '#features/reports/rules/values/value.ts';
import { count, duration, mean } from '#features/reports/rules/values/values.ts';
import type { Chosen } from './chosen.ts';
import { against, are, axisOf, groupNoun, rowName, several, shareOf, span, type TimeUnit, timeLabels } from './said.ts';
import type { CountedGroup, Template } from './template.ts';

/** A group of correlated events; times and spans are ms. */
export interface IncidentRow {
  readonly id: string;
  readonly began: number;
  readonly last: number;
  /** When its last member was over; null: it is not resolved, or that is not known. */
  readonly ended: number | null;
  readonly events: number;
  readonly severity: string;
  readonly state: 'open' | 'acknowledged' | 'resolved';
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
  /** Mean time to resolve of the range's events, in incidents or not. */
  readonly resolveMs: number | null;
  /** Parts of the range. */
  readonly edges: readonly number[];
  /** Newest first. */
  readonly rows: readonly IncidentRow[];
}

const MOST_BARS = 12;
const MOST_LARGEST = 10;
const MOST_OPEN = 25;

const COLUMNS: readonly ReportColumn[] = [
  { key: 'correlation_id', label: 'Incident', kind: 'text', isForPrograms: true },
  { key: 'cause_event', label: 'Event of the cause', kind: 'text', isForPrograms: true },
  { key: 'began', label: 'Began', kind: 'time', width: 2.1 },
  { key: 'severity', label: 'Severity', kind: 'text' },
  { key: 'state', label: 'State', kind: 'text', width: 1.35 },
  { key: 'cause', label: 'Probable cause', kind: 'text', width: 2.8 },
  { key: 'ci', label: 'On CI', kind: 'text', width: 2.1 },
  { key: 'confidence', label: 'Confidence', kind: 'share', width: 1.35 },
  { key: 'services', label: 'Services', kind: 'text', width: 1.5 },
  { key: 'events', label: 'Events', kind: 'count', width: 0.8 },
  { key: 'lasted', label: 'First to last event', kind: 'duration', width: 1.1 },
];

const rowOf = (row: IncidentRow): Cell[] => [
  row.id,
  row.causeEvent,
  row.began,
  row.severity,
  row.state,
  row.cause,
  row.ci,
  row.confidence,
  row.services.length === 0 ? null : row.services.join(', '),
  row.events,
  row.last - row.began,
];

const named = ({ cause, ci }: IncidentRow): string => `“${cause ?? 'no cause named'}”${ci === null ? '' : ` on ${ci}`}`;

/** From the first event of an incident to the end of its last; null: none is resolved. */
const meanEnd = (rows: readonly IncidentRow[]): number | null =>
  mean(rows.flatMap(({ began, ended }) => (ended === null ? [] : ended - began)));

/** CIs that were the cause more than once. */
const repeated = (rows: readonly IncidentRow[]): CountedGroup[] => {
  const counts = new Map<string, number>();
  for (const { ci } of rows) if (ci !== null) counts.set(ci, (counts.get(ci) ?? 0) + 1);
  return [...counts].map(([label, value]) => ({ label, value })).sort((a, b) => b.value - a.value);
};

function summaryOf(read: IncidentReviewRead, { range, grouping }: Chosen): string[] {
  const { incidents, before, events, rows, groups, resolveMs } = read;
  if (incidents === 0) return [`No incident began in these ${span(range)}: no group of related events was found.`];
  const open = rows.filter(({ state }) => state !== 'resolved');
  const incidentMs = meanEnd(rows);
  const compared = against(incidents, before, range);
  const largest = rows.reduce((most, row) => (row.events > most.events ? row : most), firstItem(rows));
  const [first] = groups.filter(({ label }) => label !== 'none');
  const again = repeated(rows).filter(({ value }) => value > 1);
  const sure = rows.filter(({ confidence }) => confidence !== null && confidence >= 0.7).length;
  return [
    `${several(incidents, 'incident')} with ${several(events, 'event')} began in ${span(range)}${compared === '' ? '' : `, ${compared}`}.`,
    `${several(open.length, 'incident')} ${are(open.length)} not resolved${open.length === 0 ? '' : `, the oldest since ${duration(range.to - Math.min(...open.map(({ began }) => began)))}`}.`,
    `The largest had ${several(largest.events, 'event')} within ${duration(largest.last - largest.began)}; its probable cause is ${named(largest)}.`,
    ...(first === undefined
      ? []
      : [
          `The ${groupNoun(grouping ?? 'service')} with most incidents is ${first.label}: ${count(first.value)} (${shareOf(first.value, incidents)}).`,
        ]),
    ...(again.length === 0
      ? ['No CI was the probable cause of more than one incident.']
      : [
          `Probable cause of more than one incident: ${again
            .slice(0, 3)
            .map(({ label, value }) => `${label} (${count(value)})`)
            .join(', ')}.`,
        ]),
    `A probable cause is named with a confidence of 70 % or more for ${several(sure, 'incident')} (${shareOf(sure, rows.length)}).`,
    ...(incidentMs === null ? [] : [`Resolved incidents were over after ${duration(incidentMs)} on average.`]),
    ...(resolveMs === null
      ? []
      : [`Events of the range, in an incident or not, were resolved after ${duration(resolveMs)} on average.`]),
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
    title: `Incidents per ${unit}, by their worst severity`,
    measure: 'incidents that began',
    valueKind: 'count',
    axis: axisOf(unit, zone),
    empty: 'No incident began.',
    series: SEVERITIES,
    points: perUnit(read).map(({ at, values }) => ({ label: label(at), values })),
  };
};

const attention = (rows: readonly IncidentRow[], open: readonly IncidentRow[]): ReportSection => {
  const largest = [...rows].sort((a, b) => b.events - a.events).slice(0, MOST_LARGEST);
  const people = COLUMNS.filter(({ isForPrograms }) => isForPrograms !== true);
  const forPeople = (some: readonly IncidentRow[]): Cell[][] => some.map((row) => rowOf(row).slice(2));
  return {
    heading: 'What needs attention',
    text: [],
    charts: [],
    tables: [
      {
        title: 'Not resolved, the oldest first',
        columns: people,
        total: open.length,
        empty: 'All incidents are resolved.',
        rows: forPeople([...open].sort((a, b) => a.began - b.began).slice(0, MOST_OPEN)),
      },
      {
        title: 'The largest',
        columns: people,
        rows: forPeople(largest),
        total: largest.length,
        empty: 'No incident began.',
      },
    ],
  };
};

/** Groups of correlated events. */
export const incidentReview: Template<IncidentReviewRead> = (read, chosen) => {
  const { incidents, events, rows, groups } = read;
  const grouping = chosen.grouping ?? 'service';
  const open = rows.filter(({ state }) => state !== 'resolved');
  const agreed = rows.flatMap(({ confidence }) => confidence ?? []);
  return {
    figures: [
      { label: 'incidents', value: incidents, kind: 'count' },
      { label: 'not resolved now', value: open.length, kind: 'count' },
      { label: 'events in them', value: events, kind: 'count' },
      { label: 'mean time to resolve an incident', value: meanEnd(rows), kind: 'duration' },
      {
        label: 'mean confidence of causes',
        value: mean(agreed),
        kind: 'share',
      },
    ],
    summary: summaryOf(read, chosen),
    sections: [
      {
        heading: 'Over time',
        text:
          rows.length < incidents
            ? [`The chart has the ${several(rows.length, 'newest incident')} of ${count(incidents)}.`]
            : [],
        charts: [overTime(read, chosen)],
        tables: [],
      },
      {
        heading: `By ${groupNoun(grouping)}`,
        text: [`An incident counts for every ${groupNoun(grouping)} that one of its events is of.`],
        charts: [
          {
            kind: 'bars',
            title: `Incidents by ${groupNoun(grouping)}`,
            measure: 'incidents',
            valueKind: 'count',
            empty: 'No incident began.',
            items: groups.slice(0, MOST_BARS).map((one) => ({ ...one, label: rowName(one.label, grouping) })),
          },
          {
            kind: 'bars',
            title: 'CIs that were the probable cause',
            measure: 'incidents',
            valueKind: 'count',
            empty: 'No cause is on a known CI.',
            items: repeated(rows).slice(0, MOST_BARS),
          },
        ],
        tables: [],
      },
      attention(rows, open),
    ],
    details: {
      title: 'Incidents, the newest first',
      columns: COLUMNS,
      rows: rows.map(rowOf),
      total: Math.max(incidents, rows.length),
      empty: 'No incident began.',
    },
  };
};
