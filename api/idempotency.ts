import { Fault, invalid } from '#domain/fault.ts';
import type { RecordStore, StoredRecord } from '#domain/ports/record-store.ts';
import type { AnyEndpoint } from './endpoint.ts';

export const KIND = 'idempotency';
const LEASE_MS = 60_000;
const KEPT_MS = 24 * 60 * 60_000;
const KEY = /^[\x20-\x7e]{1,255}$/;

/** A success that can be sent again. */
export interface StoredReply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
}
interface Claim {
  /** Of path, query and body. */
  readonly hash: string;
  readonly leaseUntil: number;
  readonly reply: StoredReply | null;
}

/** What a request holds while it runs. */
export interface Lease {
  readonly tenant: string;
  readonly id: string;
  readonly hash: string;
  readonly revision: number;
}
export type Begun = { readonly replay: StoredReply } | { readonly lease: Lease };

/** Login, refresh and logout are left out: their replies are secrets. */
export const takesIdempotencyKey = (endpoint: AnyEndpoint, method: string): boolean =>
  method === 'POST' && endpoint.permission !== null && !endpoint.id.startsWith('auth.');

/** Throws Fault `invalid` when the key is not 1–255 printable characters. */
export function idempotencyKey(value: string | undefined): string | null {
  if (value === undefined) return null;
  if (!KEY.test(value)) throw invalid('Idempotency-Key', 'expected 1–255 printable characters');
  return value;
}

const inFlight = (): Fault =>
  new Fault('conflict', 'A request with this Idempotency-Key is still running', [], { retryAfter: 1 });

function decide(found: StoredRecord<Claim>, hash: string, now: number): StoredReply | null {
  const { body } = found;
  if (body.hash !== hash)
    throw new Fault('unprocessable', 'This Idempotency-Key was used with another request', [
      { field: 'Idempotency-Key', reason: 'expected a new key for a new request' },
    ]);
  if (body.reply === null && body.leaseUntil > now) throw inFlight();
  return body.reply;
}

async function claim(
  records: RecordStore,
  lease: Omit<Lease, 'revision'>,
  expected: number,
  now: number,
): Promise<Lease> {
  const body: Claim = { hash: lease.hash, leaseUntil: now + LEASE_MS, reply: null };
  try {
    const revision = await records.put(lease.tenant, KIND, lease.id, body, { expected, expiresAt: now + KEPT_MS });
    return { ...lease, revision };
  } catch (error) {
    throw error instanceof Fault && error.kind === 'precondition' ? inFlight() : error;
  }
}

/**
 * Claims a key for one request of one tenant and endpoint. A request that is repeated gets the stored reply; throws Fault
 * `unprocessable` when the key stands for another request and `conflict` while it runs (at most 60 s after a crash).
 */
export async function begin(
  records: RecordStore,
  wanted: { readonly tenant: string; readonly endpoint: string; readonly key: string; readonly hash: string },
  now: number,
): Promise<Begun> {
  const lease = { tenant: wanted.tenant, id: `${wanted.endpoint}/${wanted.key}`, hash: wanted.hash };
  const found = await records.get<Claim>(lease.tenant, KIND, lease.id);
  const replay = found === null ? null : decide(found, lease.hash, now);
  if (replay !== null) return { replay };
  return { lease: await claim(records, lease, found?.revision ?? 0, now) };
}

/** Keeps a success for 24 h; anything else frees the key, so that a repetition is carried out. */
export async function finish(
  records: RecordStore,
  lease: Lease,
  reply: StoredReply | null,
  now: number,
): Promise<void> {
  if (reply === null) return free(records, lease);
  const body: Claim = { hash: lease.hash, leaseUntil: 0, reply };
  await records
    .put(lease.tenant, KIND, lease.id, body, { expected: lease.revision, expiresAt: now + KEPT_MS })
    .catch(keepOther);
}

async function free(records: RecordStore, lease: Lease): Promise<void> {
  const found = await records.get<Claim>(lease.tenant, KIND, lease.id);
  if (found?.revision === lease.revision) await records.remove(lease.tenant, KIND, lease.id);
}

/** The lease ran out and another request took it: its reply is the one to keep. */
function keepOther(error: unknown): void {
  if (!(error instanceof Fault && error.kind === 'precondition')) throw error;
}
