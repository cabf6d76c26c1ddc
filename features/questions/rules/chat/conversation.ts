import { jsonSize } from '#domain/json-size.ts';
import type { Intent } from './intents.ts';

/** Of one conversation. */
const MAX_TURNS = 40;
const MAX_CONVERSATION_BYTES = 65_536;
export const CONVERSATION_KEPT_MS = 30 * 86_400_000;

/** A message and its answer. */
export interface ConversationTurn {
  readonly at: number;
  readonly message: string;
  readonly response: string;
  readonly intent: Intent | null;
}
export interface Conversation {
  readonly turns: readonly ConversationTurn[];
  /** Id of the CI that it is about. */
  readonly current: string | null;
}
export const NEW_CONVERSATION: Conversation = { turns: [], current: null };

/** With one turn more; the oldest leave when there are more than 40, or more than 64 KiB. */
export function withTurn({ turns }: Conversation, turn: ConversationTurn, current: string | null): Conversation {
  let kept = [...turns, turn].slice(-MAX_TURNS);
  while (kept.length > 1 && jsonSize({ turns: kept, current }) > MAX_CONVERSATION_BYTES) kept = kept.slice(1);
  return { turns: kept, current };
}

const MAX_TOPICS = 5;
/** Its subjects so far, each once, the newest last. */
export const topicsOf = ({ turns }: Conversation): readonly string[] =>
  [...new Set(turns.flatMap(({ intent }) => intent ?? []).reverse())].slice(0, MAX_TOPICS).reverse();
