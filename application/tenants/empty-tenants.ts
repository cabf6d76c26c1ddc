import { CACHE_TTL_MS } from '#application/access/authenticate.ts';
import { recordChunks } from '#application/records/list-records.ts';
import { ACCESS_KINDS, type TenantRecord } from '#domain/access/records.ts';
import { stateOf, tombstone } from '#domain/access/tenant-state.ts';
import { isOvertaken } from '#domain/fault.ts';
import { REQUEST_TIMEOUT_MS } from '#domain/ports/deadline.ts';
import type { Ports } from '#domain/ports/ports.ts';
import { type RecordStore, type StoredRecord, SYSTEM_TENANT } from '#domain/ports/record-store.ts';

interface Owned {
  readonly tenant?: string;
}

async function dropKind(records: RecordStore, tenant: string, kind: string): Promise<void> {
  for await (const chunk of recordChunks<Owned>(records, SYSTEM_TENANT, kind))
    for (const { id, body } of chunk) if (body.tenant === tenant) await records.remove(SYSTEM_TENANT, kind, id);
}

/** Removes credentials, sessions and the waiting work of features of a tenant, wherever its tokens and users are by then. */
async function dropAccess({ records, ownedRecords }: Pick<Ports, 'records' | 'ownedRecords'>, tenant: string) {
  for (const kind of ownedRecords.kinds) await dropKind(records, tenant, kind);
  for (const kind of ownedRecords.leases) await records.remove(SYSTEM_TENANT, kind, tenant);
}

/** Finishes a request that has arrived. */
const WORK_MS = 60_000;
/** Time after which no process caches a credential of the tenant any more, and all of its requests are over. */
export const LET_GO_MS = CACHE_TTL_MS + REQUEST_TIMEOUT_MS + WORK_MS;
/** Time after its last sweep at which a name is free: a concurrent sweep of another process is done, too. */
export const FREE_AFTER_MS = 10 * 60_000;
/**
 * Records sent before the rows are removed. 1: its receipt shows that all earlier ones are processed. 2: follows the
 * pipeline's feedback. 3: leaves each owner a last batch without data of the tenant.
 */
const LAST_RECORDS = 3;
const RECEIPT_MS = 30_000;

export interface Emptying {
  readonly ports: Ports;
  /** Time that a name stays reserved after its tenant is gone: as long as the log may restore some of its data. */
  readonly takenMs: number;
  readonly isStopping: () => boolean;
}

/** Throws when it is not known whether every owner has forgotten the tenant. */
const tellOwners = async ({ eventLog, clock }: Ports, tenant: string): Promise<void> => {
  const last = { ask: { kind: 'forgotten' }, receivedAt: clock.now() } as const;
  const reply = await eventLog.request(tenant, [last], { timeoutMs: RECEIPT_MS });
  if (!reply.done || reply.receipts[0]?.ok !== true)
    throw new Error(`The pipeline didn't drop tenant ${tenant} in time`);
};

/**
 * False when this process stops: the next round begins again. An owner that was opened meanwhile has read rows that
 * still existed.
 */
const empty = async ({ ports, isStopping }: Emptying, tenant: string): Promise<boolean> => {
  for (let told = 0; told < LAST_RECORDS; told++) {
    if (isStopping()) return false;
    await tellOwners(ports, tenant);
  }
  await dropAccess(ports, tenant);
  if (!(await ports.tenants.purge(tenant, isStopping))) return false;
  await tellOwners(ports, tenant);
  return true;
};

type StoredTenant = StoredRecord<TenantRecord>;

/** A change by another process meanwhile is as it should be. */
const put = async ({ records }: Ports, { id, revision }: StoredTenant, body: TenantRecord, expiresAt?: number) => {
  const options = { expected: revision, ...(expiresAt !== undefined && { expiresAt }) };
  await records.put(SYSTEM_TENANT, ACCESS_KINDS.tenant, id, body, options).catch((error) => {
    if (!isOvertaken(error)) throw error;
  });
};

const emptyOnce = async (emptying: Emptying, stored: StoredTenant): Promise<void> => {
  const { ports, takenMs } = emptying;
  if (!(await empty(emptying, stored.id))) return;
  const now = ports.clock.now();
  await put(ports, stored, tombstone(stored.body, now, now + takenMs));
};

/** Removes rows that a replay of the log has brought back; the record then expires by itself. */
const sweepOnce = async (emptying: Emptying, stored: StoredTenant): Promise<void> => {
  const { ports } = emptying;
  if (!(await empty(emptying, stored.id))) return;
  const now = ports.clock.now();
  const takenUntil = Math.max(now + FREE_AFTER_MS, stored.body.takenUntil ?? 0);
  await put(ports, stored, { ...stored.body, sweptAt: now, takenUntil }, takenUntil);
};

const advance = async (emptying: Emptying, stored: StoredTenant): Promise<void> => {
  const { stateSince = 0, takenUntil = 0, sweptAt } = stored.body;
  const now = emptying.ports.clock.now();
  const state = stateOf(stored.body);
  if (state === 'deleting' && now - stateSince >= LET_GO_MS) await emptyOnce(emptying, stored);
  if (state === 'deleted' && sweptAt === undefined && now >= takenUntil - FREE_AFTER_MS)
    await sweepOnce(emptying, stored);
};

async function* leftTenants({ records }: Ports): AsyncGenerator<StoredTenant> {
  for await (const chunk of recordChunks<TenantRecord>(records, SYSTEM_TENANT, ACCESS_KINDS.tenant))
    for (const one of chunk) if (stateOf(one.body) !== 'active') yield one;
}

/**
 * Continues with every tenant that is being deleted, from the state in its record: after a crash, in another process,
 * and in two at once. Throws when one could not be emptied, after all others were processed.
 */
export const emptyTenants = async (emptying: Emptying): Promise<void> => {
  const errors: unknown[] = [];
  for await (const stored of leftTenants(emptying.ports)) {
    if (emptying.isStopping()) return;
    await advance(emptying, stored).catch((error) => errors.push(error));
  }
  if (errors.length > 0)
    throw new Error(`Couldn't delete ${errors.length} tenants yet; retrying`, { cause: errors[0] });
};
