import { z } from 'zod';
import { evidenceFields } from '#features/ai/schemas/answer-evidence.ts';
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
      .meta({ description: 'Conversation to continue; omitted: a new conversation' }),
    context: z
      .strictObject({
        currentCI: z.string().trim().min(1).max(255).optional().meta({
          description: 'CI that "it" refers to (ID or name)',
        }),
        currentGroup: z.string().trim().min(1).max(64).optional().meta({
          description: 'Group that "it" and "here" refer to (ID, COR-…)',
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
    tool: z.string(),
    params: z.record(z.string(), z.string()),
    result: z.array(z.record(z.string(), z.unknown())).meta({ description: 'At most 20 rows' }),
    total: z.int().meta({ description: 'Total number of rows' }),
    error: z.string().nullable().meta({ description: 'Reason for an empty result' }),
  })
  .meta({ id: 'ChatToolCall' });

export const ChatBody = succeeded({
  conversationId: z.string(),
  response: z.string(),
  toolCalls: z.array(ToolCallBody),
  suggestions: z.array(z.string()).meta({ description: 'Suggested follow-up messages' }),
  notUnderstood: z.array(z.string()).meta({ description: 'Words of the message that the answer leaves out' }),
  ...evidenceFields,
});
