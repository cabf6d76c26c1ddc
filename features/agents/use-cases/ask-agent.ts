import { requirePermission } from '#application/access/require-permission.ts';
import type { Permission } from '#domain/access/permissions.ts';
import { saidDegraded } from '#domain/ai/degraded.ts';
import { invalid } from '#domain/fault.ts';
import { AGENTS, type AgentId } from '#features/agents/rules/agents.ts';
import { clockTime, Findings } from '#features/ai/rules/findings.ts';
import { readRange } from '#features/ai/rules/time/range.ts';
import { type AiAnswer, answer } from '#features/ai/use-cases/answer.ts';
import type { Intent } from '#features/questions/rules/asking/intents.ts';
import { wordsIn } from '#features/questions/rules/query.ts';
import { prepared, tellIntent } from '#features/questions/use-cases/answering/answers/answer-message.ts';
import { askingOf } from '#features/questions/use-cases/chat.ts';
import { item } from '#features/questions/use-cases/tools/tool.ts';
import { capacity } from './capacity.ts';
import {
  type AgentAsked,
  type AgentContext,
  type AgentQuestion,
  pairOf,
  plannedChanges,
  type RulesAnswer,
  reconciliation,
} from './own-answers.ts';

/** Times after the end of a forecast, which covers today only. */
const LATER = /\b(?:tomorrow|next (?:week|month|quarter|year))\b/i;
const SHOWN = 80;
const DAY_MS = 86_400_000;

interface Expert {
  readonly permissions: readonly Permission[];
  /** Intent used when `answers` does not contain the intent of the question. */
  readonly usual: Intent;
  readonly answers: readonly Intent[];
  /** Replaces the general answer, unless it returns null. */
  readonly own?: (context: AgentContext, question: AgentQuestion) => Promise<RulesAnswer | null>;
  /** Instruction for a model; contains no text of users or monitoring systems. */
  readonly task: string;
}

const EXPERTS: Readonly<Record<AgentId, Expert>> = {
  correlation: {
    permissions: ['events.read'],
    usual: 'together',
    answers: wordsIn('together why path summary past'),
    own: pairOf,
    task: 'Tell an operator why these events were put into one group, or why they were not.',
  },
  'root-cause': {
    permissions: ['events.read'],
    usual: 'why',
    answers: ['sure', ...wordsIn('why blame past fixed advice duration changes impact together who')],
    task: 'Tell an operator the probable root cause of these groups of events, the most important first.',
  },
  relationships: {
    permissions: ['cmdb.read'],
    usual: 'depends',
    answers: wordsIn('depends path impact proposals spof together attribute'),
    task: 'Tell an operator what depends on what here, the most important first.',
  },
  reconciliation: {
    permissions: ['cmdb.read', 'discovery.read'],
    usual: 'status',
    answers: [],
    own: reconciliation,
    task: 'Tell an operator which configuration item each of these names is, and what needs a decision.',
  },
  'change-risk': {
    permissions: ['cmdb.read', 'events.read'],
    usual: 'safe',
    answers: wordsIn('safe window impact changes past blame'),
    own: async (context, question) => {
      const { things, missing, time } = question.reading;
      return things.length + missing.length === 0 && time === null ? plannedChanges(context, question) : null;
    },
    task: 'Tell a change manager why the risk is as it is. The scores stand: do not name other ones.',
  },
  capacity: {
    permissions: ['events.read'],
    usual: 'query',
    answers: [],
    own: capacity,
    task: 'Tell a manager how the number of events develops and what AI has cost, without other numbers.',
  },
};

/** A question without known names must contain one of these words. */
const TOPICS =
  /\b(?:event|alert|alarm|incident|outage|problem|issue|fail|group|correlat|together|apart|related|cause|culprit|reason|why|happen|wrong|broke|down\b|depend|relation|proposal|proposed|connect|impact|affect|chang|risk|upgrade|update|patch|deploy|restart|reboot|migrat|release|maintenance|planned|trend|worse|better|more|fewer|rise|rising|grow|expect|forecast|predict|capacity|cost|budget|token|usage|noise|noisy|critical|host|server|machine|duplicate|merge|reconcil|review|name|address|scan|ci\b|cis\b|ai\b|safe|long|when|first|before|similar|fix|missing)/i;

