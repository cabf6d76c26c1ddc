import { isBeingDeleted } from '#application/access/is-being-deleted.ts';
import { LEASE_MS } from '#application/records/leases.ts';
import { Fault } from '#domain/fault.ts';
import type { Lease } from '#domain/ports/jobs.ts';
import type { Ports } from '#domain/ports/ports.ts';
import { SYSTEM_TENANT } from '#domain/ports/record-store.ts';
import { counted, finishedStatus, type HostOutcome, NO_COUNTS, type Scan } from '#features/discovery/rules/scan.ts';
import { type PlacedHost, type Reconciling, reconcileHosts } from './reconcile-hosts.ts';
import {
  type Chunk,
  type ChunkOutcome,
  chunkId,
  DISCOVERY_KINDS,
  type QueuedScan,
  readScan,
  SCANS_KEPT_MS,
  saveScan,
} from './records.ts';
import { authorityOf } from './settings.ts';

/** Scans looked at for each tenant's oldest. */
const QUEUE_SHOWN = 1_000;
/** A place in the queue whose scan was never written belongs to a request that died; ms. */
const LOST_AFTER_MS = 3_600_000;
/** Turns in which a scan may fail for other reasons than a store that is down. */
const MAX_FAILURES = 5;

export interface Worker {
  readonly ports: Ports;
  /** Of this process; leases carry it. */
  readonly owner: string;
  readonly isStopping: () => boolean;
  /** Turns that failed, by scan. */
  readonly failures: Map<string, number>;
}

const placed = ({ first, hosts }: Chunk) => {
  const good: PlacedHost[] = [];
  const bad: HostOutcome[] = [];
  for (const [i, given] of hosts.entries()) {
    const index = first + i;
    if ('host' in given) good.push({ index, host: given.host });
    else {
      const { bad: reason, hostname, ipAddress } = given;
      bad.push({ index, hostname, ipAddress, action: 'failed', ci: null, by: null, reason, review: null });
    }
  }
  return { good, bad };
};

/** Does one chunk unless it is done. */
async function processChunk(work: Reconciling, n: number): Promise<readonly HostOutcome[]> {
  const { ports, tenant, scan } = work;
  const id = chunkId(scan.id, n);
  const done = await ports.records.get<ChunkOutcome>(tenant, DISCOVERY_KINDS.outcome, id);
  if (done !== null) return done.body.hosts;
  const chunk = await ports.records.get<Chunk>(tenant, DISCOVERY_KINDS.chunk, id);
  if (chunk === null) throw new Fault('internal', 'The hosts of the scan are not there');
  const { good, bad } = placed(chunk.body);
  const hosts = [...bad, ...(await reconcileHosts(work, good))].sort((a, b) => a.index - b.index);
  const expiresAt = scan.submittedAt + SCANS_KEPT_MS;
  await ports.records.put<ChunkOutcome>(tenant, DISCOVERY_KINDS.outcome, id, { hosts }, { expiresAt });
  return hosts;
}

/** From where it was left to its end, unless this process stops or loses the lease. */
async function processScan(worker: Worker, tenant: string, scan: Scan, lease: Lease): Promise<void> {
  const { ports } = worker;
  const work = { ports, tenant, scan, authority: await authorityOf(ports.records, tenant) };
  let [counts, hostsDone] = [NO_COUNTS, 0];
  for (let n = 0; n < scan.chunks; n++) {
    if (worker.isStopping() || !(await lease.renew()) || (await isBeingDeleted(ports.records, tenant))) return;
    const hosts = await processChunk(work, n);
    counts = counted(counts, hosts);
    hostsDone += hosts.length;
    if (hostsDone > scan.hostsDone) await saveScan(ports, tenant, { ...scan, counts, hostsDone });
  }
  const status = finishedStatus({ hostsTotal: scan.hostsTotal, counts });
  const error = status === 'failed' ? 'No host could be used' : null;
  await finish(worker, tenant, { ...scan, counts, hostsDone, status, error });
}

async function finish({ ports, failures }: Worker, tenant: string, scan: Scan): Promise<void> {
  await saveScan(ports, tenant, { ...scan, completedAt: ports.clock.now() });
  await ports.records.remove(SYSTEM_TENANT, DISCOVERY_KINDS.queue, scan.id);
  failures.delete(scan.id);
}

/** A store that is down is waited for; what fails again and again ends the scan. Throws what a later turn may mend. */
async function handleFailure(worker: Worker, tenant: string, scan: Scan, error: unknown): Promise<void> {
  if (error instanceof Fault && error.kind === 'unavailable') throw error;
  const times = (worker.failures.get(scan.id) ?? 0) + 1;
  worker.failures.set(scan.id, times);
  if (times < MAX_FAILURES) throw error;
  const now = (await readScan(worker.ports.records, tenant, scan.id)) ?? scan;
  const message = error instanceof Fault ? error.message : 'An internal error, which the log has';
  await finish(worker, tenant, { ...now, status: 'failed', error: message });
  throw error;
}

/** False when there was nothing to do yet. */
async function take(worker: Worker, { tenant, scan: id, at }: QueuedScan, lease: Lease): Promise<boolean> {
  const { records, clock } = worker.ports;
  const scan = await readScan(records, tenant, id);
  if (scan === null && clock.now() - at < LOST_AFTER_MS) return false;
  if (scan?.status === 'running')
    await processScan(worker, tenant, scan, lease).catch((error) => handleFailure(worker, tenant, scan, error));
  else await records.remove(SYSTEM_TENANT, DISCOVERY_KINDS.queue, id);
  return true;
}

/** The oldest scan of each tenant. */
async function oldestScans({ ports }: Worker): Promise<Map<string, QueuedScan>> {
  const queue = await ports.records.list<QueuedScan>(SYSTEM_TENANT, DISCOVERY_KINDS.queue, { limit: QUEUE_SHOWN });
  const oldest = new Map<string, QueuedScan>();
  for (const { body } of queue) if (!oldest.has(body.tenant)) oldest.set(body.tenant, body);
  return oldest;
}

/**
 * One scan of every tenant that has any and that no other process works for. Returns whether there may be more to do. Throws when a
 * tenant's scan failed, after all others had their turn.
 */
export async function processScans(worker: Worker): Promise<boolean> {
  const { ports, owner } = worker;
  const errors: unknown[] = [];
  let worked = false;
  for (const [tenant, queued] of await oldestScans(worker)) {
    if (worker.isStopping()) return false;
    if (await isBeingDeleted(ports.records, tenant)) continue;
    const lease = await ports.leases.take({ kind: DISCOVERY_KINDS.lease, id: tenant }, owner, LEASE_MS);
    if (lease === null) continue;
    try {
      worked = (await take(worker, queued, lease)) || worked;
    } catch (error) {
      errors.push(error);
    } finally {
      await lease.release();
    }
  }
  if (errors.length > 0) throw new Error(`The scans of ${errors.length} tenants are stuck`, { cause: errors[0] });
  return worked;
}
