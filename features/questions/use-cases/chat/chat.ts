import { aiSettings } from '#application/records/tenant-settings.ts';
import type { EvidencePack } from '#domain/ai/evidence.ts';
import { invalid } from '#domain/fault.ts';
import type { AskedQuestion } from '#features/ai/rules/prompt/question.ts';
import { type AiMode, answer, type Grounds } from '#features/ai/use-cases/answer.ts';
import type { Conversation } from '#features/questions/rules/chat/conversation.ts';
import { leftOut } from '#features/questions/rules/chat/left-out.ts';
import { planFor } from '#features/questions/rules/chat/plan.ts';
import { type MessageReading, type Named, subjectOf } from '#features/questions/rules/chat/reading.ts';
import { EXAMPLES, suggestionsFor } from '#features/questions/rules/chat/suggest.ts';
import { tellRuns } from '#features/questions/rules/chat/telling/tell.ts';
import type { ToolRun } from '#features/questions/rules/chat/tools.ts';
import { conversationOf, keepTurn } from './conversation-records.ts';
import { lookByModel, type ModelLooked } from './plan-by-model.ts';
import type { ChatAsking, ChatContext } from './tools/context.ts';
import { meantCi } from './tools/meant-ci.ts';
import { runTool } from './tools/run-tool.ts';
import { understand } from './understand.ts';

const SERVICE = 'chatbot';
const TASK =
  'Answer the question of an operator by the evidence, the most important first. Say nothing that was not asked for.';
const NOT_UNDERSTOOD = 'I have not understood that. You can ask, for example:';
const NO_CI = 'I do not know which system is meant. Name one, or ask, for example:';
const READS_ONLY = 'I only read, and change nothing. You can ask, for example:';
const HELP =
  'I answer questions about the status of a CI, its events and their causes, what it depends on and what depends on it, what fails with it, changes, counts and comparisons.';
const MAX_RESPONSE = 8_000;

export interface Message {
  readonly text: string;
  /** Null: a new conversation. */
  readonly conversationId: string | null;
  /** Id or name of the CI that is being looked at. */
  readonly currentCi: string | null;
  readonly mode: AiMode;
}

export interface ChatAnswer {
  readonly conversationId: string;
  readonly response: string;
  readonly runs: readonly ToolRun[];
  readonly suggestions: readonly string[];
  /** Words of the message that the answer leaves out. */
  readonly notUnderstood: readonly string[];
  readonly grounds: Grounds;
}

/** The CI that the caller looks at, else that of the conversation, if it is still there. */
async function currentOf(context: ChatContext, said: string | null, { current }: Conversation): Promise<Named | null> {
  if (!context.caller.permissions.has('cmdb.read')) return null;
  if (said === null) return current === null ? null : meantCi(context, current);
  const ci = await meantCi(context, said);
  if (ci === null) throw invalid('context.currentCI', 'no configuration item has this id or name');
  return ci;
}

async function askingOf(context: ChatContext, message: Message, conversation: Conversation): Promise<ChatAsking> {
  const { zone, abstainBelow } = await aiSettings(context.ports.records, context.tenant);
  const current = await currentOf(context, message.currentCi, conversation);
  // The signal is no field of the context of a handler: copies lack it.
  return { ...context, signal: context.signal, zone, abstainBelow, conversation, current };
}

/** The calls of the rules; null: the message is not understood. */
async function planByRules(asking: ChatAsking, reading: MessageReading): Promise<readonly ToolRun[] | null> {
  const calls = planFor(reading);
  return calls && Promise.all(calls.map((call) => runTool(asking, call)));
}

/** A CI is all that is missing. */
const lacksCi = ({ intent, pointsBack, current }: MessageReading, left: readonly string[]): boolean =>
  intent !== null && left.length === 0 && (pointsBack || current === null);

