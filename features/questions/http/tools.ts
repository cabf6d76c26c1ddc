import { z } from 'zod';
import { tool } from '#api/surfaces/tool.ts';
import { askChatbot } from './endpoints.ts';

const asking = tool({
  name: 'ask',
  title: 'Ask a question',
  description:
    'Answers a question in English about CIs, events, root causes, dependencies, impact, changes and counts by rules, without a language model. Example: which events are open on db-1?',
  endpoint: askChatbot,
  input: z.strictObject({
    question: z.string().trim().min(1).max(2_000),
    conversation: z
      .string()
      .regex(/^[A-Za-z0-9_-]{1,64}$/)
      .optional()
      .describe('Conversation to continue, from an earlier answer'),
    ci: z.string().trim().min(1).max(255).optional().describe('CI that "it" refers to (ID or name)'),
  }),
  output: z.object({
    conversationId: z.string(),
    response: z.string(),
    suggestions: z.array(z.string()),
    notUnderstood: z.array(z.string()).describe('Words of the question that the answer leaves out'),
    abstained: z.boolean(),
  }),
  run: async ({ ask }, { question, conversation, ci }) =>
    (
      await ask(askChatbot, {
        body: {
          message: question,
          ...(conversation !== undefined && { conversationId: conversation }),
          ...(ci !== undefined && { context: { currentCI: ci } }),
        },
        headers: { 'x-ai-mode': 'rules' },
      })
    ).body,
  tell: ({ response, suggestions, conversationId }) =>
    [response, ...suggestions.map((one) => `- Suggested question: ${one}`), `- Conversation: ${conversationId}`].join(
      '\n',
    ),
});

export const chatTools = [asking];
