import type { ReportColumn } from '#features/reports/rules/document/document.ts';
import type { Cell } from '#features/reports/rules/values/value.ts';
import { count, duration } from '#features/reports/rules/values/values.ts';
import type { Chosen } from './chosen.ts';
import type { IncidentRow } from './incident-review.ts';
import { against, several, span } from './said.ts';
import type { Template } from './template.ts';

/** An unresolved group; times are ms. */
export interface UnresolvedGroup {
  readonly id: string;
  readonly title: string;
  readonly severity: string;
  readonly state: string;
  readonly began: number;
  readonly last: number;
  readonly events: number;
  readonly assignee: string | null;
}

export interface HandoverRead {
  readonly incidents: number;
  readonly before: number | null;
  /** Newest first. */
  readonly rows: readonly IncidentRow[];
  /** Most urgent first. */
  readonly open: readonly UnresolvedGroup[];
  readonly openTotal: number;
  /** CIs in maintenance now. */
  readonly maintained: readonly string[];
  readonly now: number;
}

const HOUR_MS = 3_600_000;
const MAX_WATCHED = 12;

const ROWS: readonly ReportColumn[] = [
  { key: 'correlation_id', label: 'Group', kind: 'text', isForPrograms: true },
  { key: 'began', label: 'Started', kind: 'time', width: 1.7 },
  { key: 'severity', label: 'Severity', kind: 'text' },
  { key: 'state', label: 'State', kind: 'text', width: 1.3 },
  { key: 'title', label: 'Title', kind: 'text', width: 3.4 },
  { key: 'ci', label: 'On CI', kind: 'text', width: 1.8 },
  { key: 'services', label: 'Services', kind: 'text', width: 1.6 },
  { key: 'events', label: 'Events', kind: 'count', width: 0.8 },
];
const OPEN: readonly ReportColumn[] = [
  { key: 'title', label: 'Title', kind: 'text', width: 3.4 },
  { key: 'severity', label: 'Severity', kind: 'text' },
  { key: 'state', label: 'State', kind: 'text', width: 1.3 },
  { key: 'assignee', label: 'Assignee', kind: 'text', width: 1.4 },
  { key: 'began', label: 'Started', kind: 'time', width: 1.7 },
  { key: 'open_for', label: 'Open for', kind: 'duration' },
  { key: 'events', label: 'Events', kind: 'count', width: 0.8 },
];
const WATCH: readonly ReportColumn[] = [
  { key: 'title', label: 'Subject', kind: 'text', width: 3 },
  { key: 'why', label: 'Reason', kind: 'text', width: 3 },
];

const rowOf = ({ id, began, severity, state, title, ci, services, events }: IncidentRow): Cell[] => [
  id,
  began,
  severity,
  state,
  title,
  ci,
  services.length === 0 ? null : services.join(', '),
  events,
];

/** Returns CIs that caused several groups in the range, with the number of groups. */
const repeated = (rows: readonly IncidentRow[]): [string, number][] => {
  const counts = new Map<string, number>();
  for (const { ci } of rows) if (ci !== null) counts.set(ci, (counts.get(ci) ?? 0) + 1);
  return [...counts].filter(([, n]) => n > 1).sort((a, b) => b[1] - a[1]);
};

/** Lists items for the next shift with reasons, most urgent first. */
const watched = ({ open, rows, maintained, now }: HandoverRead): [title: string, why: string][] => {
  const told: [string, string][] = [
    ...open
      .filter(({ assignee, severity }) => assignee === null && (severity === 'critical' || severity === 'major'))
      .map(({ title, severity }): [string, string] => [title, `${severity} and unassigned`]),
    ...open
      .filter(({ last }) => now - last < HOUR_MS)
      .map(({ title, last }): [string, string] => [title, `new event ${duration(Math.max(0, now - last))} ago`]),
    ...open
      .filter(({ began }) => now - began > 24 * HOUR_MS)
      .map(({ title, began }): [string, string] => [title, `open for ${duration(now - began)}`]),
    ...repeated(rows).map(([ci, n]): [string, string] => [ci, `root cause of ${several(n, 'group')}`]),
    ...maintained.map((name): [string, string] => [name, 'in maintenance: its events are suppressed']),
  ];
  const byTitle = Map.groupBy(told, ([title]) => title);
  return [...byTitle]
    .map(([title, all]): [string, string] => [title, all.map(([, why]) => why).join('; ')])
    .slice(0, MAX_WATCHED);
};

function summaryOf(read: HandoverRead, { range }: Chosen, watch: readonly unknown[]): string[] {
  const { incidents, before, rows, open, openTotal } = read;
  const compared = against(incidents, before, range);
  const resolved = rows.filter(({ state }) => state === 'resolved').length;
  const [first] = open;
  return [
    incidents === 0
      ? `No groups started in ${span(range)}.`
      : `${several(incidents, 'group')} started in ${span(range)}${compared === '' ? '' : `, ${compared}`}; ${count(resolved)} resolved.`,
    first === undefined
      ? 'No groups are open.'
      : `${several(openTotal, 'group')} open now. Most urgent: “${first.title}” (${first.severity}).`,
    watch.length === 0 ? 'Nothing to watch.' : `${several(watch.length, 'item')} to watch.`,
  ];
}

/** Groups of the range, open groups, and items to watch. */
export const handover: Template<HandoverRead> = (read, chosen) => {
  const { incidents, rows, open, openTotal, now } = read;
  const watch = watched(read);
  return {
    figures: [
      { label: 'groups started', value: incidents, kind: 'count' },
      { label: 'resolved', value: rows.filter(({ state }) => state === 'resolved').length, kind: 'count' },
      { label: 'open now', value: openTotal, kind: 'count' },
      { label: 'open and unassigned', value: open.filter(({ assignee }) => assignee === null).length, kind: 'count' },
      { label: 'items to watch', value: watch.length, kind: 'count' },
    ],
    summary: summaryOf(read, chosen, watch),
    sections: [
      {
        heading: 'Open groups',
        text: [],
        charts: [],
        tables: [
          {
            title: 'Open groups, most urgent first',
            columns: OPEN,
            rows: open.map(({ title, severity, state, assignee, began, events }) => [
              title,
              severity,
              state,
              assignee ?? 'Unassigned',
              began,
              now - began,
              events,
            ]),
            total: openTotal,
            empty: 'No groups are open.',
          },
        ],
      },
      {
        heading: 'Watch list',
        text: [],
        charts: [],
        tables: [
          { title: 'Items to watch', columns: WATCH, rows: watch, total: watch.length, empty: 'Nothing to watch.' },
        ],
      },
    ],
    details: {
      title: 'Groups of the time range, newest first',
      columns: ROWS,
      rows: rows.map(rowOf),
      total: Math.max(incidents, rows.length),
      empty: 'No groups.',
    },
  };
};
