import type { UseCaseContext } from '#application/access/context.ts';
import { inTurn, type TurnPorts } from '#application/records/in-turn.ts';
import { aiSettings } from '#application/records/tenant-settings.ts';
import { saidDegraded } from '#domain/ai/degraded.ts';
import type { Claim, EvidencePack } from '#domain/ai/evidence.ts';
import { parseEventId } from '#domain/event/event.ts';
import { invalid } from '#domain/fault.ts';
import type { Ports } from '#domain/ports/ports.ts';
import type { RecordStore, StoredRecord } from '#domain/ports/record-store.ts';
import { Findings } from '#features/ai/rules/findings.ts';
import type { AskedQuestion } from '#features/ai/rules/prompt/question.ts';
import { type AiCaller, type AiMode, type AnswerEvidence, answer, citationsOf } from '#features/ai/use-cases/answer.ts';
import { AWAITED_MS } from '#features/ai/use-cases/ask.ts';
import {
  type CiName,
  CONVERSATION_KEPT_MS,
  type Conversation,
  type ConversationTurn,
  NEW_CONVERSATION,
  type TalkMemory,
  topicsOf,
  withTurn,
} from '#features/questions/rules/asking/memory.ts';
import { ciNamed } from '#features/questions/use-cases/tools/kinds/cis.ts';
import { type Asking, itemsOf, type ToolRun } from '#features/questions/use-cases/tools/tool.ts';
import { answerMessage, type MessageAnswer, suggestionsFor } from './answering/answers/answer-message.ts';
import type { Desk } from './answering/desk.ts';
import { lookByModel } from './plan-by-model.ts';
import { CONFIDENCE } from './tools/kinds/incidents.ts';

const KIND = 'conversation';

/** The same ID of two users is two conversations. */
interface ConversationKey {
  readonly tenant: string;
  /** Id of the user, or of the token. */
  readonly user: string;
  readonly id: string;
}
const recordId = ({ user, id }: ConversationKey): string => `${user}/${id}`;

const stored = (records: RecordStore, key: ConversationKey): Promise<StoredRecord<Conversation> | null> =>
  records.get<Conversation>(key.tenant, KIND, recordId(key));

/** Adds a turn; the 30 days begin again. Two messages at once both stay. */
const keepTurn = (
  ports: TurnPorts & Pick<Ports, 'records'>,
  key: ConversationKey,
  turn: ConversationTurn,
  memory: TalkMemory,
): Promise<void> =>
  inTurn(ports, { of: [KIND, key.tenant, recordId(key)], ifMatch: null }, async () => {
    const before = await stored(ports.records, key);
    const body = withTurn(before?.body ?? NEW_CONVERSATION, turn, memory);
    const options = { expected: before?.revision ?? 0, expiresAt: turn.at + CONVERSATION_KEPT_MS };
    await ports.records.put(key.tenant, KIND, recordId(key), body, options);
  });

const SERVICE = 'chatbot';
const TASK =
  'Answer the question of an operator from the evidence, the most important first. Say nothing that was not asked for.';
const MAX_RESPONSE = 8_000;

/** A handler's context is one. */
export type ChatContext = UseCaseContext & AiCaller;

export interface Message {
  readonly text: string;
  /** Null: a new conversation. */
  readonly conversationId: string | null;
  /** Id or name of the CI that is being looked at. */
  readonly currentCi: string | null;
  /** Id of the group, or of the event in none, that is being looked at. */
  readonly currentGroup: string | null;
  readonly mode: AiMode;
}

export interface ChatAnswer {
  readonly conversationId: string;
  readonly response: string;
  readonly runs: readonly ToolRun[];
  readonly suggestions: readonly string[];
  /** Words of the message that the answer leaves out. */
  readonly notUnderstood: readonly string[];
  readonly grounds: AnswerEvidence;
}

/** The CI of the caller's page, else of the conversation. Throws Fault `invalid` for an unknown one. */
async function currentOf(context: ChatContext, said: string | null, known: string | null): Promise<CiName | null> {
  if (said !== null && context.caller.permissions.has('cmdb.read')) return ciNamed(context, 'context.currentCI', said);
  const [ci] = known === null ? [] : await context.ports.topology.getCis(context.tenant, [known]);
  return ci ?? null;
}

/** A conversation goes over to the group of another page. Throws Fault `invalid` for an unknown one. */
async function onPage({ ports, tenant, caller }: ChatContext, talk: Conversation, page: string | null) {
  const { page: before, ...rest } = talk;
  if (page === null || !caller.permissions.has('events.read')) return rest;
  if (page === before) return talk;
  const event = parseEventId(page);
  const found = await (event === null ? ports.correlation.group(tenant, page) : ports.events.get(tenant, event));
  if (found === null) throw invalid('context.currentGroup', 'no group or event with this ID');
  return { turns: talk.turns, current: null, incident: page, page };
}

/** The caller with the tenant's time zone and confidence threshold. */
export async function askingOf(
  context: ChatContext,
  current: CiName | null,
  topics: readonly string[],
): Promise<Asking> {
  const { zone, abstainBelow } = await aiSettings(context.ports.records, context.tenant);
  // The signal is no field of the context of a handler: copies lack it.
  return { ...context, signal: context.signal, zone, abstainBelow, current, topics };
}

/** An answer while it is made. */
export interface ChatProgress {
  readonly onRun: (run: ToolRun) => void;
  /** Gets the answer of the rules, while a model works on its own. */
  readonly onDraft: (answer: ChatAnswer) => void;
}
const UNWATCHED: ChatProgress = { onRun: () => undefined, onDraft: () => undefined };

/** Sentences of rules, with their evidence. */
type Said = Readonly<Pick<Desk, 'findings' | 'causes' | 'runs' | 'isAbstained' | 'lead'>>;

