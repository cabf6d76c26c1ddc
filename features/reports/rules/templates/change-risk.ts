import { RISK_LEVELS } from '#features/change-risk/rules/risk.ts';
import type { Chart } from '#features/reports/rules/charts/chart.ts';
import type { ReportColumn, ReportSection } from '#features/reports/rules/document/document.ts';
import type { Cell } from '#features/reports/rules/values/value.ts';
import { count, decimal, mean, percent } from '#features/reports/rules/values/values.ts';
import type { Chosen } from './chosen.ts';
import { axisOf, groupNoun, rowName, several, shareOf, span, type TimeUnit, timeLabels } from './said.ts';
import type { CountedGroup, Template, TimePoint } from './template.ts';

/** A change as it was assessed. */
export interface ChangeRow {
  readonly id: string;
  readonly assessedAt: number;
  readonly plannedAt: number | null;
  readonly ci: string;
  readonly ciId: string;
  readonly ciType: string | null;
  readonly changeType: string;
  readonly riskLevel: string;
  readonly riskScore: number;
  /** Of a failure, 0 to 1. */
  readonly probability: number | null;
  readonly impacted: number;
  readonly services: number;
  /** `went well` and `failed` are of changes whose day after is over; else `planned` or `no time given`. */
  readonly outcome: 'went well' | 'failed' | 'too early to say' | 'planned' | 'no time given' | 'not looked at';
}

export interface ChangeRiskRead {
  /** Riskiest first. */
  readonly rows: readonly ChangeRow[];
  readonly total: number;
  /** Changes that monitors and pipelines told of. */
  readonly heard: number;
  readonly heardBefore: number | null;
  readonly heardByCi: readonly CountedGroup[];
  readonly unit: TimeUnit;
  readonly heardOverTime: readonly TimePoint[];
}

const MOST_BARS = 12;
const MOST_AHEAD = 25;

const COLUMNS: readonly ReportColumn[] = [
  { key: 'assessment_id', label: 'Assessment', kind: 'text', isForPrograms: true },
  { key: 'ci_id', label: 'CI id', kind: 'text', isForPrograms: true },
  { key: 'ci', label: 'CI', kind: 'text', width: 2.9 },
  { key: 'ci_type', label: 'Type of CI', kind: 'text', width: 1.2 },
  { key: 'change_type', label: 'Change', kind: 'text', width: 1.2 },
  { key: 'risk_level', label: 'Risk', kind: 'text', width: 0.9 },
  { key: 'risk_score', label: 'Score', kind: 'decimal', width: 0.8 },
  { key: 'probability', label: 'Chance of failure', kind: 'share', width: 1.1 },
  { key: 'impacted', label: 'CIs at stake', kind: 'count', width: 0.9 },
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
  /** Mean chance of those that are over. */
  readonly expected: number | null;
}

const isOver = ({ outcome }: ChangeRow): boolean => outcome === 'failed' || outcome === 'went well';

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
  const before =
    heardBefore === null
      ? ''
      : `, and of ${heardBefore === 0 ? 'none' : count(heardBefore)} in the ${span(range)} before`;
  const told = `Monitors and pipelines told of ${heard === 0 ? 'no change' : several(heard, 'change')}${before}.`;
  if (total === 0) return [`No change was assessed in these ${span(range)}.`, told];
  return [
    `${several(total, 'change')} ${total === 1 ? 'was' : 'were'} assessed in ${span(range)}; ${several(risky.length, 'has', 'have')} a high or critical risk (${shareOf(risky.length, rows.length)}).`,
    riskiest === undefined
      ? 'None of them is still ahead.'
      : `${several(ahead.length, 'change is', 'changes are')} still ahead; the riskiest (score ${decimal(riskiest.riskScore)}) is a change of kind ${riskiest.changeType} on ${riskiest.ci}${riskiest.probability === null ? '' : `, with a chance of failure of ${percent(riskiest.probability)}`} and ${several(riskiest.impacted, 'CI')} at stake.`,
    all.over === 0
      ? 'Of none it is known yet what became of it.'
      : `Of ${several(all.over, 'change')} whose day after is over, ${several(all.failed, 'was', 'were')} followed by a critical or major event (${shareOf(all.failed, all.over)})${all.expected === null ? '' : `; ${percent(all.expected)} were expected to be`}.`,
    told,
  ];
}

const byRisk = (rows: ChangeRiskRead['rows']): Chart => ({
  kind: 'columns',
  title: 'Assessed changes by risk',
  measure: 'changes',
  valueKind: 'count',
  axis: 'risk',
  empty: 'No change was assessed.',
  series: ['changes'],
  points: RISK_LEVELS.map((level) => ({
    label: level,
    values: [rows.filter(({ riskLevel }) => riskLevel === level).length],
  })),
});

const heardOf = ({ heardByCi, unit, heardOverTime }: ChangeRiskRead, { zone }: Chosen): ReportSection => {
  const label = timeLabels(zone, unit);
  return {
    heading: 'Changes that were heard of',
    text: ['Events of monitors and pipelines that tell of a change.'],
    charts: [
      {
        kind: 'columns',
        title: `Changes per ${unit}`,
        measure: 'events about changes',
        valueKind: 'count',
        axis: axisOf(unit, zone),
        empty: 'No change was heard of.',
        series: ['changes'],
        points: heardOverTime.map(({ at, values }) => ({ label: label(at), values })),
      },
      {
        kind: 'bars',
        title: 'CIs with most changes',
        measure: 'events about changes',
        valueKind: 'count',
        empty: 'No change was heard of.',
        items: heardByCi.slice(0, MOST_BARS),
      },
    ],
    tables: [],
  };
};

/** Changes that were assessed, and what became of them. */
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
        label: 'of high or critical risk',
        value: rows.filter(({ riskLevel }) => riskLevel === 'high' || riskLevel === 'critical').length,
        kind: 'count',
      },
      { label: 'still ahead', value: ahead.length, kind: 'count' },
      { label: 'failed, of those over', value: all.over === 0 ? null : all.failed / all.over, kind: 'share' },
      { label: 'changes heard of', value: heard, kind: 'count' },
    ],
    summary: summaryOf(read, chosen),
    sections: [
      {
        heading: 'Assessed changes',
        text: [
          'A change has failed when a critical or major event came within a day, on its CI or on what would have failed with it.',
        ],
        charts: [byRisk(rows)],
        tables: [
          {
            title: `Outcome by ${noun}`,
            columns: [
              { key: grouping, label: noun.charAt(0).toUpperCase() + noun.slice(1), kind: 'text', width: 2 },
              { key: 'assessed', label: 'Assessed', kind: 'count' },
              { key: 'over', label: 'Over', kind: 'count' },
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
            empty: 'No change was assessed.',
          },
          {
            title: 'Still ahead, the riskiest first',
            columns: people,
            total: ahead.length,
            empty: 'None.',
            rows: ahead.slice(0, MOST_AHEAD).map((row) => shown.map((n) => rowOf(row)[n] ?? null)),
          },
        ],
      },
      heardOf(read, chosen),
    ],
    details: {
      title: 'Assessed changes, the riskiest first',
      columns: COLUMNS,
      rows: rows.map(rowOf),
      total,
      empty: 'No change was assessed.',
    },
  };
};
