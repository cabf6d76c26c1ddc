import { type AnyEndpoint, endpoint, on } from '#api/surfaces/endpoint.ts';
import { AiModeHeader, aiMode, evidenceBody } from '#features/ai/schemas/answer-evidence.ts';
import type { AiMode } from '#features/ai/use-cases/answer.ts';
import {
  CiPath,
  HistoryBody,
  HistoryQuery,
  InsightBody,
  StoredInsightBody,
} from '#features/insights/schemas/insights.ts';
import {
  type Insight,
  type InsightHistory,
  insightHistory,
  makeInsight,
  readInsight,
} from '#features/insights/use-cases/insights.ts';
import { iso } from '#schemas/http/time.ts';

const common = { tag: 'AI: configuration items', limit: 'ai' } as const;
const PATH = '/cmdb-ai/insights/{ciId}';

const getInsight = endpoint<string, Insight>({
  ...common,
  id: 'insights.get',
  summary: 'Get the latest CI insight',
  description: "Latest stored insight, or a rule-based one that isn't stored.",
  permission: 'cmdb.read',
  mounts: on.ai.get(PATH, {
    params: CiPath,
    reply: InsightBody,
    read: ({ params }) => params.ciId,
    present: ({ ciId, content, generatedAt, grounds }) => ({
      body: { ciId, insights: content, generatedAt: iso(generatedAt), ...evidenceBody(grounds) },
    }),
  }),
  handle: (ciId, context) => readInsight(context, ciId),
});

interface Making {
  readonly ciId: string;
  readonly mode: AiMode;
}

const createInsight = endpoint<Making, Insight>({
  ...common,
  id: 'insights.create',
  headers: AiModeHeader,
  summary: 'Generate and store a CI insight',
  description: 'Stored for 400 days, up to 100 per CI. Also requires cmdb.read.',
  permission: 'ai.use',
  takesLong: true,
  alsoFaults: ['not-found', 'model', 'unavailable', 'rate-limited'],
  mounts: on.ai.post(PATH, {
    params: CiPath,
    status: 201,
    reply: StoredInsightBody,
    read: ({ params, headers }) => ({ ciId: params.ciId, mode: aiMode(headers) }),
    present: ({ content, generatedAt, grounds }) => ({
      status: 201,
      body: { insight: content, storedAt: iso(generatedAt), ...evidenceBody(grounds) },
    }),
  }),
  handle: ({ ciId, mode }, context) => makeInsight(context, ciId, mode),
});

interface History {
  readonly ciId: string;
  readonly limit: number;
}

const listInsights = endpoint<History, InsightHistory>({
  ...common,
  id: 'insights.history',
  summary: 'List stored insights of a CI',
  permission: 'cmdb.read',
  mounts: on.ai.get(`${PATH}/history`, {
    params: CiPath,
    query: HistoryQuery,
    reply: HistoryBody,
    read: ({ params, query }) => ({ ciId: params.ciId, limit: query.limit }),
    present: ({ ciId, insights }) => ({
      body: {
        ciId,
        insights: insights.map(({ id, generatedAt, content, grounds }) => ({
          id,
          generatedAt: iso(generatedAt),
          content,
          ...evidenceBody(grounds),
        })),
      },
    }),
  }),
  handle: ({ ciId, limit }, context) => insightHistory(context, ciId, limit),
});

/** Insights about CIs. */
export const insightEndpoints: readonly AnyEndpoint[] = [getInsight, createInsight, listInsights];
