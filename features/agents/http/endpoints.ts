import { both, bothList } from '#api/surfaces/both.ts';
import { type AnyEndpoint, endpoint } from '#api/surfaces/endpoint.ts';
import { notFound } from '#domain/fault.ts';
import { AGENT_IDS, type AgentId, isAgentId } from '#features/agents/rules/agents.ts';
import type { Label } from '#features/agents/rules/label.ts';
import {
  type AgentPath,
  AgentQuery,
  AgentReply,
  AgentView,
  CalibrationReply,
  FeedbackReply,
  FeedbackRequest,
} from '#features/agents/schemas/agents.ts';
import type { AgentAsked } from '#features/agents/use-cases/answers/say.ts';
import { type AgentAnswer, askAgent } from '#features/agents/use-cases/ask-agent.ts';
import { type Feedback, giveFeedback } from '#features/agents/use-cases/feedback.ts';
import {
  type Calibration,
  calibrationOf,
  type ListedAgent,
  listAgents,
} from '#features/agents/use-cases/performance.ts';
import { aiMode } from '#features/ai/schemas/grounds.ts';
import { IdPath } from '#schemas/http/admin/admin.ts';
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
  summary: 'List the agents with what they decided in 90 days and how often they were right',
  tag: TAG,
  permission: 'reports.read',
  limit: 'standard',
  mounts: bothList(listed, AgentView),
  handle: (_, context) => listAgents(context),
});

interface Query {
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
}): Query => ({
  id: params.id,
  asked: {
    text: query,
    timeRange: context?.time_range ?? null,
    budgetLimit: context?.budget_limit ?? null,
    mode: aiMode(headers),
  },
});

const query = endpoint<Query, AgentAnswer>({
  id: 'agents.query',
  summary: 'Ask an agent',
  description:
    'Names in the question are looked up: events, groups, CIs by name or address. Header X-AI-Mode: rules, model or auto.',
  tag: TAG,
  permission: 'ai.use',
  limit: 'ai-platform',
  takesLong: true,
  alsoFaults: ['not-found', 'model', 'unavailable', 'rate-limited'],
  mounts: both({ ...queried, read: readQuery }, AgentReply),
  handle: ({ id, asked }, context) => askAgent(context, agentOf(id), asked),
});

type Given = Omit<Feedback, 'agent'> & { readonly id: string };
const given = {
  method: 'post',
  path: '/agents/{id}/feedback',
  params: IdPath,
  body: FeedbackRequest,
  status: 201,
  present: (label: Label) => ({ status: 201, body: feedbackBody(label) }),
} as const;
const readFeedback = ({ params, body }: { readonly params: AgentPath; readonly body: FeedbackRequest }): Given => ({
  id: params.id,
  subject: body.subject,
  verdict: body.verdict,
  note: body.note ?? null,
});

const feedback = endpoint<Given, Label>({
  id: 'agents.feedback',
  summary: 'Say whether a decision of an agent was right',
  description: 'The last word of each user counts, and people count before what became of it.',
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
  summary: 'Show how confidence and success of an agent go together',
  tag: TAG,
  permission: 'reports.read',
  limit: 'standard',
  alsoFaults: ['not-found'],
  mounts: both(calibrated, CalibrationReply),
  handle: (id, context) => calibrationOf(context, agentOf(id)),
});

/** Agents, what they answer, and how often they are right. */
export const agentEndpoints: readonly AnyEndpoint[] = [list, query, feedback, calibration];
