import type { ReportColumn, ReportSection } from '#features/reports/rules/document/document.ts';
import type { Cell } from '#features/reports/rules/values/value.ts';
import { count, decimal, duration } from '#features/reports/rules/values/values.ts';
import type { Chosen } from './chosen.ts';
import { against, axisOf, several, span, type TimeUnit, timeLabels } from './said.ts';
import type { Template, TimePoint } from './template.ts';

/** A business service; durations are ms. */
export interface ServiceRow {
  readonly id: string;
  readonly name: string;
  readonly criticality: string;
  /** `healthy`, `degraded`, `critical`; `unknown` without components. */
  readonly status: string;
  /** 0 to 100; null: unknown. */
  readonly score: number | null;
  readonly components: number;
  readonly openEvents: number;
  readonly events: number;
  readonly incidents: number;
  readonly resolveMs: number | null;
  readonly availability: string | null;
}

/** A component with open events. */
export interface UnhealthyComponent {
  readonly service: string;
  readonly ci: string;
  readonly role: string;
  readonly severity: string;
  readonly openEvents: number;
}

export interface ServiceHealthRead {
  /** Worst first. */
  readonly rows: readonly ServiceRow[];
  readonly total: number;
  readonly meanScore: number | null;
  readonly events: number;
  readonly before: number | null;
  readonly resolveMs: number | null;
  readonly unit: TimeUnit;
  readonly overTime: readonly TimePoint[];
  readonly ailing: readonly UnhealthyComponent[];
}

const MAX_BARS = 15;
const MAX_AILING = 50;

const COLUMNS: readonly ReportColumn[] = [
  { key: 'service_id', label: 'ID', kind: 'text', isForPrograms: true },
  { key: 'service', label: 'Service', kind: 'text', width: 2.4 },
  { key: 'criticality', label: 'Criticality', kind: 'text', width: 1.1 },
  { key: 'health', label: 'Health', kind: 'text', width: 1.1 },
  { key: 'score', label: 'Score', kind: 'decimal', width: 0.8 },
  { key: 'components', label: 'Components', kind: 'count', width: 0.7 },
  { key: 'open_events', label: 'Open events', kind: 'count', width: 0.9 },
  { key: 'events', label: 'Events', kind: 'count', width: 0.9 },
  { key: 'incidents', label: 'Groups', kind: 'count' },
  { key: 'mean_time_to_resolve', label: 'Mean time to resolve', kind: 'duration', width: 1.3 },
  { key: 'sla_availability', label: 'Availability target', kind: 'text', width: 1.2 },
];

const rowOf = (row: ServiceRow): Cell[] => [
  row.id,
  row.name,
  row.criticality,
  row.status,
  row.score,
  row.components,
  row.openEvents,
  row.events,
  row.incidents,
  row.resolveMs,
  row.availability,
];

const ILL = ['critical', 'degraded'] as const;

const withScore = (rows: readonly ServiceRow[]): (ServiceRow & { readonly score: number })[] =>
  rows.filter((row): row is ServiceRow & { readonly score: number } => row.score !== null);

