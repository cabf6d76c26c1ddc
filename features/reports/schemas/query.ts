import { z } from 'zod';
import { SEVERITIES } from '#domain/event/event.ts';
import { evidenceFields } from '#features/ai/schemas/answer-evidence.ts';
import {
  allowedFor,
  FILTER_NAMES,
  GROUPINGS,
  METRICS,
  type Metric,
  type Query,
} from '#features/questions/rules/query.ts';
import { exactlyOneOf } from '#schemas/http/common.ts';
import { IsoTime, WrittenTime } from '#schemas/http/time.ts';

/** Questions of reports, and queries in requests and responses (docs/reports.md). */

const MAX_QUESTION = 1_000;
const MAX_RANGE = 200;
const MAX_ROWS = 1_000;

const names = z.array(z.string().trim().min(1).max(255)).min(1).max(50);
const Filters = z
  .strictObject({
    severity: z.array(z.enum(SEVERITIES)).min(1).max(SEVERITIES.length),
    status: names,
    source: names,
    ci: names,
    ci_type: names,
    service: names,
    environment: names,
    cause: names.meta({ description: 'CI of the root cause' }),
    on: names.meta({ description: 'CIs that run on one of these' }),
    text: z.string().trim().min(1).max(255).meta({ description: 'Words in the title or description; all must match' }),
  })
  .partial();

const Range = z.union([
  z.string().min(1).max(MAX_RANGE),
  z.strictObject({ from: WrittenTime, to: WrittenTime.optional() }),
]);
const RANGE = 'Time range (24h, last_30_days, yesterday, since monday) or { from, to }; null: current state';

/** Documents groupings and filters of a metric in OpenAPI. */
const allowedOf = (metric: Metric): readonly object[] => {
  const { by, filters } = allowedFor(metric);
  if (by === GROUPINGS && filters === FILTER_NAMES) return [];
  const then = { properties: { groupBy: { enum: [...by, null] }, filters: { propertyNames: { enum: filters } } } };
  return [{ if: { properties: { metric: { const: metric } } }, then }];
};

const QueryJson = z
  .strictObject({
    metric: z.enum(METRICS),
    filters: Filters.default({}),
    groupBy: z.enum(GROUPINGS).nullable().default(null),
    range: Range.nullable().default(null).meta({ description: RANGE }),
    compareTo: z.literal('previous').nullable().default(null),
    sort: z.enum(['asc', 'desc']).nullable().default(null),
    limit: z.int().min(1).max(MAX_ROWS).nullable().default(null),
  })
  .meta({ id: 'ReportQueryInput', allOf: METRICS.flatMap(allowedOf) });

const ONE = 'expected exactly one of query and query_json';
export const AskReport = z
  .strictObject({
    query: z.string().trim().min(1).max(MAX_QUESTION).optional().meta({ description: 'A question in English' }),
    query_json: QueryJson.optional().meta({
      description: 'interpretation.query from a previous response, unchanged or edited',
    }),
    context: z
      .strictObject({
        time_zone: z.string().max(64).optional().meta({ description: 'IANA name; default: AI settings' }),
        include_predictions: z.boolean().default(false),
      })
      .prefault({}),
  })
  .refine(({ query, query_json }) => (query === undefined) !== (query_json === undefined), {
    error: ONE,
    path: ['query'],
  })
  .meta({
    ...exactlyOneOf('query', 'query_json'),
    id: 'AskReport',
    example: { query: 'Top 5 noisiest hosts in the last 24 hours', context: { time_zone: 'Europe/Berlin' } },
  });

const times = z.object({ from: IsoTime, to: IsoTime });
const FiltersView = z.partialRecord(z.enum(FILTER_NAMES), z.union([z.array(z.string()), z.string()]));
const QueryView = z
  .object({
    metric: z.enum(METRICS),
    filters: FiltersView,
    groupBy: z.enum(GROUPINGS).nullable(),
    range: times.nullable(),
    compareTo: z.literal('previous').nullable(),
    sort: z.enum(['asc', 'desc']).nullable(),
    limit: z.int().nullable(),
  })
  .meta({ id: 'ReportQuery' });

const Interpretation = z
  .object({
    entities: z.array(z.object({ kind: z.string(), text: z.string(), value: z.string() })).meta({
      description: 'Words in the question and their interpretation',
    }),
    time_range: times.nullable().meta({ description: 'Counted range; null: current state' }),
    filters: FiltersView,
    metric: z.enum(METRICS).nullable(),
    group_by: z.enum(GROUPINGS).nullable(),
    not_understood: z.array(z.string()).meta({ description: 'Parts of the question that were not understood' }),
    query: QueryView.nullable().meta({ description: 'Can be sent back as query_json' }),
  })
  .meta({ id: 'ReportInterpretation' });

const Row = z
  .object({
    key: z.string().meta({ description: 'ID or value; for time, its start; none: no value' }),
    label: z.string(),
    value: z.number().nullable(),
    count: z.int(),
    previous: z.number().nullable().optional().meta({ description: 'Value in the previous period, if compared' }),
  })
  .meta({ id: 'ReportRow' });

const share = z.number().min(0).max(1);
const Recommendation = z
  .object({ action: z.string(), impact: z.string(), confidence: share })
  .meta({ id: 'ReportRecommendation' });
const low = z.number().min(0);
const Prediction = z
  .object({ at: IsoTime, value: low, low80: low, high80: low, low95: low, high95: low })
  .meta({ id: 'Prediction' });

export const ReportAnswer = z
  .object({
    interpretation: Interpretation,
    results: z.array(Row),
    unit: z.enum(['count', 'seconds', 'share', 'score', 'cost']).nullable(),
    total: z
      .number()
      .nullable()
      .meta({ description: 'Total across all rows without double counting; null: not applicable' }),
    count: z.int(),
    truncated: z.boolean(),
    previous: z
      .object({ ...times.shape, total: z.number().nullable(), count: z.int() })
      .nullable()
      .meta({ description: 'Previous period of the same length' }),
    insights: z.array(z.string()),
    recommendations: z.array(Recommendation),
    predictions: z.array(Prediction).optional().meta({ description: 'Present with include_predictions' }),
    method: z.enum(['weekly', 'daily']).nullable().optional().meta({
      description: 'Same time of the last 4 weeks, or of the last 14 days',
    }),
    backtest: z.object({ mase: z.number().nullable(), coverage80: share, steps: z.int() }).nullable().optional().meta({
      description: 'Backtest of the last week; mase below 1 is better than repeating last week’s values',
    }),
    no_predictions: z.string().nullable().optional().meta({ description: 'Reason for missing predictions' }),
    examples: z.array(z.string()).meta({ description: "Example questions, if this one couldn't be answered" }),
    ...evidenceFields,
  })
  .meta({ id: 'ReportAnswer' });

export const queryView = (
  { range, filters, ...query }: Query,
  iso: (ms: number) => string,
): z.output<typeof QueryView> => ({
  ...query,
  filters: { ...filters } as z.output<typeof FiltersView>,
  range: range && { from: iso(range.from), to: iso(range.to) },
});
