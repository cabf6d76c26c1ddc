import { createCipheriv, createDecipheriv, createHash, hkdfSync, randomBytes } from 'node:crypto';
import { errorMessage, isOvertaken } from '#domain/fault.ts';
import type { Log } from '#domain/ports/log.ts';
import { type RecordStore, type StoredRecord, SYSTEM_TENANT } from '#domain/ports/record-store.ts';

/** Kinds of records with secrets that must be read again: signing keys, webhooks, credentials of sources. */
const SEALED_KINDS: readonly string[] = ['signing-key', 'webhook', 'topology-source'];
const CIPHER = 'aes-256-gcm';
const [IV_BYTES, TAG_BYTES, ID_CHARACTERS] = [12, 16, 16];
const PAGE = 500;

interface SealedBody {
  /** Id of the key, and its seal: nonce, tag and content, base64. */
  readonly sealedBy: string;
  readonly sealed: string;
}
interface SealKey {
  readonly id: string;
  readonly bytes: Buffer;
}
type Place = readonly [tenant: string, kind: string, id: string];

const keyOf = (secret: string): SealKey => {
  const bytes = Buffer.from(hkdfSync('sha256', secret, '', 'faultline sealed records', 32));
  return { id: createHash('sha256').update(bytes).digest('hex').slice(0, ID_CHARACTERS), bytes };
};

const isSealed = (body: unknown): body is SealedBody =>
  typeof body === 'object' && body !== null && 'sealedBy' in body && 'sealed' in body;

const sealedWith = ({ id, bytes }: SealKey, place: Place, body: unknown): SealedBody => {
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv(CIPHER, bytes, iv).setAAD(Buffer.from(JSON.stringify(place)));
  const content = Buffer.concat([cipher.update(JSON.stringify(body)), cipher.final()]);
  return { sealedBy: id, sealed: Buffer.concat([iv, cipher.getAuthTag(), content]).toString('base64') };
};

const opener =
  (keys: readonly SealKey[]) =>
  <T>(tenant: string, kind: string, { id, body, revision }: StoredRecord<T>): StoredRecord<T> => {
    if (!isSealed(body)) return { id, body, revision };
    const key = keys.find((one) => one.id === body.sealedBy);
    if (key === undefined)
      throw new Error(
        `FAULTLINE_SEAL_KEY: the key that sealed ${kind} ${id} is missing. Add it behind the current one`,
      );
    const bytes = Buffer.from(body.sealed, 'base64');
    const decipher = createDecipheriv(CIPHER, key.bytes, bytes.subarray(0, IV_BYTES))
      .setAAD(Buffer.from(JSON.stringify([tenant, kind, id])))
      .setAuthTag(bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES));
    const text = Buffer.concat([decipher.update(bytes.subarray(IV_BYTES + TAG_BYTES)), decipher.final()]).toString();
    return { id, revision, body: JSON.parse(text) as T };
  };

/**
 * Encrypts records with secrets, for stores and backups that others can read. The first of the secrets seals, all of
 * them open; without one, nothing is sealed. Records in clear are read as they are.
 */
export const sealedRecords = (records: RecordStore, secrets: readonly string[]): RecordStore => {
  const keys = secrets.map(keyOf);
  const [newest] = keys;
  const opened = opener(keys);
  return {
    async get<T>(tenant: string, kind: string, id: string) {
      const found = await records.get<T>(tenant, kind, id);
      return found === null || !SEALED_KINDS.includes(kind) ? found : opened(tenant, kind, found);
    },
    async list<T>(tenant: string, kind: string, options: Parameters<RecordStore['list']>[2]) {
      const found = await records.list<T>(tenant, kind, options);
      return SEALED_KINDS.includes(kind) ? found.map((one) => opened(tenant, kind, one)) : found;
    },
    put: (tenant, kind, id, body, options) =>
      newest === undefined || !SEALED_KINDS.includes(kind)
        ? records.put(tenant, kind, id, body, options)
        : records.put(tenant, kind, id, sealedWith(newest, [tenant, kind, id], body), options),
    remove: (...all) => records.remove(...all),
  };
};

async function* pages<T>(records: RecordStore, tenant: string, kind: string): AsyncIterable<StoredRecord<T>> {
  for (let after = ''; ; ) {
    const page = await records.list<T>(tenant, kind, { limit: PAGE, ...(after !== '' && { after }) });
    yield* page;
    if (page.length < PAGE) return;
    after = page.at(-1)?.id ?? '';
  }
}

/** Seals what is in clear or sealed by an earlier key; `records`: as stored. A change in between wins. Never rejects. */
export async function sealStored(records: RecordStore, secrets: readonly string[], log: Log): Promise<void> {
  const [secret] = secrets;
  if (secret === undefined) return;
  const current = keyOf(secret).id;
  const sealing = sealedRecords(records, secrets);
  const sealAll = async (tenant: string): Promise<void> => {
    for (const kind of SEALED_KINDS)
      for await (const { id, body, revision } of pages(records, tenant, kind)) {
        if (isSealed(body) && body.sealedBy === current) continue;
        const clear = await sealing.get(tenant, kind, id);
        if (clear?.revision === revision)
          await sealing.put(tenant, kind, id, clear.body, { expected: revision }).catch((error: unknown) => {
            if (!isOvertaken(error)) throw error;
          });
      }
  };
  try {
    await sealAll(SYSTEM_TENANT);
    for await (const { id } of pages(records, SYSTEM_TENANT, 'tenant')) await sealAll(id);
  } catch (error) {
    log.error({ reason: errorMessage(error) }, 'stored secrets are not all sealed; a restart tries again');
  }
}
