import type { z } from 'zod';
import type { Call } from '#console/api/link/call.ts';
import type { ChatBody } from '#features/questions/schemas/chat.ts';

/** The answer of the chatbot, sentence by sentence, with citations. */
export type AssistantAnswer = z.output<typeof ChatBody>;
export type Citation = AssistantAnswer['citations'][number];

interface Question {
  readonly message: string;
  readonly conversationId: string | null;
  /** Id or name of the CI that is looked at. */
  readonly currentCI: string | null;
}

export const askAssistant = (call: Call, question: Question): Promise<AssistantAnswer> => {
  const { message, conversationId, currentCI } = question;
  return call<AssistantAnswer>('POST /api/chatbot', {
    body: {
      message,
      ...(conversationId !== null && { conversationId }),
      ...(currentCI !== null && { context: { currentCI } }),
    },
  });
};
