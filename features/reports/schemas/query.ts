import { z } from 'zod';
import { SEVERITIES } from '#domain/event/event.ts';
import { groundsFields } from '#features/ai/schemas/grounds.ts';
import { ALLOWED, FILTER_NAMES, GROUPINGS, METRICS, type Metric, type Query } from '#features/questions/rules/query.ts';
import { exactlyOneOf } from '#schemas/http/common.ts';
import { IsoTime, WrittenTime } from '#schemas/http/time.ts';

/** Questions of reports, and queries as they leave and may come back (docs/reports.md). */

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
    text: z.string().trim().min(1).max(255).meta({ description: 'Words of title or description, all of them' }),
  })
  .partial();

const Range = z.union([
  z.string().min(1).max(MAX_RANGE),
  z.strictObject({ from: WrittenTime, to: WrittenTime.optional() }),
]);
const RANGE = 'A range in words (24h, last_30_days, yesterday, since monday) or { from, to }; null: what stands now';

/** Groupings and filters of a metric, for readers of the document. */
const allowedOf = (metric: Metric): readonly object[] => {
  const { by, filters } = ALLOWED[metric];
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
      description: 'interpretation.query of an earlier reply, as it is or changed',
    }),
    context: z
      .strictObject({
        time_zone: z.string().max(64).optional().meta({ description: 'IANA name; absent: that of the AI settings' }),
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
      description: 'Words of the question and what they were taken for',
    }),
    time_range: times.nullable().meta({ description: 'What was counted; null: what stands now' }),
    filters: FiltersView,
    metric: z.enum(METRICS).nullable(),
    group_by: z.enum(GROUPINGS).nullable(),
    not_understood: z.array(z.string()).meta({ description: 'What the query does not say of the question' }),
    query: QueryView.nullable().meta({ description: 'May be sent back as query_json' }),
  })
  .meta({ id: 'ReportInterpretation' });

const Row = z
  .object({
    key: z.string().meta({ description: 'Id or word; of time its begin; none: what has none' }),
    label: z.string(),
    value: z.number().nullable(),
    count: z.int(),
    previous: z.number().nullable().optional().meta({ description: 'In the range before, when it is compared' }),
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
      .meta({ description: 'Over all rows, each thing counted once; null: nothing to take it of' }),
    count: z.int(),
    truncated: z.boolean(),
    previous: z
      .object({ ...times.shape, total: z.number().nullable(), count: z.int() })
      .nullable()
      .meta({ description: 'The equal range before' }),
    insights: z.array(z.string()),
    recommendations: z.array(Recommendation),
    predictions: z.array(Prediction).optional().meta({ description: 'With include_predictions' }),
    method: z.enum(['weekly', 'daily']).nullable().optional().meta({
      description: 'Same time of the last 4 weeks, or of the last 14 days',
    }),
    backtest: z.object({ mase: z.number().nullable(), coverage80: share, steps: z.int() }).nullable().optional().meta({
      description: 'The last week predicted from what was known before; mase below 1 is better than last week’s value',
    }),
    no_predictions: z.string().nullable().optional().meta({ description: 'Why there are none' }),
    examples: z.array(z.string()).meta({ description: 'Questions that can be answered, when this one cannot' }),
    ...groundsFields,
  })
  .meta({ id: 'ReportAnswer' });

/** A query as it leaves. */
export const queryView = (
  { range, filters, ...query }: Query,
  iso: (ms: number) => string,
): z.output<typeof QueryView> => ({
  ...query,
  filters: { ...filters } as z.output<typeof FiltersView>,
  range: range && { from: iso(range.from), to: iso(range.to) },
});