function summaryOf(read: ServiceHealthRead, { range }: Chosen): string[] {
  const { rows, total, events, before, resolveMs, ailing } = read;
  if (total === 0) return ['No business services.'];
  const known = withScore(rows);
  const [worst] = known;
  const ill = known.filter(({ status }) => status !== 'healthy');
  const busiest = rows.reduce<ServiceRow | null>((most, row) => (row.events > (most?.events ?? 0) ? row : most), null);
  const unknown = total - known.length;
  const states = [
    `${count(known.length - ill.length)} healthy now`,
    ...ILL.map((status) => [status, ill.filter((row) => row.status === status).length] as const)
      .filter(([, n]) => n > 0)
      .map(([status, n]) => `${count(n)} ${status}`),
    ...(unknown === 0 ? [] : [`${count(unknown)} without components (unknown)`]),
  ];
  const compared = against(events, before, range);
  return [
    `${several(total, 'service')}: ${states.join(', ')}.`,
    ...(worst === undefined || worst.status === 'healthy'
      ? []
      : [
          `Lowest score: ${worst.name}, ${decimal(worst.score)} of 100, ${several(worst.openEvents, 'open event')} on its components.`,
        ]),
    `${several(events, 'event')} on services in ${span(range)}${compared === '' ? '' : `, ${compared}`}.`,
    ...(busiest === null
      ? []
      : [
          `Most affected: ${busiest.name} with ${several(busiest.events, 'event')} and ${several(busiest.incidents, 'group')}.`,
        ]),
    ...(resolveMs === null ? [] : [`Mean time to resolve: ${duration(resolveMs)}.`]),
    `${several(ailing.length, 'component has', 'components have')} open events now.`,
  ];
}

const began = ({ rows, unit, overTime }: ServiceHealthRead, { zone }: Chosen): ReportSection => {
  const label = timeLabels(zone, unit);
  return {
    heading: 'Over time',
    text: [],
    charts: [
      {
        kind: 'columns',
        title: `Events of services per ${unit}`,
        measure: 'events started',
        valueKind: 'count',
        axis: axisOf(unit, zone),
        empty: 'No events.',
        series: ['events'],
        points: overTime.map(({ at, values }) => ({ label: label(at), values })),
      },
      {
        kind: 'bars',
        title: 'Services with most events',
        measure: 'events started',
        valueKind: 'count',
        empty: 'No events.',
        items: [...rows]
          .filter((row) => row.events > 0)
          .sort((a, b) => b.events - a.events)
          .slice(0, MAX_BARS)
          .map((row) => ({ label: row.name, value: row.events })),
      },
    ],
    tables: [],
  };
};

/** Health of business services, now and over time. */
export const serviceHealth: Template<ServiceHealthRead> = (read, chosen) => {
  const { rows, total, meanScore, events, resolveMs, ailing } = read;
  const known = withScore(rows);
  return {
    figures: [
      { label: 'services', value: total, kind: 'count' },
      { label: 'not healthy', value: known.filter(({ status }) => status !== 'healthy').length, kind: 'count' },
      { label: 'mean score of 100', value: meanScore, kind: 'decimal' },
      { label: 'events', value: events, kind: 'count' },
      { label: 'mean time to resolve', value: resolveMs, kind: 'duration' },
    ],
    summary: summaryOf(read, chosen),
    sections: [
      {
        heading: 'Current health',
        text: [
          'Score is 100 without open events and drops with the severity of events on components and their dependencies.',
        ],
        charts: [
          {
            kind: 'bars',
            title: 'Lowest scores',
            measure: 'score, 0 to 100',
            valueKind: 'decimal',
            full: 100,
            empty: 'No score available.',
            items: known.slice(0, MAX_BARS).map(({ name, score }) => ({ label: name, value: score })),
          },
        ],
        tables: [
          {
            title: 'Components with open events',
            columns: [
              { key: 'service', label: 'Service', kind: 'text', width: 2 },
              { key: 'ci', label: 'Component', kind: 'text', width: 2 },
              { key: 'role', label: 'Role', kind: 'text', width: 1.3 },
              { key: 'severity', label: 'Highest severity', kind: 'text' },
              { key: 'open_events', label: 'Open events', kind: 'count' },
            ],
            rows: ailing
              .slice(0, MAX_AILING)
              .map((part) => [part.service, part.ci, part.role, part.severity, part.openEvents]),
            total: ailing.length,
            empty: 'No component has open events.',
          },
        ],
      },
      began(read, chosen),
    ],
    details: {
      title: 'Services, worst first',
      columns: COLUMNS,
      rows: rows.map(rowOf),
      total,
      empty: 'No business services.',
    },
  };
};
