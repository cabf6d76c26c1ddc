import type { CiRef } from '#domain/event/event.ts';
import { jsonSize } from '#domain/json-size.ts';
import type { Range } from '#features/ai/rules/time/range.ts';

export type CiName = Pick<CiRef, 'id' | 'name' | 'type'>;

/** Subject of a conversation; later messages refer to it. */
export interface TalkMemory {
  /** Id of the CI that it is about. */
  readonly current: string | null;
  /** Words of the user: `netbank`, `Core Banking`; absent: the CI alone. */
  readonly subject?: string | undefined;
  /** Subjects of the talk, each once, the newest last. */
  readonly subjects?: readonly string[];
  /** The last incident: a group ID, or an EVT ID. */
  readonly incident?: string | undefined;
  /** The group of the page on which the last message was written. */
  readonly page?: string;
  readonly time?: { readonly text: string; readonly range: Range };
  /** The last message that had an intent of its own. */
  readonly asked?: string;
  readonly intent?: string;
  /** The user that was named last. */
  readonly person?: string;
  /** Place in the last ranking. */
  readonly nth?: number;
  /** Ids of the incidents that were listed last. */
  readonly incidents?: readonly string[];
  /** Names that were listed last. */
  readonly list?: readonly string[];
  /** Texts of users that were quoted last. */
  readonly told?: readonly string[];
  /** Words in the titles of the events that were counted last. */
  readonly counted?: readonly string[];
  /** Evidence of the last answer: by whom and when. */
  readonly sources?: readonly string[];
}
export interface ConversationTurn {
  readonly at: number;
  readonly message: string;
  readonly response: string;
  readonly intent: string | null;
}
export interface Conversation extends TalkMemory {
  readonly turns: readonly ConversationTurn[];
}
export const NEW_CONVERSATION: Conversation = { turns: [], current: null };
export const CONVERSATION_KEPT_MS = 30 * 86_400_000;
const MAX_TURNS = 40;
const MAX_CONVERSATION_BYTES = 65_536;

/** Adds a turn; the oldest are removed beyond 40 turns or 64 KiB. */
export function withTurn({ turns }: Conversation, turn: ConversationTurn, memory: TalkMemory): Conversation {
  let kept = [...turns, turn].slice(-MAX_TURNS);
  while (kept.length > 1 && jsonSize({ ...memory, turns: kept }) > MAX_CONVERSATION_BYTES) kept = kept.slice(1);
  return { ...memory, turns: kept };
}

const MAX_TOPICS = 5;
/** Its subjects so far, each once, the newest last. */
export const topicsOf = ({ turns }: Conversation): readonly string[] =>
  [...new Set(turns.flatMap(({ intent }) => intent ?? []).reverse())].slice(0, MAX_TOPICS).reverse();
