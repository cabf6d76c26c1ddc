import { type AnyEndpoint, endpoint, on } from '#api/surfaces/endpoint.ts';
import { evidenceBody } from '#features/ai/schemas/answer-evidence.ts';
import {
  AnalysisRequest,
  AnalysisResult,
  AnalysisStarted,
  ResultQuery,
  SessionPath,
  serviceBody,
} from '#features/analyzer/schemas/infrastructure.ts';
import { type ShownAnalysis, withEvidence } from '#features/analyzer/use-cases/infrastructure/evidence.ts';
import { readAnalysis } from '#features/analyzer/use-cases/infrastructure/read-analysis.ts';
import {
  type AnalysisAsked,
  type StartedAnalysis,
  startAnalysis,
} from '#features/analyzer/use-cases/infrastructure/start-analysis.ts';
import { iso } from '#schemas/http/time.ts';

const common = { tag: 'AI: business services', limit: 'ai' } as const;
const PATH = '/business-service-analyzer/infrastructure-analysis';

const start = endpoint<AnalysisAsked, StartedAnalysis>({
  ...common,
  id: 'infrastructure-analysis.start',
  summary: 'Start an infrastructure analysis',
  description:
    'Runs in the background, one analysis per tenant. Follow progress at `streamUrl`; continues without listeners. Returns the running session if there is one. Also requires cmdb.read.',
  permission: 'ai.use',
  alsoFaults: ['tenant'],
  mounts: on.ai.post(PATH, {
    body: AnalysisRequest,
    status: 202,
    reply: AnalysisStarted,
    replyHeaders: ['Location'],
    read: ({ body }) => ({ tenantId: body.tenantId, sessionId: body.sessionId }),
    present: ({ sessionId, link }, { baseUrl }) => ({
      status: 202,
      headers: { Location: `/api${PATH}/${sessionId}` },
      body: {
        message: 'The analysis is running in the background',
        sessionId,
        streamUrl: `${baseUrl}/sse${PATH}/progress/${sessionId}?link=${link}`,
      },
    }),
  }),
  handle: (asked, context) => startAnalysis(context, asked),
});

interface ResultRequest {
  readonly sessionId: string;
  readonly query: ResultQuery;
}
interface Result {
  readonly query: ResultQuery;
  readonly shown: ShownAnalysis;
}

const NOTHING = {
  cis: 0,
  relationships: 0,
  connections: 0,
  hubs: 0,
  cutLinks: 0,
  components: 0,
  services: 0,
  unassigned: 0,
};

const resultBody = ({ query, shown }: Result) => {
  const { session, progress, services, total, grounds } = shown;
  const { step, message, current, total: of } = progress ?? { step: '', message: '', current: 0, total: 0 };
  return {
    sessionId: session.id,
    status: session.status,
    startedAt: iso(session.startedAt),
    error: session.error,
    completedAt: session.completedAt === null ? null : iso(session.completedAt),
    progress: progress === null ? null : { step, message, current, total: of },
    statistics: { ...NOTHING, truncated: false, ...session.counts },
    services: services.map(serviceBody),
    pagination: { page: query.page, limit: query.limit, total, pages: Math.ceil(total / query.limit) },
    ...evidenceBody(grounds),
  };
};

const result = endpoint<ResultRequest, Result>({
  ...common,
  id: 'infrastructure-analysis.result',
  summary: 'Get an infrastructure analysis',
  description: 'Stored for 24 hours.',
  permission: 'cmdb.read',
  mounts: on.ai.get(`${PATH}/{sessionId}`, {
    params: SessionPath,
    query: ResultQuery,
    reply: AnalysisResult,
    read: ({ params, query }) => ({ sessionId: params.sessionId, query }),
    present: (found) => ({ body: resultBody(found) }),
  }),
  async handle({ sessionId, query }, context) {
    const at = { start: (query.page - 1) * query.limit, limit: query.limit };
    return { query, shown: await withEvidence(context, await readAnalysis(context, sessionId, at)) };
  },
});

/** Services that are found in the whole CMDB. */
export const infrastructureEndpoints: readonly AnyEndpoint[] = [start, result];
