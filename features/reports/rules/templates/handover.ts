import type { ReportColumn, ReportSection, Table } from '#features/reports/rules/document/document.ts';
import type { Cell } from '#features/reports/rules/values/value.ts';
import { clockIn, count, duration, percent } from '#features/reports/rules/values/values.ts';
import type { Chosen } from './chosen.ts';
import { several, span } from './said.ts';
import type { Template } from './template.ts';

/** A group, or an event in none; times are ms. */
export interface HandoverGroup {
  readonly id: string;
  /** The CI or host is part of it. */
  readonly title: string;
  readonly place: string | null;
  readonly severity: string;
  readonly state: string;
  readonly began: number;
  readonly last: number;
  readonly ended: number | null;
  readonly events: number;
  readonly assignee: string | null;
  /** Null: not identified. */
  readonly cause:
    | { readonly by: string; readonly as: 'confirmed' | 'set' | 'rejected' }
    | { readonly confidence: number }
    | null;
}

export interface HandoverOpenGroup extends HandoverGroup {
  readonly services: readonly string[];
  /** Newest note. */
  readonly note: { readonly by: string; readonly at: number; readonly text: string } | null;
}

export interface HandoverAct {
  readonly at: number;
  readonly user: string;
  /** `event.acknowledged`. */
  readonly action: string;
  readonly subject: string;
  readonly text: string | null;
}

/** A silence, or the maintenance of a CI; times are ms. */
interface HandoverSilence {
  readonly what: string;
  readonly state: string;
  readonly from: number | null;
  /** Null: no end. */
  readonly to: number | null;
  readonly by: string | null;
  readonly reason: string | null;
}

/** The current and the next shift of a team. */
export interface HandoverOnCall {
  readonly team: string;
  readonly now: { readonly name: string; readonly until: number } | null;
  readonly next: { readonly name: string; readonly from: number } | null;
}

export interface HandoverRead {
  /** Groups that began in the range, newest first. */
  readonly began: readonly HandoverGroup[];
  /** More began than were read. */
  readonly hasMore: boolean;
  readonly resolved: number;
  /** Most urgent first. */
  readonly open: { readonly rows: readonly HandoverOpenGroup[]; readonly total: number; readonly unassigned: number };
  /** Newest first. */
  readonly acts: { readonly rows: readonly HandoverAct[]; readonly total: number };
  readonly silences: readonly HandoverSilence[];
  readonly onCall: readonly HandoverOnCall[];
  readonly now: number;
}

const HOUR_MS = 3_600_000;
const MAX_WATCHED = 12;

const ROWS: readonly ReportColumn[] = [
  { key: 'correlation_id', label: 'Group', kind: 'text', isForPrograms: true },
  { key: 'began', label: 'Started', kind: 'time', width: 1.7 },
  { key: 'ended', label: 'Resolved', kind: 'time', width: 1.7 },
  { key: 'severity', label: 'Severity', kind: 'text' },
  { key: 'state', label: 'State', kind: 'text', width: 1.3 },
  { key: 'title', label: 'Title', kind: 'text', width: 3.6 },
  { key: 'cause', label: 'Root cause', kind: 'text', width: 1.6 },
  { key: 'assignee', label: 'Assignee', kind: 'text', width: 1.3 },
  { key: 'events', label: 'Events', kind: 'count', width: 0.8 },
];
const OPEN: readonly ReportColumn[] = [
  { key: 'title', label: 'Title', kind: 'text', width: 3.2 },
  { key: 'severity', label: 'Severity', kind: 'text' },
  { key: 'state', label: 'State', kind: 'text', width: 1.2 },
  { key: 'assignee', label: 'Assignee', kind: 'text', width: 1.3 },
  { key: 'open_for', label: 'Open for', kind: 'duration', width: 0.9 },
  { key: 'services', label: 'Services', kind: 'text', width: 1.5 },
  { key: 'cause', label: 'Root cause', kind: 'text', width: 1.5 },
  { key: 'note', label: 'Last note', kind: 'text', width: 2.4 },
];
const ACTS: readonly ReportColumn[] = [
  { key: 'at', label: 'Time', kind: 'time', width: 1.4 },
  { key: 'user', label: 'User', kind: 'text', width: 1.2 },
  { key: 'action', label: 'Action', kind: 'text', width: 1.2 },
  { key: 'subject', label: 'Subject', kind: 'text', width: 3 },
  { key: 'text', label: 'Text', kind: 'text', width: 3 },
];
const SILENCES: readonly ReportColumn[] = [
  { key: 'what', label: 'Matches', kind: 'text', width: 3 },
  { key: 'from', label: 'Start', kind: 'time', width: 1.4 },
  { key: 'to', label: 'End', kind: 'time', width: 1.4 },
  { key: 'by', label: 'Created by', kind: 'text', width: 1.3 },
  { key: 'reason', label: 'Reason', kind: 'text', width: 2.4 },
];
const ON_CALL: readonly ReportColumn[] = [
  { key: 'team', label: 'Team', kind: 'text' },
  { key: 'now', label: 'On call', kind: 'text' },
  { key: 'until', label: 'Until', kind: 'time' },
  { key: 'next', label: 'Next', kind: 'text' },
  { key: 'from', label: 'From', kind: 'time' },
];
const WATCH: readonly ReportColumn[] = [
  { key: 'title', label: 'Subject', kind: 'text', width: 3 },
  { key: 'why', label: 'Reason', kind: 'text', width: 3 },
];

