import { requirePermission } from '#application/access/require-permission.ts';
import { aiSettings } from '#application/records/tenant-settings.ts';
import type { Permission } from '#domain/access/permissions.ts';
import { invalid } from '#domain/fault.ts';
import type { AgentId } from '#features/agents/rules/agents.ts';
import { type AiAnswer, answer } from '#features/ai/use-cases/answer.ts';
import { readRange } from '#features/questions/rules/range.ts';
import { capacity } from './answers/capacity.ts';
import { changeRisk } from './answers/change-risk.ts';
import { correlation } from './answers/correlation.ts';
import { mentionedIn } from './answers/mentioned.ts';
import { sayNotUnderstood } from './answers/not-understood.ts';
import { reconciliation } from './answers/reconciliation.ts';
import { relationships } from './answers/relationships.ts';
import { rootCause } from './answers/root-cause.ts';
import type { AgentAsked, AgentContext, Answers, Said } from './answers/say.ts';

const DAY_MS = 86_400_000;

interface Expert {
  readonly answers: Answers;
  readonly permissions: readonly Permission[];
}
const EXPERTS: Readonly<Record<AgentId, Expert>> = {
  correlation: { answers: correlation, permissions: ['events.read'] },
  'root-cause': { answers: rootCause, permissions: ['events.read'] },
  relationships: { answers: relationships, permissions: ['cmdb.read'] },
  reconciliation: { answers: reconciliation, permissions: ['cmdb.read', 'discovery.read'] },
  'change-risk': { answers: changeRisk, permissions: ['cmdb.read', 'events.read'] },
  capacity: { answers: capacity, permissions: ['events.read'] },
};

export interface AgentAnswer {
  readonly agent: AgentId;
  readonly summary: string;
  readonly confidence: number;
  readonly reasoning: string;
  readonly grounds: AiAnswer['grounds'];
  readonly claims: AiAnswer['claims'];
}

/** Answers by the rules of the agent, in the words of a model when there is one. Throws Fault `invalid` for a range that is none. */
export async function askAgent(context: AgentContext, agent: AgentId, asked: AgentAsked): Promise<AgentAnswer> {
  const { answers, permissions } = EXPERTS[agent];
  for (const permission of permissions) requirePermission(context, permission);
  const { ports, tenant, receivedAt: now } = context;
  const { zone, abstainBelow } = await aiSettings(ports.records, tenant);
  const range = asked.timeRange === null ? { from: now - DAY_MS, to: now } : readRange(asked.timeRange, now, zone);
  if (range === null)
    throw invalid('context.time_range', 'expected for example 24h, last_30_days, yesterday or since monday');
  const mentioned = await mentionedIn(context, asked.text);
  const unclear = sayNotUnderstood(agent, asked.text, mentioned);
  if (unclear !== null) return { agent, ...(await worded(context, agent, unclear, { ...asked, mode: 'rules' })) };
  const said = await answers(context, { text: asked.text, range, mentioned, abstainBelow });
  return { agent, ...(await worded(context, agent, said, asked)) };
}

async function worded(context: AgentContext, agent: AgentId, said: Said, { budgetLimit, mode }: AgentAsked) {
  const { findings, abstained, task, confidence, reasoning } = said;
  const { claims, grounds } = await answer(context, {
    service: `agent-${agent}`,
    pack: findings.pack,
    claims: findings.claims,
    abstained,
    task,
    mode,
    ...(budgetLimit !== null && { maxCost: budgetLimit }),
  });
  const summary = claims[0]?.text ?? 'Nothing is known about that.';
  return { summary, confidence, reasoning, grounds, claims };
}
