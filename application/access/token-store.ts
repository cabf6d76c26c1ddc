import { ACCESS_KINDS, type CredentialRecord, type TokenRecord } from '#domain/access/records.ts';
import {
  API_TOKEN_PREFIX,
  DISCOVERY_TOKEN_PREFIX,
  formatToken,
  TOKEN_SECRET_CHARACTERS,
} from '#domain/access/token.ts';
import type { Ports } from '#domain/ports/ports.ts';
import { type RecordStore, type StoredRecord, SYSTEM_TENANT } from '#domain/ports/record-store.ts';
import type { SideRecord } from '#domain/side-record.ts';

/** Use is noted at most this often, ms. */
const USE_NOTED_EVERY_MS = 60_000;
/** Time for which an ended token stays in the list, and a refusal names it; ms. */
const SHOWN_AFTER_END_MS = 30 * 86_400_000;

type TokenPorts = Pick<Ports, 'records' | 'memory' | 'clock'>;
type Values = Pick<Ports, 'ids' | 'crypto'>;

const shownUntil = ({ expiresAt }: Pick<TokenRecord, 'expiresAt'>): { expiresAt?: number } =>
  expiresAt === null ? {} : { expiresAt: expiresAt + SHOWN_AFTER_END_MS };

/** Stores a token and makes its values valid; these first, so that a token that is listed is valid. */
export const saveToken = async (
  { records, memory }: Pick<Ports, 'records' | 'memory'>,
  tenant: string,
  token: TokenRecord,
  options: { readonly sideRecords?: readonly SideRecord[]; readonly expected?: number } = {},
): Promise<void> => {
  const { id, hash, kind, expiresAt, previous = [] } = token;
  const credential: CredentialRecord = { tenant, token: id, kind, expiresAt };
  for (const value of [hash, ...previous.map((one) => one.hash)])
    await records.put(SYSTEM_TENANT, ACCESS_KINDS.credential, value, credential, shownUntil(token));
  await records.put(tenant, ACCESS_KINDS.token, id, token, { ...shownUntil(token), ...options });
  memory.callers.clear();
};

/** Returns a new value of a token, and its stored form. */
export const newValue = ({ ids, crypto }: Values, kind: TokenRecord['kind']) => {
  const prefix = kind === 'discovery' ? DISCOVERY_TOKEN_PREFIX : API_TOKEN_PREFIX;
  const secret = ids.secret(TOKEN_SECRET_CHARACTERS);
  // Forms of monitors check that the key of a pager has 32 hex digits.
  const token = kind === 'integration' ? crypto.sha256(secret).slice(0, 32) : formatToken(prefix, secret);
  return { token, hash: crypto.sha256(token) };
};

/** A new token; the text is returned here and never again. `sideRecords` are stored with it. */
export const issueToken = async (
  ports: Values & Pick<Ports, 'records' | 'memory'>,
  tenant: string,
  draft: Omit<TokenRecord, 'id' | 'hash' | 'lastUsedAt'>,
  sideRecords: (token: TokenRecord) => readonly SideRecord[],
): Promise<{ readonly token: string; readonly record: TokenRecord }> => {
  const { token, hash } = newValue(ports, draft.kind);
  const record = { ...draft, id: ports.ids.ulid(), hash, lastUsedAt: null };
  await saveToken(ports, tenant, record, { sideRecords: sideRecords(record) });
  return { token, record };
};

/** Marks the values as ended for as long as a refusal should name their token. */
const endValues = async (
  { records, clock }: TokenPorts,
  of: Pick<CredentialRecord, 'tenant' | 'token' | 'kind'>,
  hashes: readonly string[],
): Promise<void> => {
  const credential: CredentialRecord = { ...of, expiresAt: null, ended: 'revoked' };
  const expiresAt = clock.now() + SHOWN_AFTER_END_MS;
  for (const hash of hashes) await records.put(SYSTEM_TENANT, ACCESS_KINDS.credential, hash, credential, { expiresAt });
};

/** The token is gone from the list and refused at once in this process, within 5 s in others. */
export const revokeToken = async (
  ports: TokenPorts,
  tenant: string,
  { id, kind, hash, previous = [] }: TokenRecord,
  sideRecords: readonly SideRecord[],
): Promise<void> => {
  await ports.records.remove(tenant, ACCESS_KINDS.token, id, sideRecords);
  await endValues(ports, { tenant, token: id, kind }, [hash, ...previous.map((one) => one.hash)]);
  ports.memory.callers.clear();
};

/** Notes the use of a token without making the request wait. */
export const noteUse = (records: RecordStore, tenant: string, stored: StoredRecord<TokenRecord>, now: number): void => {
  const { id, revision, body } = stored;
  if (body.lastUsedAt !== null && now - body.lastUsedAt < USE_NOTED_EVERY_MS) return;
  const used: TokenRecord = { ...body, lastUsedAt: now };
  // The revision prevents the return of a revoked token; a failed note is repeated at the next look-up.
  records.put(tenant, ACCESS_KINDS.token, id, used, { ...shownUntil(used), expected: revision }).catch(() => undefined);
};
