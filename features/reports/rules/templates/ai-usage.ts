import type { ReportColumn, ReportSection } from '#features/reports/rules/document/document.ts';
import { count, decimal, duration, percent } from '#features/reports/rules/values/values.ts';
import type { Chosen } from './chosen.ts';
import { groupNoun, several, shareOf, span, timeLabels } from './said.ts';
import type { Template } from './template.ts';

/** Sums of attempts to ask the model; costs in the currency of the prices that are set. */
export interface UsageSum {
  readonly label: string;
  readonly calls: number;
  readonly failed: number;
  readonly input: number;
  readonly output: number;
  readonly cost: number;
  /** Prices of all of them were known. */
  readonly priced: boolean;
  /** Of all calls together. */
  readonly latencyMs: number;
}

interface UsageRowOfDay extends Omit<UsageSum, 'label'> {
  /** Begin, ms. */
  readonly day: number;
  readonly service: string;
  readonly model: string;
  readonly department: string | null;
}

export interface AiUsageRead {
  readonly total: UsageSum | null;
  readonly groups: readonly UsageSum[];
  /** Days of the range, each with calls and cost. */
  readonly days: readonly {
    readonly at: number;
    readonly calls: number;
    readonly failed: number;
    readonly cost: number;
  }[];
  /** Answers that the rules gave alone. */
  readonly rulesAnswers: number;
  /** Tokens of today. */
  readonly budget: { readonly used: number; readonly limit: number };
  /** By day, service, model and department; newest first. */
  readonly rows: readonly UsageRowOfDay[];
}

const MOST_BARS = 12;
const MOST_GROUPS = 40;

const COLUMNS: readonly ReportColumn[] = [
  { key: 'day', label: 'Day (UTC)', kind: 'day', width: 1.3 },
  { key: 'service', label: 'Function', kind: 'text', width: 1.8 },
  { key: 'model', label: 'Model', kind: 'text', width: 1.6 },
  { key: 'department', label: 'Department', kind: 'text', width: 1.4 },
  { key: 'calls', label: 'Calls', kind: 'count', width: 0.8 },
  { key: 'failed', label: 'Failed', kind: 'count', width: 0.8 },
  { key: 'input_tokens', label: 'Tokens in', kind: 'count', width: 1.1 },
  { key: 'output_tokens', label: 'Tokens out', kind: 'count', width: 1.1 },
  { key: 'cost', label: 'Cost', kind: 'decimal', width: 0.9 },
  { key: 'mean_latency', label: 'Mean latency', kind: 'duration' },
];

const latencyOf = ({ calls, latencyMs }: Pick<UsageSum, 'calls' | 'latencyMs'>): number | null =>
  calls === 0 ? null : latencyMs / calls;

function summaryOf({ total, groups, rulesAnswers, budget }: AiUsageRead, { range, grouping }: Chosen): string[] {
  const alone = `The rules gave ${several(rulesAnswers, 'answer')} without a model.`;
  if (total === null) return [`No model was asked in these ${span(range)}.`, alone];
  const [first] = groups;
  const noun = groupNoun(grouping ?? 'service');
  const tokens = total.input + total.output;
  const calls = rulesAnswers + total.calls;
  return [
    `The model was asked ${several(total.calls, 'time')} in ${span(range)}, with ${several(tokens, 'token')} (${count(total.input)} in, ${count(total.output)} out).`,
    total.priced
      ? `It cost ${decimal(total.cost, 2)}, ${decimal(total.cost / total.calls, 4)} a call, in the currency of the prices that are set.`
      : `It cost at least ${decimal(total.cost, 2)}: prices of some models are not set.`,
    `${several(total.failed, 'call')} came to nothing (${shareOf(total.failed, total.calls)}); a call took ${duration(total.latencyMs / total.calls)} on average.`,
    ...(first === undefined || groups.length < 2
      ? []
      : [`Most calls by ${noun}: ${first.label} with ${count(first.calls)} (${shareOf(first.calls, total.calls)}).`]),
    `${alone} That is ${percent(calls === 0 ? 0 : rulesAnswers / calls)} of all.`,
    `Of today’s ${several(budget.limit, 'token')}, ${count(budget.used)} are used (${shareOf(budget.used, budget.limit)}).`,
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
        title: 'Calls per day',
        measure: 'calls of the model',
        valueKind: 'count',
        axis: 'day (UTC)',
        empty: 'No model was asked.',
        series: ['came to something', 'failed'],
        points: days.map(({ at, calls, failed }) => ({ label: label(at), values: [calls - failed, failed] })),
      },
      {
        kind: 'columns',
        title: 'Cost per day',
        measure: 'cost, in the currency of the prices',
        valueKind: 'decimal',
        axis: 'day (UTC)',
        empty: 'Nothing was spent.',
        series: ['cost'],
        points: days.map(({ at, cost }) => ({ label: label(at), values: [cost] })),
      },
    ],
    tables: [],
  };
};

/** Purpose of a use of the model. */
export const aiUsage: Template<AiUsageRead> = (read, chosen) => {
  const { total, groups, days, rulesAnswers, rows } = read;
  const noun = groupNoun(chosen.grouping ?? 'service');
  return {
    figures: [
      { label: 'calls of the model', value: total?.calls ?? 0, kind: 'count' },
      { label: 'tokens', value: total === null ? 0 : total.input + total.output, kind: 'count' },
      { label: 'cost', value: total?.cost ?? 0, kind: 'decimal' },
      { label: 'calls that failed', value: total === null ? null : total.failed / total.calls, kind: 'share' },
      { label: 'answers of the rules alone', value: rulesAnswers, kind: 'count' },
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
            title: `Calls by ${noun}`,
            measure: 'calls of the model',
            valueKind: 'count',
            empty: 'No model was asked.',
            items: groups.slice(0, MOST_BARS).map((one) => ({ label: one.label, value: one.calls })),
          },
        ],
        tables: [
          {
            title: `Usage by ${noun}`,
            columns: [
              {
                key: chosen.grouping ?? 'service',
                label: noun.charAt(0).toUpperCase() + noun.slice(1),
                kind: 'text',
                width: 2.4,
              },
              { key: 'calls', label: 'Calls', kind: 'count' },
              { key: 'failed', label: 'Failed', kind: 'count' },
              { key: 'input_tokens', label: 'Tokens in', kind: 'count', width: 1.2 },
              { key: 'output_tokens', label: 'Tokens out', kind: 'count', width: 1.2 },
              { key: 'cost', label: 'Cost', kind: 'decimal' },
              { key: 'mean_latency', label: 'Mean latency', kind: 'duration', width: 1.2 },
            ],
            rows: groups
              .slice(0, MOST_GROUPS)
              .map((one) => [one.label, one.calls, one.failed, one.input, one.output, one.cost, latencyOf(one)]),
            total: groups.length,
            empty: 'No model was asked.',
          },
        ],
      },
    ],
    details: {
      title: 'Usage by day, function, model and department',
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
      empty: 'No model was asked.',
    },
  };
};