/** Sentences that stand on nothing, since they tell of the chatbot itself. */
function leadOf(
  reading: MessageReading,
  runs: readonly ToolRun[] | null,
  left: readonly string[],
  isByRules: boolean,
): string | null {
  if (reading.intent === 'order') return `${READS_ONLY} ${EXAMPLES.join(' ')}`;
  if (reading.intent === 'help') return HELP;
  if (runs === null) return `${lacksCi(reading, left) ? NO_CI : NOT_UNDERSTOOD} ${EXAMPLES.join(' ')}`;
  return left.length === 0 || !isByRules
    ? null
    : `Not understood, and left out: ${left.map((text) => `"${text}"`).join(', ')}.`;
}

const errorsOf = (runs: readonly ToolRun[]): string[] =>
  [...new Set(runs.flatMap(({ error }) => error ?? []))].map((error) => `Something could not be read: ${error}.`);

/** All of one answer, ms. */
const MODEL_MS = 90_000;

const questionOf = ({ text }: Message, { terms }: MessageReading, { turns }: Conversation): AskedQuestion => ({
  text,
  names: terms,
  history: turns.map(({ message, response }) => ({ asked: message, answered: response })),
});

/** The calls of a model, else those of the rules. */
async function look(
  asking: ChatAsking,
  reading: MessageReading,
  message: Message,
  question: AskedQuestion,
  leftMs: number,
) {
  const byModel: ModelLooked =
    message.mode === 'rules' ? { runs: [], degraded: null } : await lookByModel(asking, question, leftMs);
  const { runs, degraded } = byModel;
  const isUseful = runs.some(({ error }) => error === null);
  return { runs: isUseful ? runs : await planByRules(asking, reading), degraded, isByRules: !isUseful };
}

interface Answered {
  readonly left: readonly string[];
  readonly response: string;
  readonly runs: readonly ToolRun[];
  readonly grounds: Grounds;
}

async function answered(asking: ChatAsking, reading: MessageReading, message: Message): Promise<Answered> {
  const { clock } = asking.ports;
  const question = questionOf(message, reading, asking.conversation);
  const endsAt = clock.now() + MODEL_MS;
  const { runs, degraded, isByRules } = await look(asking, reading, message, question, MODEL_MS);
  const { findings, abstained, causes } = tellRuns(reading, runs ?? [], asking.abstainBelow);
  const { pack, claims } = findings;
  const isEmpty = claims.length === 0;
  const said = await answer(asking, {
    service: SERVICE,
    pack,
    claims,
    abstained: abstained || isEmpty,
    task: TASK,
    causes,
    question,
    degraded,
    mode: modeOf(message, pack),
    leftMs: Math.max(0, endsAt - clock.now()),
  });
  const left = leftOut(reading, runs ?? []);
  const lead = leadOf(reading, runs, left, isByRules && said.grounds.generatedBy === 'rules');
  const sentences = [...(lead === null ? [] : [lead]), ...said.claims.map(({ text }) => text), ...errorsOf(runs ?? [])];
  const response = sentences.length === 0 ? 'Nothing is known about that.' : sentences.join(' ');
  return { response: response.slice(0, MAX_RESPONSE), runs: runs ?? [], grounds: said.grounds, left };
}

/** Of nothing a model can say nothing. */
const modeOf = ({ mode }: Message, pack: EvidencePack): AiMode =>
  mode === 'auto' && pack.length === 0 ? 'rules' : mode;

/** Subjects to which the next message may refer. */
const nextCurrent = (reading: MessageReading, { current }: ChatAsking): string | null =>
  subjectOf(reading)?.id ?? current?.id ?? null;

/** Answers a message from what its tools have read, and keeps both. Throws Fault `invalid` for a current CI that is none. */
export async function chat(context: ChatContext, message: Message): Promise<ChatAnswer> {
  const { tenant, ports, caller, receivedAt } = context;
  const conversationId = message.conversationId ?? ports.ids.ulid();
  const key = { tenant, user: caller.id, id: conversationId };
  const asking = await askingOf(context, message, await conversationOf(ports.records, key));
  const reading = await understand(asking, message.text);
  const { response, runs, grounds, left } = await answered(asking, reading, message);
  const turn = { at: receivedAt, message: message.text, response, intent: reading.intent };
  await keepTurn(ports, key, turn, nextCurrent(reading, asking));
  return { conversationId, response, runs, grounds, notUnderstood: left, suggestions: suggestionsFor(reading) };
}
