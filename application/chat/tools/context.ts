import type { UseCaseContext } from '#application/access/context.ts';
import type { Asking } from '#application/ai/answer.ts';
import type { Conversation } from '#domain/chat/conversation.ts';
import type { Named } from '#domain/chat/reading.ts';

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
