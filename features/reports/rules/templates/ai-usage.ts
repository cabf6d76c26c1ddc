import { capital } from '#domain/text.ts';
import type { ReportColumn, ReportSection } from '#features/reports/rules/document/document.ts';
import { count, decimal, duration, percent } from '#features/reports/rules/values/values.ts';
import type { Chosen } from './chosen.ts';
import { groupNoun, several, shareOf, span, timeLabels } from './said.ts';
import type { Template } from './template.ts';

/** Sums of model calls; cost in the currency of the configured prices. */
export interface UsageSum {
  readonly label: string;
  readonly calls: number;
  readonly failed: number;
  readonly input: number;
  readonly output: number;
  readonly cost: number;
  /** True if the price of every call was known. */
  readonly priced: boolean;
  /** Sum over all calls. */
  readonly latencyMs: number;
}

interface UsageRowOfDay extends Omit<UsageSum, 'label'> {
  /** Start of the day, ms. */
  readonly day: number;
  readonly service: string;
  readonly model: string;
  readonly department: string | null;
}

export interface AiUsageRead {
  readonly total: UsageSum | null;
  readonly groups: readonly UsageSum[];
  /** Every day of the range, with calls and cost. */
  readonly days: readonly {
    readonly at: number;
    readonly calls: number;
    readonly failed: number;
    readonly cost: number;
  }[];
  /** Number of rule-based answers. */
  readonly rulesAnswers: number;
  /** Today's tokens. */
  readonly budget: { readonly used: number; readonly limit: number };
  /** Rows by day, service, model and department; newest first. */
  readonly rows: readonly UsageRowOfDay[];
}

const MAX_BARS = 12;
const MAX_GROUPS = 40;

const COLUMNS: readonly ReportColumn[] = [
  { key: 'day', label: 'Day (UTC)', kind: 'day', width: 1.3 },
  { key: 'service', label: 'Feature', kind: 'text', width: 1.8 },
  { key: 'model', label: 'Model', kind: 'text', width: 1.6 },
  { key: 'department', label: 'Department', kind: 'text', width: 1.4 },
  { key: 'calls', label: 'Requests', kind: 'count', width: 0.8 },
  { key: 'failed', label: 'Failed', kind: 'count', width: 0.8 },
  { key: 'input_tokens', label: 'Input tokens', kind: 'count', width: 1.1 },
  { key: 'output_tokens', label: 'Output tokens', kind: 'count', width: 1.1 },
  { key: 'cost', label: 'Cost', kind: 'decimal', width: 0.9 },
  { key: 'mean_latency', label: 'Mean latency', kind: 'duration' },
];

const latencyOf = ({ calls, latencyMs }: Pick<UsageSum, 'calls' | 'latencyMs'>): number | null =>
  calls === 0 ? null : latencyMs / calls;

function summaryOf({ total, groups, rulesAnswers, budget }: AiUsageRead, { range, grouping }: Chosen): string[] {
  const alone = `${several(rulesAnswers, 'rule-based answer')}.`;
  if (total === null) return [`No model requests in ${span(range)}.`, alone];
  const [first] = groups;
  const noun = groupNoun(grouping ?? 'service');
  const tokens = total.input + total.output;
  const calls = rulesAnswers + total.calls;
  return [
    `${several(total.calls, 'model request')} in ${span(range)}, ${several(tokens, 'token')} (${count(total.input)} in, ${count(total.output)} out).`,
    total.priced
      ? `Cost: ${decimal(total.cost, 2)}, ${decimal(total.cost / total.calls, 4)} per request, in the currency of the configured prices.`
      : `Cost: at least ${decimal(total.cost, 2)}; some models have no configured price.`,
    `${several(total.failed, 'request')} failed (${shareOf(total.failed, total.calls)}); average latency ${duration(total.latencyMs / total.calls)}.`,
    ...(first === undefined || groups.length < 2
      ? []
      : [
          `Most requests by ${noun}: ${first.label} with ${count(first.calls)} (${shareOf(first.calls, total.calls)}).`,
        ]),
    `${alone} ${percent(calls === 0 ? 0 : rulesAnswers / calls)} of all answers.`,
    `Token budget today: ${count(budget.used)} of ${count(budget.limit)} used (${shareOf(budget.used, budget.limit)}).`,
  ];
}

const overTime = (days: AiUsageRead['days']): ReportSection => {
  const label = timeLabels('UTC', 'day');
  return {
    heading: 'Over time',
    text: [],
    charts: [
      {
        kind: 'columns',
        title: 'Requests per day',
        measure: 'model requests',
        valueKind: 'count',
        axis: 'day (UTC)',
        empty: 'No model requests.',
        series: ['succeeded', 'failed'],
        points: days.map(({ at, calls, failed }) => ({ label: label(at), values: [calls - failed, failed] })),
      },
      {
        kind: 'columns',
        title: 'Cost per day',
        measure: 'cost, in the currency of the prices',
        valueKind: 'decimal',
        axis: 'day (UTC)',
        empty: 'No costs.',
        series: ['cost'],
        points: days.map(({ at, cost }) => ({ label: label(at), values: [cost] })),
      },
    ],
    tables: [],
  };
};

export const aiUsage: Template<AiUsageRead> = (read, chosen) => {
  const { total, groups, days, rulesAnswers, rows } = read;
  const noun = groupNoun(chosen.grouping ?? 'service');
  return {
    figures: [
      { label: 'model requests', value: total?.calls ?? 0, kind: 'count' },
      { label: 'tokens', value: total === null ? 0 : total.input + total.output, kind: 'count' },
      { label: 'cost', value: total?.cost ?? 0, kind: 'decimal' },
      { label: 'failed requests', value: total === null ? null : total.failed / total.calls, kind: 'share' },
      { label: 'rule-based answers', value: rulesAnswers, kind: 'count' },
    ],
    summary: summaryOf(read, chosen),
    sections: [
      overTime(days),
      {
        heading: `By ${noun}`,
        text: [],
        charts: [
          {
            kind: 'bars',
            title: `Requests by ${noun}`,
            measure: 'model requests',
            valueKind: 'count',
            empty: 'No model requests.',
            items: groups.slice(0, MAX_BARS).map((one) => ({ label: one.label, value: one.calls })),
          },
        ],
        tables: [
          {
            title: `Usage by ${noun}`,
            columns: [
              { key: chosen.grouping ?? 'service', label: capital(noun), kind: 'text', width: 2.4 },
              { key: 'calls', label: 'Requests', kind: 'count' },
              { key: 'failed', label: 'Failed', kind: 'count' },
              { key: 'input_tokens', label: 'Input tokens', kind: 'count', width: 1.2 },
              { key: 'output_tokens', label: 'Output tokens', kind: 'count', width: 1.2 },
              { key: 'cost', label: 'Cost', kind: 'decimal' },
              { key: 'mean_latency', label: 'Mean latency', kind: 'duration', width: 1.2 },
            ],
            rows: groups
              .slice(0, MAX_GROUPS)
              .map((one) => [one.label, one.calls, one.failed, one.input, one.output, one.cost, latencyOf(one)]),
            total: groups.length,
            empty: 'No model requests.',
          },
        ],
      },
    ],
    details: {
      title: 'Usage by day, feature, model and department',
      columns: COLUMNS,
      rows: rows.map((row) => [
        row.day,
        row.service,
        row.model,
        row.department,
        row.calls,
        row.failed,
        row.input,
        row.output,
        row.cost,
        latencyOf(row),
      ]),
      total: rows.length,
      empty: 'No model requests.',
    },
  };
};
