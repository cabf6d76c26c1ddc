import { inTurn, type TurnPorts } from '#application/records/in-turn.ts';
import type { Ports } from '#domain/ports/ports.ts';
import type { RecordStore, StoredRecord } from '#domain/ports/record-store.ts';
import {
  CONVERSATION_KEPT_MS,
  type Conversation,
  type ConversationTurn,
  NEW_CONVERSATION,
  withTurn,
} from '#features/questions/rules/chat/conversation.ts';

const KIND = 'conversation';

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
export const keepTurn = (
  ports: TurnPorts & Pick<Ports, 'records'>,
  key: ConversationKey,
  turn: ConversationTurn,
  current: string | null,
): Promise<void> =>
  inTurn(ports, { of: [KIND, key.tenant, recordId(key)], ifMatch: null }, async () => {
    const before = await stored(ports.records, key);
    const body = withTurn(before?.body ?? NEW_CONVERSATION, turn, current);
    const options = { expected: before?.revision ?? 0, expiresAt: turn.at + CONVERSATION_KEPT_MS };
    await ports.records.put(key.tenant, KIND, recordId(key), body, options);
  });
