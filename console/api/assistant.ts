import type { z } from 'zod';
import type { ChatBody } from '#schemas/http/ai/chat.ts';
import type { Call } from './link/call.ts';

/** What the chatbot says, sentence by sentence, with what each stands on. */
export type Answer = z.output<typeof ChatBody>;
export type Citation = Answer['citations'][number];

interface Question {
  readonly message: string;
  readonly conversationId: string | null;
  /** Id or name of the CI that is looked at. */
  readonly currentCI: string | null;
}

export const askAssistant = (call: Call, question: Question): Promise<Answer> => {
  const { message, conversationId, currentCI } = question;
  return call<Answer>('POST /api/chatbot', {
    body: {
      message,
      ...(conversationId !== null && { conversationId }),
      ...(currentCI !== null && { context: { currentCI } }),
    },
  });
};
