import { capital } from '#domain/text.ts';
import type { ReportColumn, ReportSection } from '#features/reports/rules/document/document.ts';
import type { Cell } from '#features/reports/rules/values/value.ts';
import { count } from '#features/reports/rules/values/values.ts';
import type { Chosen } from './chosen.ts';
import { are, axisOf, groupNoun, rowName, several, shareOf, span, type TimeUnit, timeLabels } from './said.ts';
import type { CountedGroup, Template, TimePoint } from './template.ts';

export interface CiInventoryRow {
  readonly id: string;
  readonly externalKey: string | null;
  readonly name: string;
  readonly type: string;
  readonly status: string;
  readonly environment: string | null;
  readonly services: readonly string[];
  readonly relationships: number;
  readonly lastSeen: number | null;
  readonly createdAt: number;
  readonly updatedAt: number;
}

export interface CiInventoryRead {
  readonly cis: number;
  readonly groups: readonly CountedGroup[];
  readonly statuses: readonly CountedGroup[];
  /** Number of CIs created in the range. */
  readonly added: number;
  readonly unit: TimeUnit;
  readonly addedOverTime: readonly TimePoint[];
  /** Sorted by name; other CIs are only counted. */
  readonly rows: readonly CiInventoryRow[];
  /** CIs last seen by a scan or import before this time are stale, ms. */
  readonly staleBefore: number;
  readonly at: number;
}

const MAX_GROUPS = 40;
const MAX_BARS = 12;
const MAX_STALE = 25;

const COLUMNS: readonly ReportColumn[] = [
  { key: 'id', label: 'ID', kind: 'text', isForPrograms: true },
  { key: 'external_key', label: 'External key', kind: 'text', isForPrograms: true },
  { key: 'name', label: 'Name', kind: 'text', width: 3.4 },
  { key: 'type', label: 'Type', kind: 'text', width: 1.4 },
  { key: 'status', label: 'Status', kind: 'text', width: 1.1 },
  { key: 'environment', label: 'Environment', kind: 'text', width: 1.3 },
  { key: 'services', label: 'Services', kind: 'text', width: 1.4 },
  { key: 'relationships', label: 'Relationships', kind: 'count', width: 0.7 },
  { key: 'last_seen', label: 'Last seen', kind: 'day', width: 1.2 },
  { key: 'created_at', label: 'Created', kind: 'day', width: 1.2 },
  { key: 'updated_at', label: 'Changed', kind: 'time', isForPrograms: true },
];

const rowOf = (ci: CiInventoryRow): Cell[] => [
  ci.id,
  ci.externalKey,
  ci.name,
  ci.type,
  ci.status,
  ci.environment,
  ci.services.length === 0 ? null : ci.services.join(', '),
  ci.relationships,
  ci.lastSeen,
  ci.createdAt,
  ci.updatedAt,
];

type SeenRow = CiInventoryRow & { readonly lastSeen: number };
const staleIn = (rows: readonly CiInventoryRow[], before: number): SeenRow[] =>
  rows.filter((row): row is SeenRow => row.lastSeen !== null && row.lastSeen < before);

function summaryOf(read: CiInventoryRead, { range, grouping }: Chosen): string[] {
  const { cis, groups, statuses, added, rows, staleBefore } = read;
  if (cis === 0) return ['No matching CIs.'];
  const by = grouping ?? 'ci_type';
  const [first, second] = groups.filter(({ label }) => label !== 'none');
  const inactive = statuses.filter(({ label, value }) => label !== 'active' && value > 0);
  const of = rows.length < cis ? `the ${several(rows.length, 'CI')} that are listed` : 'them';
  const [lone, stale, unseen] = [
    rows.filter(({ relationships }) => relationships === 0).length,
    staleIn(rows, staleBefore).length,
    rows.filter(({ lastSeen }) => lastSeen === null).length,
  ];
  const most =
    first === undefined
      ? []
      : [
          `Most frequent ${groupNoun(by)}: ${first.label} with ${several(first.value, 'CI')} (${shareOf(first.value, cis)})${second === undefined ? '' : `, then ${second.label} with ${several(second.value, 'CI')}`}.`,
        ];
  return [
    `${several(cis, 'CI')}, ${count(added)} created in ${span(range)}.`,
    ...most,
    inactive.length === 0
      ? 'All are active.'
      : `Not active: ${inactive.map(({ label, value }) => `${several(value, 'CI')} ${are(value)} ${label}`).join(', ')}.`,
    `${several(lone, `of ${of} has`, `of ${of} have`)} no relationships, so dependencies can't explain ${lone === 1 ? 'its' : 'their'} events.`,
    stale === 0 && unseen === cis
      ? 'No CI has been seen by discovery or import.'
      : `${several(stale, `of ${of} was`, `of ${of} were`)} not seen by discovery or import for more than 30 days; ${several(unseen, 'was', 'were')} never seen.`,
  ];
}

