import { type AnyEndpoint, endpoint, mount } from '#api/surfaces/endpoint.ts';
import { aiMode, groundsBody } from '#features/ai/schemas/grounds.ts';
import type { ToolRun } from '#features/questions/rules/chat/tools.ts';
import { ChatBody, ChatRequest } from '#features/questions/schemas/chat.ts';
import { type ChatAnswer, chat, type Message } from '#features/questions/use-cases/chat/chat.ts';

const toolCallBody = ({ tool, params, rows, total, error }: ToolRun) => ({
  tool,
  params: { ...params },
  result: rows.map((row) => ({ ...row })),
  total,
  error,
});

const ask = endpoint<Message, ChatAnswer>({
  id: 'chat.ask',
  summary: 'Ask the chatbot',
  description:
    'Answers from what six tools read, all of which are shown with their rows. A conversation belongs to its user: 40 turns, 30 days. What the caller may not read is not read. Header X-AI-Mode: rules, model or auto; a model chooses calls and words what they have found.',
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
          ...groundsBody(grounds),
        },
      }),
    }),
  ],
  handle: (message, context) => chat(context, message),
});

/** Questions in a conversation. */
export const chatEndpoints: readonly AnyEndpoint[] = [ask];
