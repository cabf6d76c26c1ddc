import {
  CONVERSATION_KEPT_MS,
  type Conversation,
  type ConversationTurn,
  NEW_CONVERSATION,
  withTurn,
} from '#domain/chat/conversation.ts';
import { isOvertaken } from '#domain/fault.ts';
import type { RecordStore, StoredRecord } from '#domain/ports/record-store.ts';

const KIND = 'conversation';
const ATTEMPTS = 5;

/** Whose conversation, and which: the same id of two users is two conversations. */
export interface ConversationKey {
  readonly tenant: string;
  /** Id of the user, or of the token. */
  readonly user: string;
  readonly id: string;
}
const recordId = ({ user, id }: ConversationKey): string => `${user}/${id}`;

const stored = (records: RecordStore, key: ConversationKey): Promise<StoredRecord<Conversation> | null> =>
  records.get<Conversation>(key.tenant, KIND, recordId(key));

/** A new one when there is none. */
export const conversationOf = async (records: RecordStore, key: ConversationKey): Promise<Conversation> =>
  (await stored(records, key))?.body ?? NEW_CONVERSATION;

/** Adds a turn; the 30 days begin again. Two messages at once both stay. */
export async function keepTurn(
  records: RecordStore,
  key: ConversationKey,
  turn: ConversationTurn,
  current: string | null,
): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    const before = await stored(records, key);
    const body = withTurn(before?.body ?? NEW_CONVERSATION, turn, current);
    const options = { expected: before?.revision ?? 0, expiresAt: turn.at + CONVERSATION_KEPT_MS };
    try {
      await records.put(key.tenant, KIND, recordId(key), body, options);
      return;
    } catch (error) {
      if (!isOvertaken(error) || attempt === ATTEMPTS) throw error;
    }
  }
}
