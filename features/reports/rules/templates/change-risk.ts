import { capital } from '#domain/text.ts';
import type { Chart } from '#features/reports/rules/charts/chart.ts';
import type { ReportColumn, ReportSection } from '#features/reports/rules/document/document.ts';
import type { Cell } from '#features/reports/rules/values/value.ts';
import { count, decimal, mean, percent } from '#features/reports/rules/values/values.ts';
import type { Chosen } from './chosen.ts';
import { axisOf, groupNoun, rowName, several, shareOf, span, type TimeUnit, timeLabels } from './said.ts';
import type { CountedGroup, Template, TimePoint } from './template.ts';

const RISK_LEVELS = ['low', 'medium', 'high', 'critical'] as const;

/** An assessed change. */
export interface ChangeRow {
  readonly id: string;
  readonly assessedAt: number;
  readonly plannedAt: number | null;
  readonly ci: string;
  readonly ciId: string;
  readonly ciType: string | null;
  readonly changeType: string;
  readonly riskLevel: (typeof RISK_LEVELS)[number];
  readonly riskScore: number;
  /** Probability of a failure, 0 to 1. */
  readonly probability: number | null;
  readonly impacted: number;
  readonly services: number;
  /** `succeeded`: no failure within a day of the planned time; `pending`: the day is not over. */
  readonly outcome: 'succeeded' | 'failed' | 'pending' | 'planned' | 'no planned time' | 'not evaluated';
}

export interface ChangeRiskRead {
  /** Riskiest first. */
  readonly rows: readonly ChangeRow[];
  readonly total: number;
  /** Number of changes reported by monitoring systems and pipelines. */
  readonly heard: number;
  readonly heardBefore: number | null;
  readonly heardByCi: readonly CountedGroup[];
  readonly unit: TimeUnit;
  readonly heardOverTime: readonly TimePoint[];
}

const MAX_BARS = 12;
const MAX_AHEAD = 25;

const COLUMNS: readonly ReportColumn[] = [
  { key: 'assessment_id', label: 'Assessment', kind: 'text', isForPrograms: true },
  { key: 'ci_id', label: 'CI ID', kind: 'text', isForPrograms: true },
  { key: 'ci', label: 'CI', kind: 'text', width: 2.9 },
  { key: 'ci_type', label: 'CI type', kind: 'text', width: 1.2 },
  { key: 'change_type', label: 'Change', kind: 'text', width: 1.2 },
  { key: 'risk_level', label: 'Risk', kind: 'text', width: 0.9 },
  { key: 'risk_score', label: 'Score', kind: 'decimal', width: 0.8 },
  { key: 'probability', label: 'Failure probability', kind: 'share', width: 1.1 },
  { key: 'impacted', label: 'Impacted CIs', kind: 'count', width: 0.9 },
  { key: 'services', label: 'Services', kind: 'count', width: 1 },
  { key: 'planned_for', label: 'Planned for', kind: 'time', width: 2.2 },
  { key: 'assessed_at', label: 'Assessed', kind: 'time', isForPrograms: true },
  { key: 'outcome', label: 'Outcome', kind: 'text', width: 1.3 },
];

const rowOf = (row: ChangeRow): Cell[] => [
  row.id,
  row.ciId,
  row.ci,
  row.ciType,
  row.changeType,
  row.riskLevel,
  row.riskScore,
  row.probability,
  row.impacted,
  row.services,
  row.plannedAt,
  row.assessedAt,
  row.outcome,
];

const keyOf = (row: ChangeRow, grouping: string): string => {
  if (grouping === 'ci_type') return row.ciType ?? 'none';
  return grouping === 'risk_level' ? row.riskLevel : row.changeType;
};

interface Outcomes {
  readonly label: string;
  readonly assessed: number;
  readonly over: number;
  readonly failed: number;
  /** Mean failure probability of completed changes. */
  readonly expected: number | null;
}

const isOver = ({ outcome }: ChangeRow): boolean => outcome === 'failed' || outcome === 'succeeded';

const outcomesOf = (label: string, rows: readonly ChangeRow[]): Outcomes => {
  const over = rows.filter(isOver);
  const failed = over.filter(({ outcome }) => outcome === 'failed').length;
  return {
    label,
    assessed: rows.length,
    over: over.length,
    failed,
    expected: mean(over.flatMap(({ probability }) => probability ?? [])),
  };
};

const outcomesBy = (rows: readonly ChangeRow[], grouping: string): Outcomes[] => {
  const keys = [...new Set(rows.map((row) => keyOf(row, grouping)))];
  return keys
    .map((key) =>
      outcomesOf(
        rowName(key, grouping),
        rows.filter((row) => keyOf(row, grouping) === key),
      ),
    )
    .sort((a, b) => b.assessed - a.assessed || (a.label < b.label ? -1 : 1));
};

