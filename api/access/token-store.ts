import { ACCESS_KINDS, type CredentialRecord, type TokenRecord } from '#domain/access/records.ts';
import {
  API_TOKEN_PREFIX,
  DISCOVERY_TOKEN_PREFIX,
  formatToken,
  TOKEN_SECRET_CHARACTERS,
} from '#domain/access/token.ts';
import type { Ports } from '#domain/ports/ports.ts';
import { type Along, type RecordStore, type StoredRecord, SYSTEM_TENANT } from '#domain/ports/record-store.ts';
import { forgetCallers } from './caller-cache.ts';

/** Use is noted at most this often, ms. */
const USE_NOTED_EVERY_MS = 60_000;
/** Expired tokens stay in the list for a while, ms. */
const SHOWN_AFTER_EXPIRY_MS = 30 * 86_400_000;

const shownUntil = (token: TokenRecord): { expiresAt?: number } =>
  token.expiresAt === null ? {} : { expiresAt: token.expiresAt + SHOWN_AFTER_EXPIRY_MS };
const validUntil = (token: TokenRecord): { expiresAt?: number } =>
  token.expiresAt === null ? {} : { expiresAt: token.expiresAt };

/** Stores a token and makes its hash valid; the hash first, so that a token that is listed is valid. */
export const saveToken = async (
  records: RecordStore,
  tenant: string,
  token: TokenRecord,
  along: readonly Along[] = [],
): Promise<void> => {
  const credential: CredentialRecord = { tenant, token: token.id };
  await records.put(SYSTEM_TENANT, ACCESS_KINDS.credential, token.hash, credential, validUntil(token));
  await records.put(tenant, ACCESS_KINDS.token, token.id, token, { ...shownUntil(token), along });
  forgetCallers(records);
};

/** A new token; the text is returned here and never again. `along` is kept with it. */
export const issueToken = async (
  { records, ids, crypto }: Pick<Ports, 'records' | 'ids' | 'crypto'>,
  tenant: string,
  draft: Omit<TokenRecord, 'id' | 'hash' | 'lastUsedAt'>,
  along: (token: TokenRecord) => readonly Along[],
): Promise<{ readonly token: string; readonly record: TokenRecord }> => {
  const prefix = draft.kind === 'discovery' ? DISCOVERY_TOKEN_PREFIX : API_TOKEN_PREFIX;
  const token = formatToken(prefix, ids.secret(TOKEN_SECRET_CHARACTERS));
  const record = { ...draft, id: ids.ulid(), hash: crypto.sha256(token), lastUsedAt: null };
  await saveToken(records, tenant, record, along(record));
  return { token, record };
};

/** The token is gone from the list and refused at once in this process, within 5 s in others. */
export const revokeToken = async (
  records: RecordStore,
  tenant: string,
  token: TokenRecord,
  along: readonly Along[],
): Promise<void> => {
  await records.remove(tenant, ACCESS_KINDS.token, token.id, along);
  await records.remove(SYSTEM_TENANT, ACCESS_KINDS.credential, token.hash);
  forgetCallers(records);
};

/** Notes the use of a token without making the request wait. */
export const noteUse = (records: RecordStore, tenant: string, stored: StoredRecord<TokenRecord>, now: number): void => {
  const { id, revision, body } = stored;
  if (body.lastUsedAt !== null && now - body.lastUsedAt < USE_NOTED_EVERY_MS) return;
  const used: TokenRecord = { ...body, lastUsedAt: now };
  // The revision keeps a revoked token from coming back; a note that fails is made at the next look-up.
  records.put(tenant, ACCESS_KINDS.token, id, used, { ...shownUntil(used), expected: revision }).catch(() => undefined);
};
