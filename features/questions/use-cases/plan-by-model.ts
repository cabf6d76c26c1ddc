import type { Degraded } from '#domain/ai/degraded.ts';
import type { Completed, ModelRequest, ToolOffer, WishedCall } from '#domain/ai/model.ts';
import type { ModelProvider } from '#domain/ports/model/model-provider.ts';
import { unmarked } from '#features/ai/rules/prompt/clean.ts';
import { type PromptWording, plannerText } from '#features/ai/rules/prompt/prompt.ts';
import { NO_PSEUDONYMS } from '#features/ai/rules/prompt/pseudonyms.ts';
import { type AskedQuestion, shownQuestion } from '#features/ai/rules/prompt/question.ts';
import { estimateTokens, MAX_REQUEST_TOKENS, MAX_SYSTEM_TOKENS } from '#features/ai/rules/tokens.ts';
import { DEGRADED_BY, LONGEST_CANARY, TO_ANSWER_MS } from '#features/ai/use-cases/ask.ts';
import { wordingFor } from '#features/ai/use-cases/wording.ts';
import { type Asking, chatNameOf, runTool, type ToolRun } from '#features/questions/use-cases/tools/tool.ts';
import { keyOf, offersOf, packOf, readCall, shownRuns } from './shown-runs.ts';

/** One more writes the answer, without tools. */
const MAX_STEPS = 4;
const MAX_CALLS = 8;
/** Steps in a row that bring nothing new. */
const MAX_IDLE = 2;
const MAX_OUTPUT = 500;
/** The wrapping of each tool on the wire, and words about a useless answer. */
const AROUND_TOOL = 14;
const PROBLEM_TOKENS = 80;
const MAX_NOTES = 6;
const TASK = 'TASK Call the tools that answer the question; write DONE when the results do.';

export interface ModelLooked {
  readonly runs: readonly ToolRun[];
  /** Reason for an incomplete run; null: complete, or the server supports no tools. */
  readonly degraded: Degraded | null;
}

/** Calls of one question so far. */
interface Calls {
  /** Runs by call; a repeated call is not made again. */
  readonly runs: Map<string, ToolRun>;
  /** Our notes on the last step. */
  notes: string[];
}

const roomFor = (texts: readonly string[], offers: readonly ToolOffer[], correction: number): number => {
  const tools = estimateTokens(JSON.stringify(offers)) + AROUND_TOOL * offers.length;
  const others = MAX_SYSTEM_TOKENS + MAX_OUTPUT + PROBLEM_TOKENS + tools;
  return Math.max(0, MAX_REQUEST_TOKENS - others - estimateTokens(texts.join(' '), correction));
};

/** Aliases become ids, marks blanks, and pseudonyms names. */
const revealIn =
  (runs: readonly ToolRun[], { mark, pseudonyms }: PromptWording) =>
  (text: string): string =>
    packOf(runs).find(({ alias }) => alias === text.trim())?.id ?? pseudonyms.reveal(unmarked(text, mark));

/** Runs what may be run, each once; what is wrong with the others becomes a note. */
async function follow(asking: Asking, calls: Calls, wished: readonly WishedCall[], wording: PromptWording) {
  calls.notes = [];
  const reveal = revealIn([...calls.runs.values()], wording);
  for (const wish of wished) {
    if (calls.runs.size >= MAX_CALLS) return;
    const read = readCall(asking.ports.questionTools, wish, reveal);
    if ('problem' in read) calls.notes.push(read.problem);
    else if (calls.runs.has(keyOf(read.call)))
      calls.notes.push(`${chatNameOf(read.call.tool)} was called so already; its result stands above`);
    else calls.runs.set(keyOf(read.call), await runTool(asking, read.call.tool, read.call.params));
  }
  calls.notes = [...new Set(calls.notes)].slice(0, MAX_NOTES);
}

interface PlanRequest {
  readonly model: ModelProvider;
  readonly question: AskedQuestion;
  readonly calls: Calls;
  /** Epoch ms. */
  readonly until: number;
}

async function requestOf(asking: Asking, { model, question, calls, until }: PlanRequest) {
  const { ports, tenant, department, requestId } = asking;
  const runs = [...calls.runs.values()];
  const drawn = await wordingFor(asking, packOf(runs), question, model);
  // Tokens that a model counts fewer of than we do are left as a reserve.
  const words = { ...drawn, correction: Math.max(1, drawn.correction) };
  const asked = shownQuestion(question, words);
  const tools = offersOf(ports.questionTools);
  const wording = { ...words, room: roomFor([TASK, asked], tools, words.correction) };
  const canary = ports.ids.secret(LONGEST_CANARY);
  const results = shownRuns(runs, calls.notes, wording);
  const plain = shownRuns(runs, calls.notes, { ...wording, mark: ' ' });
  const request: ModelRequest = {
    purpose: { tenant, service: 'chatbot', department, requestId, isAutomatic: false },
    system: plannerText(wording.mark, canary),
    user: `${TASK}\n${asked}\n${results}`,
    schema: null,
    tools,
    maxOutput: MAX_OUTPUT,
    key: ports.crypto.sha256(
      JSON.stringify(['chatbot-step', question, plain, wording.pseudonyms !== NO_PSEUDONYMS, model.model]),
    ),
    until,
    problemOf: () => null,
  };
  return { request, wording, canary };
}

const hasCanary = ({ text, calls = [] }: Completed, canary: string): boolean =>
  [text, ...calls.map((call) => call.name + call.arguments)].some((said) => said.includes(canary));

/**
 * A model looks things up, in at most 4 requests and 8 calls. It sees rows that the caller may read, and chooses nothing but the tool and its
 * parameters.
 */
export async function lookByModel(asking: Asking, question: AskedQuestion, leftMs: number): Promise<ModelLooked> {
  const { ports, signal } = asking;
  const { model, clock, deadline } = ports;
  if (model === null) return { runs: [], degraded: 'no_model' };
  const until = clock.now() + Math.min(leftMs, deadline.left() - TO_ANSWER_MS);
  const calls: Calls = { runs: new Map(), notes: [] };
  const looked = (degraded: Degraded | null): ModelLooked => ({ runs: [...calls.runs.values()], degraded });
  let idle = 0;
  const mayGoOn = (): boolean => calls.runs.size < MAX_CALLS && idle < MAX_IDLE && model.takesTools();
  for (let step = 1; step <= MAX_STEPS && mayGoOn(); step++) {
    const { request, wording, canary } = await requestOf(asking, { model, question, calls, until });
    const reply = await model.complete(request, signal);
    if ('failure' in reply) return looked(model.takesTools() ? DEGRADED_BY[reply.failure] : null);
    if (hasCanary(reply, canary)) return looked('invalid_output');
    if (reply.calls === undefined || reply.calls.length === 0) return looked(null);
    const before = calls.runs.size;
    await follow(asking, calls, reply.calls, wording);
    idle = calls.runs.size === before ? idle + 1 : 0;
  }
  return looked(null);
}
