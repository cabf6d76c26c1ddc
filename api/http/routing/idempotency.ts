import { type AnyEndpoint, isOpen } from '#api/surfaces/endpoint.ts';
import { Fault, invalid, isConflict, isOvertaken } from '#domain/fault.ts';
import { isKept } from '#domain/lru.ts';
import type { RecordStore, StoredRecord } from '#domain/ports/record-store.ts';

const KIND = 'idempotency';
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
  /** Hash of path, query and body; null until a body that is processed as it arrives is known. */
  readonly hash: string | null;
  readonly leaseUntil: number;
  readonly reply: StoredReply | null;
}

/** Held by a request while it runs. */
export interface RequestLease {
  readonly tenant: string;
  readonly id: string;
  readonly hash: string | null;
  readonly revision: number;
  readonly until: number;
}
/** A replay is for the request with this hash alone. */
export type Begun = { readonly replay: StoredReply; readonly hash: string | null } | { readonly lease: RequestLease };

/** Login, refresh and logout are left out: their replies are secrets. */
export const takesIdempotencyKey = (endpoint: AnyEndpoint, method: string): boolean =>
  method === 'POST' && !isOpen(endpoint) && !endpoint.id.startsWith('auth.');

/** Throws Fault `invalid` when the key is not 1–255 printable characters. */
export function idempotencyKey(value: string): string {
  if (!KEY.test(value)) throw invalid('Idempotency-Key', 'expected 1–255 printable characters');
  return value;
}

const inFlight = (): Fault =>
  new Fault('conflict', 'A request with this Idempotency-Key is still in progress', [], { retryAfter: 1 });

/** Throws Fault `unprocessable` when both are known and differ. */
export function requireSame(stored: string | null, hash: string | null): void {
  if (stored === null || hash === null || stored === hash) return;
  throw new Fault('unprocessable', 'This Idempotency-Key was already used with a different request', [
    { field: 'Idempotency-Key', reason: 'expected a new key for a new request' },
  ]);
}

function decide({ body }: StoredRecord<Claim>, hash: string | null, now: number): StoredReply | null {
  requireSame(body.hash, hash);
  if (body.reply === null && isKept(body.leaseUntil, now, LEASE_MS)) throw inFlight();
  return body.reply;
}

async function claim(
  records: RecordStore,
  lease: Omit<RequestLease, 'revision' | 'until'>,
  expected: number,
  now: number,
): Promise<RequestLease> {
  const until = now + LEASE_MS;
  const body: Claim = { hash: lease.hash, leaseUntil: until, reply: null };
  try {
    const revision = await records.put(lease.tenant, KIND, lease.id, body, { expected, expiresAt: now + KEPT_MS });
    return { ...lease, revision, until };
  } catch (error) {
    throw isOvertaken(error) ? inFlight() : error;
  }
}

/**
 * Claims a key for one request of one tenant and endpoint. A repeated request gets the stored reply. Throws Fault
 * `unprocessable` when the key belongs to another request, `conflict` while it runs (at most 60 s after a crash).
 */
export async function begin(
  records: RecordStore,
  wanted: { readonly tenant: string; readonly endpoint: string; readonly key: string; readonly hash: string | null },
  now: number,
): Promise<Begun> {
  const lease = { tenant: wanted.tenant, id: `${wanted.endpoint}/${wanted.key}`, hash: wanted.hash };
  const found = await records.get<Claim>(lease.tenant, KIND, lease.id);
  const replay = found === null ? null : decide(found, lease.hash, now);
  if (replay !== null) return { replay, hash: found?.body.hash ?? null };
  return { lease: await claim(records, lease, found?.revision ?? 0, now) };
}

/** Renews the lease when half of it is over; one that another request has acquired meanwhile stays unchanged. */
export async function renewed(records: RecordStore, lease: RequestLease, now: number): Promise<RequestLease> {
  if (lease.until - now > LEASE_MS / 2) return lease;
  try {
    return await claim(records, lease, lease.revision, now);
  } catch (error) {
    if (!isConflict(error)) throw error;
    return { ...lease, until: now + LEASE_MS };
  }
}

/** Stores a success for 24 h; anything else, or a request without a distinguishing mark, frees the key. */
export async function finish(
  records: RecordStore,
  lease: RequestLease,
  reply: StoredReply | null,
  now: number,
): Promise<void> {
  if (reply === null || lease.hash === null) return free(records, lease);
  const body: Claim = { hash: lease.hash, leaseUntil: 0, reply };
  await records
    .put(lease.tenant, KIND, lease.id, body, { expected: lease.revision, expiresAt: now + KEPT_MS })
    .catch(keepOther);
}

async function free(records: RecordStore, lease: RequestLease): Promise<void> {
  const found = await records.get<Claim>(lease.tenant, KIND, lease.id);
  if (found?.revision === lease.revision) await records.remove(lease.tenant, KIND, lease.id);
}

/** The lease expired and another request acquired it: its reply is the one to store. */
function keepOther(error: unknown): void {
  if (!isOvertaken(error)) throw error;
}
