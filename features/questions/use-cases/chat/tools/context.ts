import type { UseCaseContext } from '#application/access/context.ts';
import type { Asking } from '#features/ai/use-cases/answer.ts';
import type { Conversation } from '#features/questions/rules/chat/conversation.ts';
import type { Named } from '#features/questions/rules/chat/reading.ts';

/** A handler's context is one. */
export type ChatContext = UseCaseContext & Asking;

/** The caller and the conversation. */
export interface ChatAsking extends ChatContext {
  /** IANA name. */
  readonly zone: string;
  /** Confidence below which no cause is named. */
  readonly abstainBelow: number;
  readonly conversation: Conversation;
  /** The subject of the conversation; null: none yet, or it is gone. */
  readonly current: Named | null;
}