/** Events that the scores of incidents make a cause. */
const causesIn = (pack: EvidencePack, abstainBelow: number): string[] =>
  pack
    .filter(({ facts }) => facts.some(({ name, value }) => name === CONFIDENCE && Number(value) >= abstainBelow * 100))
    .map(({ alias }) => alias);

/** Rows that a model has chosen, in sentences of rules. */
function told({ abstainBelow }: Asking, runs: ToolRun[]): Said {
  const findings = new Findings();
  for (const run of runs.filter(({ error }) => error === null)) {
    for (const item of itemsOf(run, 12)) findings.add(item);
    const [whole] = itemsOf(run, 0);
    if (run.rows.length > 1 && whole !== undefined) findings.say(`${run.total} results.`, [findings.add(whole)]);
    if (run.rows.length === 0 && whole !== undefined) findings.say(run.tool.none, [findings.add(whole)]);
    for (const row of run.rows.slice(0, 6)) {
      const [item] = run.tool.items(row);
      if (item !== undefined) findings.say(run.tool.tell(row, run.params), [findings.add(item)]);
    }
  }
  const causes = causesIn(findings.pack, abstainBelow);
  return { findings, causes, runs, isAbstained: findings.claims.length === 0, lead: [] };
}

const errorsOf = (runs: readonly ToolRun[]): string[] =>
  [...new Set(runs.flatMap(({ error }) => error ?? []))].map((error) => `Some data couldn't be loaded: ${error}.`);

/** A model needs evidence. */
const modeOf = ({ mode }: Message, { findings: { pack } }: Said): AiMode =>
  mode === 'auto' && pack.length === 0 ? 'rules' : mode;

type Answered = Pick<ChatAnswer, 'response' | 'runs' | 'grounds'>;

const answeredWith = (said: Said, claims: readonly Claim[], grounds: AnswerEvidence): Answered => {
  const lead = grounds.generatedBy === 'rules' ? said.lead : [];
  const why = saidDegraded(grounds.degraded) ?? [];
  const sentences = [lead, claims.map(({ text }) => text), errorsOf(said.runs), why].flat();
  const response = sentences.length === 0 ? 'No data found.' : sentences.join(' ');
  return { response: response.slice(0, MAX_RESPONSE), runs: said.runs, grounds };
};

/** The answer of the rules, before that of a model. */
const draftOf = (said: Said): Answered => {
  const { claims, pack } = said.findings;
  const grounds = { generatedBy: 'rules', model: null, abstained: said.isAbstained, degraded: null, claims } as const;
  return answeredWith(said, claims, { ...grounds, citations: citationsOf(claims, pack) });
};

async function answered(asking: Asking, rules: MessageAnswer, message: Message, { turns }: Conversation) {
  const { clock } = asking.ports;
  const question: AskedQuestion = {
    text: message.text,
    names: [...rules.reading.things.map(({ said }) => said), ...rules.reading.missing],
    history: turns.map(({ message: asked, response }) => ({ asked, answered: response })),
  };
  const endsAt = clock.now() + AWAITED_MS;
  const byModel =
    message.mode === 'rules' ? { runs: [], degraded: null } : await lookByModel(asking, question, AWAITED_MS);
  const isUseful = byModel.runs.some(({ error }) => error === null);
  const said: Said = isUseful ? told(asking, [...byModel.runs]) : rules.desk;
  const { claims, grounds } = await answer(asking, {
    service: SERVICE,
    pack: said.findings.pack,
    claims: said.findings.claims,
    abstained: said.isAbstained,
    task: TASK,
    causes: said.causes,
    question,
    degraded: byModel.degraded,
    mode: modeOf(message, said),
    leftMs: Math.max(0, endsAt - clock.now()),
  });
  return answeredWith(said, claims, grounds);
}

interface BegunChat {
  readonly message: Message;
  readonly key: ConversationKey;
  readonly conversation: Conversation;
  readonly current: CiName | null;
}

/** Reads the conversation. Throws Fault `invalid` for an unknown current CI or group. */
export async function beginChat(context: ChatContext, message: Message): Promise<BegunChat> {
  const { tenant, ports, caller } = context;
  const conversationId = message.conversationId ?? ports.ids.ulid();
  const key = { tenant, user: caller.id, id: conversationId };
  const talk = (await stored(ports.records, key))?.body ?? NEW_CONVERSATION;
  const conversation = await onPage(context, talk, message.currentGroup);
  return { message, key, conversation, current: await currentOf(context, message.currentCi, conversation.current) };
}

/** Answers a message with tools and stores both; a question that was canceled is not stored. */
export async function chat(context: ChatContext, begun: BegunChat, progress = UNWATCHED): Promise<ChatAnswer> {
  const { ports, receivedAt, signal } = context;
  const { message, key, conversation, current } = begun;
  const { turns: _turns, ...memory } = conversation;
  const asking = { ...(await askingOf(context, current, topicsOf(conversation))), onRun: progress.onRun };
  const rules = await answerMessage(asking, { text: message.text, memory });
  const left = rules.intent === null ? rules.reading.asked.notUnderstood : rules.desk.left;
  const of = (told: Answered): ChatAnswer => ({
    ...told,
    conversationId: key.id,
    notUnderstood: [...new Set(left)],
    suggestions: suggestionsFor(rules),
  });
  if (message.mode !== 'rules' && ports.model !== null) progress.onDraft(of(draftOf(rules.desk)));
  const told = await answered(asking, rules, message, conversation);
  const turn = { at: receivedAt, message: message.text, response: told.response, intent: rules.intent };
  if (!signal.aborted) await keepTurn(ports, key, turn, { ...memory, ...rules.desk.next });
  return of(told);
}