const silence = (stale: readonly SeenRow[], at: number): ReportSection => ({
  heading: 'Stale CIs',
  text: [],
  charts: [],
  tables: [
    {
      title: 'CIs not seen by discovery or import for 30 days, longest first',
      columns: [
        { key: 'name', label: 'Name', kind: 'text', width: 3 },
        { key: 'type', label: 'Type', kind: 'text', width: 1.5 },
        { key: 'last_seen', label: 'Last seen', kind: 'time', width: 1.5 },
        { key: 'silent_for', label: 'Not seen for', kind: 'duration' },
      ],
      rows: stale.slice(0, MAX_STALE).map((ci) => [ci.name, ci.type, ci.lastSeen, at - ci.lastSeen]),
      total: stale.length,
      empty: 'No stale CIs: all were seen within the last 30 days.',
    },
  ],
});

export const ciInventory: Template<CiInventoryRead> = (read, chosen) => {
  const { cis, groups, statuses, added, unit, addedOverTime, rows, staleBefore } = read;
  const grouping = chosen.grouping ?? 'ci_type';
  const noun = groupNoun(grouping);
  const named = groups.map(({ label, value }) => ({ label: rowName(label, grouping), value }));
  const label = timeLabels(chosen.zone, unit);
  const stale = staleIn(rows, staleBefore).sort((a, b) => a.lastSeen - b.lastSeen);
  return {
    figures: [
      { label: 'configuration items', value: cis, kind: 'count' },
      { label: `created in ${span(chosen.range)}`, value: added, kind: 'count' },
      { label: 'active', value: statuses.find((one) => one.label === 'active')?.value ?? 0, kind: 'count' },
      {
        label: 'without relationships',
        value: rows.filter(({ relationships }) => relationships === 0).length,
        kind: 'count',
      },
      { label: 'not seen for 30 days', value: stale.length, kind: 'count' },
    ],
    summary: summaryOf(read, chosen),
    sections: [
      {
        heading: `By ${noun}`,
        text: [],
        charts: [
          {
            kind: 'bars',
            title: `CIs by ${noun}`,
            measure: 'configuration items',
            valueKind: 'count',
            empty: 'None.',
            items: named.slice(0, MAX_BARS),
          },
        ],
        tables: [
          {
            title: `CIs by ${noun}`,
            columns: [
              { key: grouping, label: capital(noun), kind: 'text', width: 3 },
              { key: 'cis', label: 'CIs', kind: 'count' },
              { key: 'share', label: 'Share', kind: 'share' },
            ],
            rows: named.slice(0, MAX_GROUPS).map((one) => [one.label, one.value, cis === 0 ? null : one.value / cis]),
            total: named.length,
            empty: 'None.',
          },
        ],
      },
      {
        heading: 'New CIs',
        text: [],
        charts: [
          {
            kind: 'columns',
            title: `CIs created per ${unit}`,
            measure: 'CIs created',
            valueKind: 'count',
            axis: axisOf(unit, chosen.zone),
            empty: 'No CIs created in this range.',
            series: ['CIs'],
            points: addedOverTime.map(({ at, values }) => ({ label: label(at), values })),
          },
        ],
        tables: [],
      },
      silence(stale, read.at),
    ],
    details: {
      title: 'Configuration items',
      columns: COLUMNS,
      rows: rows.map(rowOf),
      total: cis,
      empty: 'No matching CIs.',
    },
  };
};
