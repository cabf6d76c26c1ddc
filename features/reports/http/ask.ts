import type { z } from 'zod';
import { onBoth } from '#api/surfaces/both.ts';
import { endpoint } from '#api/surfaces/endpoint.ts';
import { AiModeHeader, aiMode, evidenceBody } from '#features/ai/schemas/answer-evidence.ts';
import { AskReport, queryView, ReportAnswer } from '#features/reports/schemas/query.ts';
import {
  type AnsweredReport,
  type AskedReport,
  askReport,
  type SentQuery,
} from '#features/reports/use-cases/asking/ask.ts';
import type { Predictions } from '#features/reports/use-cases/asking/predict.ts';
import { iso } from '#schemas/http/time.ts';

type AnswerBody = z.output<typeof ReportAnswer>;

const predictionFields = (predictions: Predictions | null): Partial<AnswerBody> =>
  predictions === null
    ? {}
    : {
        predictions: predictions.predicted.map(({ at, ...one }) => ({ at: iso(at), ...one })),
        method: predictions.method,
        backtest: predictions.backtest && { ...predictions.backtest },
        no_predictions: predictions.reason,
      };

const timesOf = (range: { readonly from: number; readonly to: number }) => ({
  from: iso(range.from),
  to: iso(range.to),
});

function answerBody(answered: AnsweredReport): AnswerBody {
  const { query, entities, notUnderstood, result, insights, recommendations, predictions, examples, grounds } =
    answered;
  const view = query && queryView(query, iso);
  const range = result?.range ?? null;
  const previous = result?.previous ?? null;
  return {
    interpretation: {
      entities: entities.map((entity) => ({ ...entity })),
      time_range: range && timesOf(range),
      filters: view?.filters ?? {},
      metric: query?.metric ?? null,
      group_by: query?.groupBy ?? null,
      not_understood: [...notUnderstood],
      query: view,
    },
    results: result?.rows.map((row) => ({ ...row })) ?? [],
    unit: result?.unit ?? null,
    total: result?.total ?? null,
    count: result?.count ?? 0,
    truncated: result?.truncated ?? false,
    previous: previous && { ...timesOf(previous.range), total: previous.total, count: previous.count },
    insights: [...insights],
    recommendations: recommendations.map((one) => ({ ...one })),
    ...predictionFields(predictions),
    examples: [...examples],
    ...evidenceBody(grounds),
  };
}

export const askEndpoint = endpoint<AskedReport, AnsweredReport>({
  id: 'reports.ask',
  headers: AiModeHeader,
  summary: 'Answer an analytics question',
  description:
    'Translates the question into a query, returned in interpretation; send it back as query_json to repeat or change it. Also requires events.read, cmdb.read, services.read or settings.read, depending on the question. A model reads only the question, never the results.',
  tag: 'Reports',
  permission: 'ai.use',
  limit: 'ai-platform',
  takesLong: true,
  alsoFaults: ['model', 'unavailable', 'rate-limited'],
  mounts: onBoth.post('/reports/ai/query', ReportAnswer, {
    body: AskReport,
    read: ({ body, headers }): AskedReport => ({
      asked: body.query === undefined ? { query: body.query_json as SentQuery } : { question: body.query },
      zone: body.context.time_zone ?? null,
      predictions: body.context.include_predictions,
      mode: aiMode(headers),
    }),
    present: (answered: AnsweredReport) => ({ body: answerBody(answered) }),
  }),
  handle: (input, context) => askReport(context, input),
});
