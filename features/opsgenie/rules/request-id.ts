import { ulidOfUuid, uuidOf } from '#domain/texts/ulid-uuid.ts';

/** Ids of requests hold their outcome, so that nothing needs to be stored until a client asks for it. */
export interface AlertRequest {
  readonly action: string;
  /** Null: there is no such alert. */
  readonly eventId: string | null;
  /** Time of its receipt, ms. */
  readonly at: number;
}

const NONE = '00000000-0000-0000-0000-000000000000';
const REQUEST_ID = /^([0-9a-f-]{36})-([a-z]{1,20})-([0-9a-z]{1,10})$/;

export const requestIdOf = ({ action, eventId, at }: AlertRequest): string =>
  [eventId === null ? NONE : uuidOf(eventId), action, at.toString(36)].join('-');

export const requestOf = (text: string): AlertRequest | null => {
  const [, uuid = '', action = '', at = ''] = REQUEST_ID.exec(text) ?? [];
  const ulid = ulidOfUuid(uuid);
  return ulid === null ? null : { action, eventId: uuid === NONE ? null : ulid, at: Number.parseInt(at, 36) };
};