const causeText = ({ cause }: HandoverGroup): string => {
  if (cause === null) return 'unknown';
  return 'by' in cause ? `${cause.as} by ${cause.by}` : `probable (${percent(cause.confidence)})`;
};

/** `event.noted` → `commented`. */
const actText = (action: string): string => {
  const [, verb = action] = action.split('.');
  return verb === 'noted' ? 'commented' : verb;
};

/** CIs and hosts where several groups of the range began, with their number. */
const repeated = (rows: readonly HandoverGroup[]): [string, number][] => {
  const places = Map.groupBy(
    rows.flatMap(({ place }) => place ?? []),
    (place) => place,
  );
  return [...places]
    .map(([place, { length }]): [string, number] => [place, length])
    .filter(([, n]) => n > 1)
    .sort((a, b) => b[1] - a[1]);
};

/** Lists items for the next shift with reasons, most urgent first. */
const watched = ({ open: { rows: open }, began, silences, now }: HandoverRead): [title: string, why: string][] => {
  const told: [string, string][] = [
    ...open
      .filter(({ assignee, severity }) => assignee === null && (severity === 'critical' || severity === 'major'))
      .map(({ title, severity }): [string, string] => [title, `${severity} and unassigned`]),
    ...open
      .filter(({ last }) => now - last < HOUR_MS)
      .map(({ title, last }): [string, string] => [title, `new event ${duration(Math.max(0, now - last))} ago`]),
    ...open
      .filter((row) => now - row.began > 24 * HOUR_MS)
      .map((row): [string, string] => [row.title, `open for ${duration(now - row.began)}`]),
    ...repeated(began).map(([place, n]): [string, string] => [place, several(n, 'group')]),
    ...silences
      .filter(({ state, to }) => state === 'active' && to !== null && to - now < 8 * HOUR_MS)
      .map(({ what, to }): [string, string] => [what, `silenced for another ${duration((to ?? now) - now)}`]),
  ];
  const byTitle = Map.groupBy(told, ([title]) => title);
  return [...byTitle]
    .map(([title, all]): [string, string] => [title, all.map(([, why]) => why).join('; ')])
    .slice(0, MAX_WATCHED);
};

/** Open groups, silences and shifts are those of this time, even where the range ended before. */
const timeOf = ({ now }: HandoverRead, { zone }: Chosen): string => clockIn(zone).time(now);

