import { EVENT_STREAM, presentStream, type StreamMessage } from '#api/http/replies/event-stream.ts';
import { type AnyEndpoint, endpoint, mount } from '#api/surfaces/endpoint.ts';
import { Fault } from '#domain/fault.ts';
import { AiModeHeader, aiMode, evidenceBody } from '#features/ai/schemas/answer-evidence.ts';
import { ChatBody, ChatRequest } from '#features/questions/schemas/chat.ts';
import { chatNameOf, chatParamsOf, MAX_TOOL_ROWS, type ToolRun } from '#features/questions/use-cases/tools/tool.ts';
import { beginChat, type ChatAnswer, type ChatProgress, chat, type Message } from '../use-cases/chat.ts';

const ranBody = ({ tool, params, total, error }: ToolRun) => ({
  tool: chatNameOf(tool),
  params: chatParamsOf(tool, params),
  total,
  error,
});
/** Rows that the answer cites are first, so that none of them is cut. */
const toolCallBody = (run: ToolRun, cited: ReadonlySet<string>) => {
  const rows = run.rows.map((row): { readonly id?: unknown; readonly eventId?: unknown } => ({ ...(row as object) }));
  const isCited = ({ id, eventId }: (typeof rows)[number]): boolean => cited.has(String(eventId ?? id));
  const result = rows.length > MAX_TOOL_ROWS ? rows.toSorted((a, b) => Number(isCited(b)) - Number(isCited(a))) : rows;
  return { ...ranBody(run), result: result.slice(0, MAX_TOOL_ROWS) };
};

const chatBody = ({ conversationId, response, runs, suggestions, notUnderstood, grounds }: ChatAnswer) => {
  const evidence = evidenceBody(grounds);
  const cited = new Set(evidence.citations.map(({ id }) => id));
  return {
    conversationId,
    response,
    toolCalls: runs.map((run) => toolCallBody(run, cited)),
    suggestions: [...suggestions],
    notUnderstood: [...notUnderstood],
    ...evidence,
  };
};

interface ChatAsked extends Message {
  readonly isStreamed: boolean;
}
type ChatMade = (progress: ChatProgress) => Promise<ChatAnswer>;
type ChatReplied = { readonly make: ChatMade; readonly signal: AbortSignal } | { readonly whole: ChatAnswer };

const FAILED = "Couldn't answer. Try again.";

/** A failure after the status was sent is a message of the stream; internal errors end it as well, for the log. */
const messagesOf = (make: ChatMade, signal: AbortSignal): ReadableStream<StreamMessage> => {
  let isOver = false;
  return new ReadableStream({
    async start(told) {
      const tell = (event: string, data: object): void => {
        if (!isOver) told.enqueue({ event, data });
      };
      const close = (): void => {
        if (!isOver) told.close();
        isOver = true;
      };
      // Otherwise the stream would wait for the next message.
      signal.addEventListener('abort', close, { once: true });
      try {
        const answer = await make({
          onRun: (run) => tell('tool', { ...ranBody(run), title: run.tool.title }),
          onDraft: (draft) => tell('draft', chatBody(draft)),
        });
        tell('end', chatBody(answer));
      } catch (error) {
        tell('error', { message: error instanceof Fault ? error.message : FAILED });
        if (!(error instanceof Fault)) throw error;
      }
      close();
    },
    cancel() {
      isOver = true;
    },
  });
};

export const askChatbot = endpoint<ChatAsked, ChatReplied>({
  id: 'chat.ask',
  headers: AiModeHeader,
  summary: 'Ask the chatbot',
  description:
    'Answers from read-only tools; the response includes their rows. Conversations are private: 40 turns, 30 days. Uses only data the caller can read. A model only selects tools and words the results. With `Accept: text/event-stream`, events are sent as they happen: `tool` (tool, title, params, total, error) for each call, `draft` (the answer of the rules, if a model works on another), and `end` (the response) or `error` (message). Closing the connection cancels the question, which is not stored then.',
  tag: 'AI',
  permission: 'ai.use',
  limit: 'ai',
  takesLong: true,
  alsoFaults: ['model', 'unavailable', 'rate-limited'],
  mounts: [
    mount({
      on: 'ai',
      method: 'post',
      path: '/chatbot',
      body: ChatRequest,
      reply: ChatBody,
      replyType: ['application/json', EVENT_STREAM],
      replyHeaders: ['X-Accel-Buffering'],
      read: ({ body: { message, conversationId, context }, headers }): ChatAsked => ({
        text: message,
        conversationId: conversationId ?? null,
        currentCi: context?.currentCI ?? null,
        currentGroup: context?.currentGroup ?? null,
        mode: aiMode(headers),
        isStreamed: headers.accept?.includes(EVENT_STREAM) === true,
      }),
      present: (replied) =>
        'make' in replied ? presentStream(messagesOf(replied.make, replied.signal)) : { body: chatBody(replied.whole) },
    }),
  ],
  async handle({ isStreamed, ...message }, context) {
    const { signal } = context;
    const begun = await beginChat(context, message);
    return isStreamed
      ? { make: (progress) => chat(context, begun, progress), signal }
      : { whole: await chat(context, begun) };
  },
});
export const chatEndpoints: readonly AnyEndpoint[] = [askChatbot];