/** Returns why a question cannot be answered, or null. */
function notUnderstood(agent: AgentId, { text, reading }: AgentQuestion): string | null {
  const later = agent === 'capacity' ? LATER.exec(text)?.[0] : undefined;
  if (later !== undefined) return `Question not understood: "${later}"; forecasts cover today only.`;
  // Reconciliation answers questions about unknown names itself.
  if (agent === 'reconciliation' || reading.ids.length + reading.things.length > 0) return null;
  const [name] = reading.missing;
  if (name !== undefined) return `Question not understood: nothing named "${name}" was found.`;
  if (TOPICS.test(text)) return null;
  const said = text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text;
  return `Question not understood: "${said}". This agent answers: ${AGENTS[agent].capabilities.join(', ')}.`;
}

const NO_EVIDENCE = item('query', 'question', 'question');
const refused = (why: string): RulesAnswer => {
  const findings = new Findings();
  findings.say(why, [findings.add(NO_EVIDENCE)]);
  const reasoning = 'The question was not understood; no data was read.';
  return { findings, confidence: 0, reasoning, abstained: true };
};

/** Uses the tools and answers of the assistant, within the time range of the question. */
async function byTools(expert: Expert, { desk, reading, intent }: AgentQuestion): Promise<RulesAnswer> {
  const meant = intent !== null && expert.answers.includes(intent) ? intent : expert.usual;
  await tellIntent(desk, meant === 'depends' && reading.things.length === 0 ? 'proposals' : meant);
  const { findings, lead, isAbstained: abstained, runs } = desk;
  const about = findings.claims.length === 0 ? findings.add(NO_EVIDENCE) : null;
  for (const text of lead) findings.say(text, [about ?? findings.pack[0]?.alias ?? null]);
  const tools = [...new Set(runs.map(({ tool }) => `${tool.noun}s`))].join(', ');
  const { from, to } = reading.time?.range ?? { from: 0, to: 0 };
  const when = reading.time === null ? '' : ` from ${clockTime(from)} to ${clockTime(to)}`;
  const reasoning = tools === '' ? 'Based on stored data.' : `Data used: ${tools}${when}.`;
  return { findings, confidence: abstained && desk.confidence === 1 ? 0 : desk.confidence, reasoning, abstained };
}

export interface AgentAnswer {
  readonly agent: AgentId;
  readonly summary: string;
  readonly confidence: number;
  readonly reasoning: string;
  readonly grounds: AiAnswer['grounds'];
  readonly claims: AiAnswer['claims'];
}

/**
 * Answers by the rules of the agent; a model words the answer if one is available. Throws Fault `invalid` for an
 * unreadable time range.
 */
export async function askAgent(context: AgentContext, agent: AgentId, asked: AgentAsked): Promise<AgentAnswer> {
  const expert = EXPERTS[agent];
  for (const permission of expert.permissions) requirePermission(context, permission);
  const { receivedAt: now } = context;
  const { text, timeRange } = asked;
  const asking = await askingOf(context, null, []);
  const said = timeRange === null ? null : readRange(timeRange, now, asking.zone);
  const expected = 'expected a time range, for example 24h, last_30_days, yesterday or since monday';
  if (timeRange !== null && said === null) throw invalid('context.time_range', expected);
  const time = said === null || timeRange === null ? {} : { time: { text: timeRange, range: said } };
  const read = await prepared(asking, { text, memory: { current: null }, ...time });
  const question: AgentQuestion = { ...read, text, range: said ?? { from: now - DAY_MS, to: now } };
  const why = notUnderstood(agent, question);
  if (why !== null) return { agent, ...(await worded(context, agent, refused(why), { ...asked, mode: 'rules' })) };
  const own = (await expert.own?.(context, question)) ?? (await byTools(expert, question));
  return { agent, ...(await worded(context, agent, own, asked)) };
}

async function worded(context: AgentContext, agent: AgentId, said: RulesAnswer, { budgetLimit, mode }: AgentAsked) {
  const { findings, abstained, confidence, reasoning } = said;
  const { claims, grounds } = await answer(context, {
    service: `agent-${agent}`,
    pack: findings.pack,
    claims: findings.claims,
    abstained,
    task: EXPERTS[agent].task,
    mode,
    ...(budgetLimit !== null && { maxCost: budgetLimit }),
  });
  const summary = claims[0]?.text ?? 'No data found.';
  const why = saidDegraded(grounds.degraded);
  return { summary, confidence, reasoning: why === null ? reasoning : `${reasoning} ${why}`, grounds, claims };
}