function summaryOf(read: HandoverRead, chosen: Chosen, watch: readonly unknown[]): string[] {
  const { began, hasMore, resolved, open, acts } = read;
  const { range } = chosen;
  const [first] = open.rows;
  const started = `${several(began.length, 'group').replace(/^\S+/, (n) => (hasMore ? `${n}+` : n))} started in ${span(range)}`;
  return [
    began.length === 0 ? `No groups started in ${span(range)}.` : `${started}; ${count(resolved)} resolved.`,
    first === undefined
      ? `No groups are open now (${timeOf(read, chosen)}).`
      : `${several(open.total, 'group')} open now (${timeOf(read, chosen)}), ${count(open.unassigned)} unassigned. Most urgent: “${first.title}” (${first.severity}).`,
    acts.total === 0 ? 'No user actions are recorded.' : `${several(acts.total, 'user action')}.`,
    watch.length === 0 ? 'Nothing to watch.' : `${several(watch.length, 'item')} to watch.`,
  ];
}

const section = (heading: string, table: Omit<Table, 'total'>, total = table.rows.length): ReportSection => ({
  heading,
  text: [],
  charts: [],
  tables: [{ ...table, total }],
});

const silenced = ({ silences }: HandoverRead, state: string): Cell[][] =>
  silences.filter((one) => one.state === state).map(({ what, from, to, by, reason }) => [what, from, to, by, reason]);

const openRow =
  (now: number) =>
  (row: HandoverOpenGroup): Cell[] => [
    row.title,
    row.severity,
    row.state,
    row.assignee ?? 'Unassigned',
    now - row.began,
    row.services.length === 0 ? null : row.services.join(', '),
    causeText(row),
    row.note === null ? null : `${row.note.by}, ${duration(Math.max(0, now - row.note.at))} ago: ${row.note.text}`,
  ];

const detailsOf = ({ began, hasMore }: HandoverRead): Table => ({
  title: 'Groups of the time range, newest first',
  columns: ROWS,
  rows: began.map((row) => [
    row.id,
    row.began,
    row.ended,
    row.severity,
    row.state,
    row.title,
    causeText(row),
    row.assignee,
    row.events,
  ]),
  total: began.length + Number(hasMore),
  empty: 'No groups.',
});

/** Open groups with owners, actions of users, silences, planned work and on-call shifts. */
export const handover: Template<HandoverRead> = (read, chosen) => {
  const { began, resolved, open, acts, onCall, now } = read;
  const watch = watched(read);
  return {
    figures: [
      { label: 'groups started', value: began.length, kind: 'count' },
      { label: 'resolved', value: resolved, kind: 'count' },
      { label: 'open now', value: open.total, kind: 'count' },
      { label: 'open and unassigned', value: open.unassigned, kind: 'count' },
      { label: 'items to watch', value: watch.length, kind: 'count' },
    ],
    summary: summaryOf(read, chosen, watch),
    sections: [
      section(
        `Open now (${timeOf(read, chosen)})`,
        {
          title: 'Open groups, most urgent first',
          columns: OPEN,
          rows: open.rows.map(openRow(now)),
          empty: 'No groups are open.',
        },
        open.total,
      ),
      section('Watch list', { title: 'Items to watch', columns: WATCH, rows: watch, empty: 'Nothing to watch.' }),
      section(
        'User actions',
        {
          title: 'Actions on groups, events and silences, newest first',
          columns: ACTS,
          rows: acts.rows.map(({ at, user, action, subject, text }) => [at, user, actText(action), subject, text]),
          empty: 'No user actions are recorded.',
        },
        acts.total,
      ),
      section('Silenced now', {
        title: 'Active silences and maintenance',
        columns: SILENCES,
        rows: silenced(read, 'active'),
        empty: 'Nothing is silenced.',
      }),
      section('Planned', {
        title: 'Planned silences and maintenance',
        columns: SILENCES,
        rows: silenced(read, 'planned'),
        empty: 'Nothing is planned.',
      }),
      section('On call', {
        title: 'Teams on call',
        columns: ON_CALL,
        rows: onCall.map((one) => [
          one.team,
          one.now?.name ?? null,
          one.now?.until ?? null,
          one.next?.name ?? null,
          one.next?.from ?? null,
        ]),
        empty: 'No on-call calendars.',
      }),
    ],
    details: detailsOf(read),
  };
};