function summaryOf({ rows, total, heard, heardBefore }: ChangeRiskRead, { range }: Chosen): string[] {
  const all = outcomesOf('all', rows);
  const risky = rows.filter(({ riskLevel }) => riskLevel === 'high' || riskLevel === 'critical');
  const ahead = rows.filter(({ outcome }) => outcome === 'planned');
  const [riskiest] = ahead;
  const before = heardBefore === null ? '' : ` (previous ${span(range)}: ${count(heardBefore)})`;
  const told = `${several(heard, 'detected change')}${before}.`;
  if (total === 0) return [`No assessed changes in ${span(range)}.`, told];
  return [
    `${several(total, 'assessed change')} in ${span(range)}; ${several(risky.length, 'has', 'have')} high or critical risk (${shareOf(risky.length, rows.length)}).`,
    riskiest === undefined
      ? 'No upcoming changes.'
      : `${several(ahead.length, 'upcoming change')}; the riskiest (score ${decimal(riskiest.riskScore)}) is ${riskiest.changeType} on ${riskiest.ci}${riskiest.probability === null ? '' : `, failure probability ${percent(riskiest.probability)}`}, ${several(riskiest.impacted, 'impacted CI')}.`,
    all.over === 0
      ? 'No outcomes yet.'
      : `${count(all.failed)} of ${several(all.over, 'completed change')} ${all.failed === 1 ? 'was' : 'were'} followed by a critical or major event within 24h (${shareOf(all.failed, all.over)}${all.expected === null ? '' : `; expected ${percent(all.expected)}`}).`,
    told,
  ];
}

const byRisk = (rows: ChangeRiskRead['rows']): Chart => ({
  kind: 'columns',
  title: 'Assessed changes by risk',
  measure: 'changes',
  valueKind: 'count',
  axis: 'risk',
  empty: 'No assessed changes.',
  series: ['changes'],
  points: RISK_LEVELS.map((level) => ({
    label: level,
    values: [rows.filter(({ riskLevel }) => riskLevel === level).length],
  })),
});

const heardOf = ({ heardByCi, unit, heardOverTime }: ChangeRiskRead, { zone }: Chosen): ReportSection => {
  const label = timeLabels(zone, unit);
  return {
    heading: 'Detected changes',
    text: ['Change events from sources and pipelines.'],
    charts: [
      {
        kind: 'columns',
        title: `Changes per ${unit}`,
        measure: 'change events',
        valueKind: 'count',
        axis: axisOf(unit, zone),
        empty: 'No detected changes.',
        series: ['changes'],
        points: heardOverTime.map(({ at, values }) => ({ label: label(at), values })),
      },
      {
        kind: 'bars',
        title: 'CIs with most changes',
        measure: 'change events',
        valueKind: 'count',
        empty: 'No detected changes.',
        items: heardByCi.slice(0, MAX_BARS),
      },
    ],
    tables: [],
  };
};

/** Assessed changes and their outcome. */
export const changeRisk: Template<ChangeRiskRead> = (read, chosen) => {
  const { rows, total, heard } = read;
  const grouping = chosen.grouping ?? 'change_type';
  const noun = groupNoun(grouping);
  const groups = outcomesBy(rows, grouping);
  const ahead = rows.filter(({ outcome }) => outcome === 'planned');
  const all = outcomesOf('all', rows);
  const people = COLUMNS.filter(({ isForPrograms }) => isForPrograms !== true);
  const shown = COLUMNS.flatMap(({ isForPrograms }, n) => (isForPrograms === true ? [] : [n]));
  return {
    figures: [
      { label: 'changes assessed', value: total, kind: 'count' },
      {
        label: 'high or critical risk',
        value: rows.filter(({ riskLevel }) => riskLevel === 'high' || riskLevel === 'critical').length,
        kind: 'count',
      },
      { label: 'upcoming', value: ahead.length, kind: 'count' },
      { label: 'failed (completed changes)', value: all.over === 0 ? null : all.failed / all.over, kind: 'share' },
      { label: 'detected changes', value: heard, kind: 'count' },
    ],
    summary: summaryOf(read, chosen),
    sections: [
      {
        heading: 'Assessed changes',
        text: ['A change failed if a critical or major event occurred within 24h on its CI or an impacted CI.'],
        charts: [byRisk(rows)],
        tables: [
          {
            title: `Outcome by ${noun}`,
            columns: [
              { key: grouping, label: capital(noun), kind: 'text', width: 2 },
              { key: 'assessed', label: 'Assessed', kind: 'count' },
              { key: 'over', label: 'Completed', kind: 'count' },
              { key: 'failed', label: 'Failed', kind: 'count' },
              { key: 'failed_share', label: 'Share failed', kind: 'share' },
              { key: 'expected', label: 'Expected', kind: 'share' },
            ],
            rows: groups.map((one) => [
              one.label,
              one.assessed,
              one.over,
              one.failed,
              one.over === 0 ? null : one.failed / one.over,
              one.expected,
            ]),
            total: groups.length,
            empty: 'No assessed changes.',
          },
          {
            title: 'Upcoming changes, riskiest first',
            columns: people,
            total: ahead.length,
            empty: 'None.',
            rows: ahead.slice(0, MAX_AHEAD).map((row) => shown.map((n) => rowOf(row)[n] ?? null)),
          },
        ],
      },
      heardOf(read, chosen),
    ],
    details: {
      title: 'Assessed changes, riskiest first',
      columns: COLUMNS,
      rows: rows.map(rowOf),
      total,
      empty: 'No assessed changes.',
    },
  };
};
