import { z } from 'zod';
import { groundsFields } from '#features/ai/schemas/grounds.ts';
import { CHAT_TOOLS } from '#features/questions/rules/chat/tools.ts';
import { succeeded } from '#schemas/http/envelope.ts';

/** The chatbot (docs/ai.md). */

const ID = /^[A-Za-z0-9_-]{1,64}$/;
const MAX_MESSAGE = 2_000;

export const ChatRequest = z
  .strictObject({
    message: z.string().trim().min(1).max(MAX_MESSAGE),
    conversationId: z
      .string()
      .regex(ID, 'expected 1 to 64 letters, digits, _ or -')
      .optional()
      .meta({ description: 'Continues a conversation of the caller; absent: a new one' }),
    context: z
      .strictObject({
        currentCI: z.string().trim().min(1).max(255).optional().meta({
          description: 'Id or name of the CI that the caller looks at; "it" is this one',
        }),
        userId: z
          .string()
          .max(255)
          .optional()
          .meta({ description: 'Ignored: the caller is the one of the credential' }),
      })
      .optional(),
  })
  .meta({ id: 'ChatRequest', example: { message: 'Why is db-1 slow?' } });

const ToolCallBody = z
  .object({
    tool: z.enum(CHAT_TOOLS),
    params: z.record(z.string(), z.string()),
    result: z.array(z.record(z.string(), z.unknown())).meta({ description: 'At most 20 rows' }),
    total: z.int().meta({ description: 'How many rows there are' }),
    error: z.string().nullable().meta({ description: 'Why the call has found nothing' }),
  })
  .meta({ id: 'ChatToolCall' });

export const ChatBody = succeeded({
  conversationId: z.string(),
  response: z.string(),
  toolCalls: z.array(ToolCallBody),
  suggestions: z.array(z.string()).meta({ description: 'Messages that may come next' }),
  notUnderstood: z.array(z.string()).meta({ description: 'Words of the message that the answer leaves out' }),
  ...groundsFields,
});
