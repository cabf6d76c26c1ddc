import type { z } from 'zod';
import type { Call } from '#console/api/link/call.ts';
import type { ChatBody } from '#features/questions/schemas/chat.ts';

/** The answer of the chatbot, sentence by sentence, with citations. */
export type AssistantAnswer = z.output<typeof ChatBody>;
export type Citation = AssistantAnswer['citations'][number];
/** A look-up that has ended. */
export type AssistantCall = Omit<AssistantAnswer['toolCalls'][number], 'result'> & { readonly title: string };

interface Question {
  readonly message: string;
  readonly conversationId: string | null;
  /** Id or name of the CI that is looked at. */
  readonly currentCI: string | null;
  /** Id of the group, or of the event in none, that is looked at. */
  readonly currentGroup: string | null;
}

/** Passes on each step of the answer as it is received; aborting cancels the question. */
export const askAssistant = (
  call: Call,
  { message, conversationId, currentCI, currentGroup }: Question,
  signal: AbortSignal,
  handOn: (event: string, data: unknown) => void,
): Promise<void> => {
  const context = { ...(currentCI !== null && { currentCI }), ...(currentGroup !== null && { currentGroup }) };
  const body = {
    message,
    ...(conversationId !== null && { conversationId }),
    ...(Object.keys(context).length > 0 && { context }),
  };
  return call.stream('POST /api/chatbot', { body, signal }, handOn);
};
