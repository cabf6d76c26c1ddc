import { both, bothList } from '#api/surfaces/both.ts';
import { type AnyEndpoint, endpoint } from '#api/surfaces/endpoint.ts';
import { notFound } from '#domain/fault.ts';
import { AGENT_IDS, type AgentId, isAgentId, type Label } from '#features/agents/rules/agents.ts';
import {
  type AgentPath,
  AgentQuery,
  AgentReply,
  AgentView,
  CalibrationReply,
  FeedbackReply,
  FeedbackRequest,
} from '#features/agents/schemas/agents.ts';
import { type AgentAnswer, askAgent } from '#features/agents/use-cases/ask-agent.ts';
import { type Feedback, giveFeedback } from '#features/agents/use-cases/feedback.ts';
import type { AgentAsked } from '#features/agents/use-cases/own-answers.ts';
import { AiModeHeader, aiMode } from '#features/ai/schemas/answer-evidence.ts';
import { IdPath } from '#schemas/http/admin/admin.ts';
import { type Calibration, calibrationOf, type ListedAgent, listAgents } from '../use-cases/performance.ts';
import { answerBody, calibrationBody, feedbackBody, listedBody } from './present-agents.ts';

const TAG = 'AI: agents';

const agentOf = (id: string): AgentId => {
  if (!isAgentId(id)) throw notFound('Agent', id);
  return id;
};

const listed = {
  method: 'get',
  path: '/agents',
  read: () => undefined,
  present: (agents: readonly ListedAgent[]) => ({
    body: agents.map(listedBody),
    page: { page: 1, limit: AGENT_IDS.length, total: agents.length },
  }),
} as const;

const list = endpoint<void, readonly ListedAgent[]>({
  id: 'agents.list',
  summary: 'List agents',
  tag: TAG,
  permission: 'reports.read',
  limit: 'standard',
  mounts: bothList(listed, AgentView),
  handle: (_, context) => listAgents(context),
});

interface AgentRequest {
  readonly id: string;
  readonly asked: AgentAsked;
}
const queried = {
  method: 'post',
  path: '/agents/{id}/query',
  params: IdPath,
  body: AgentQuery,
  present: (answered: AgentAnswer) => ({ body: answerBody(answered) }),
} as const;
const readQuery = ({
  params,
  body: { query, context },
  headers,
}: {
  readonly params: AgentPath;
  readonly body: AgentQuery;
  readonly headers: Readonly<Record<string, string | undefined>>;
}): AgentRequest => ({
  id: params.id,
  asked: {
    text: query,
    timeRange: context?.time_range ?? null,
    budgetLimit: context?.budget_limit ?? null,
    mode: aiMode(headers),
  },
});

const query = endpoint<AgentRequest, AgentAnswer>({
  id: 'agents.query',
  headers: AiModeHeader,
  summary: 'Ask an agent',
  description: 'Resolves events, groups and CIs named in the question.',
  tag: TAG,
  permission: 'ai.use',
  limit: 'ai-platform',
  takesLong: true,
  alsoFaults: ['not-found', 'model', 'unavailable', 'rate-limited'],
  mounts: both({ ...queried, read: readQuery }, AgentReply),
  handle: ({ id, asked }, context) => askAgent(context, agentOf(id), asked),
});

type NewLabel = Omit<Feedback, 'agent'> & { readonly id: string };
const given = {
  method: 'post',
  path: '/agents/{id}/feedback',
  params: IdPath,
  body: FeedbackRequest,
  status: 201,
  present: (label: Label) => ({ status: 201, body: feedbackBody(label) }),
} as const;
const readFeedback = ({ params, body }: { readonly params: AgentPath; readonly body: FeedbackRequest }): NewLabel => ({
  id: params.id,
  subject: body.subject,
  verdict: body.verdict,
  note: body.note ?? null,
});

const feedback = endpoint<NewLabel, Label>({
  id: 'agents.feedback',
  summary: 'Submit feedback on an agent decision',
  description: 'Replaces your previous feedback. User feedback takes precedence over observed outcomes.',
  tag: TAG,
  permission: 'events.write',
  limit: 'standard',
  alsoFaults: ['not-found'],
  mounts: both({ ...given, read: readFeedback }, FeedbackReply),
  handle: ({ id, ...said }, context) => giveFeedback(context, { agent: agentOf(id), ...said }),
});

const calibrated = {
  method: 'get',
  path: '/agents/{id}/calibration',
  params: IdPath,
  read: ({ params }: { readonly params: AgentPath }) => params.id,
  present: (calibration: Calibration) => ({ body: calibrationBody(calibration) }),
} as const;

const calibration = endpoint<string, Calibration>({
  id: 'agents.calibration',
  summary: 'Get agent calibration',
  tag: TAG,
  permission: 'reports.read',
  limit: 'standard',
  alsoFaults: ['not-found'],
  mounts: both(calibrated, CalibrationReply),
  handle: (id, context) => calibrationOf(context, agentOf(id)),
});

export const agentEndpoints: readonly AnyEndpoint[] = [list, query, feedback, calibration];
