import { type AnyEndpoint, endpoint, mount } from '#api/surfaces/endpoint.ts';
import { AiModeHeader, aiMode, evidenceBody } from '#features/ai/schemas/answer-evidence.ts';
import { ChatBody, ChatRequest } from '#features/questions/schemas/chat.ts';
import { type ChatAnswer, chat, type Message } from '#features/questions/use-cases/chat.ts';
import { chatNameOf, chatParamsOf, MAX_TOOL_ROWS, type ToolRun } from '#features/questions/use-cases/tools/tool.ts';

const toolCallBody = ({ tool, params, rows, total, error }: ToolRun) => ({
  tool: chatNameOf(tool),
  params: chatParamsOf(tool, params),
  result: rows.slice(0, MAX_TOOL_ROWS).map((row) => ({ ...(row as object) })),
  total,
  error,
});

export const askChatbot = endpoint<Message, ChatAnswer>({
  id: 'chat.ask',
  headers: AiModeHeader,
  summary: 'Ask the chatbot',
  description:
    'Answers from read-only tools; the response includes their rows. Conversations are private: 40 turns, 30 days. Uses only data the caller can read. A model only selects tools and words the results.',
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
      read: ({ body: { message, conversationId, context }, headers }): Message => ({
        text: message,
        conversationId: conversationId ?? null,
        currentCi: context?.currentCI ?? null,
        mode: aiMode(headers),
      }),
      present: ({ conversationId, response, runs, suggestions, notUnderstood, grounds }) => ({
        body: {
          conversationId,
          response,
          toolCalls: runs.map(toolCallBody),
          suggestions: [...suggestions],
          notUnderstood: [...notUnderstood],
          ...evidenceBody(grounds),
        },
      }),
    }),
  ],
  handle: (message, context) => chat(context, message),
});

/** Questions in a conversation. */
export const chatEndpoints: readonly AnyEndpoint[] = [askChatbot];
