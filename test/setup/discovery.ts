import { CallerCache } from '#application/access/authenticate.ts';
import { openMemory } from '#application/open-memory.ts';
import { openLeases } from '#application/records/leases.ts';
import type { Ports } from '#domain/ports/ports.ts';
import { SYSTEM_TENANT } from '#domain/ports/record-store.ts';
import { openServiceSearches } from '#features/analyzer/stores/open-service-searches.ts';
import { Spool } from '#features/discovery/http/spool.ts';
import { NO_COUNTS, type Scan } from '#features/discovery/rules/scan.ts';
import type { Worker } from '#features/discovery/use-cases/process-scans.ts';
import { DISCOVERY_KINDS, type QueuedScan, saveScan } from '#features/discovery/use-cases/records.ts';
import { openLiveChanges } from '#infra/embedded/live/live-changes.ts';
import { openTables } from '#infra/embedded/open-tables.ts';
import { openRecordStore } from '#infra/embedded/record-store.ts';
import { openTopology } from '#infra/embedded/topology-store.ts';
import { systemCrypto } from '#infra/system/crypto.ts';
import { memoryDatabase } from './empty-database.ts';
import { type SetClock, seededIds, setClock } from './set-clock.ts';

export const TENANT = 'acme';
const DAY = 86_400_000;
const NOON = Date.parse('2026-11-20T12:00:00Z');

/** What discovery works with, in memory. */
export interface DiscoveryWorld extends Disposable {
  readonly ports: Ports;
  readonly clock: SetClock;
}

export function openDiscoveryWorld(): DiscoveryWorld {
  const clock = setClock(NOON);
  const database = memoryDatabase();
  const tables = openTables(database);
  const records = openRecordStore(database, tables.records, clock);
  const topology = openTopology(database, tables);
  // The other ports play no part.
  const ports = {
    records,
    memory: openMemory(records, new CallerCache()),
    leases: openLeases({ records, clock }, { isAlone: true }),
    discovery: { wake() {}, noteAll() {} },
    ...topology.ports,
    clock,
    ids: seededIds(clock),
    live: openLiveChanges(seededIds(clock)),
    crypto: systemCrypto,
    serviceSearches: openServiceSearches({ estate: topology.ports.estate, records, connect: null }),
    historyMs: 400 * DAY,
  } as unknown as Ports;
  return { ports, clock, [Symbol.dispose]: () => database.close() };
}

/** The same stores in one of several processes. */
export const oneOfSeveral = (ports: Ports): Ports => ({ ...ports, leases: openLeases(ports, { isAlone: false }) });

export const workerOf = (ports: Ports, owner: string, isStopping = () => false): Worker => ({
  ports,
  owner,
  isStopping,
  failures: new Map(),
});

/** Hosts as a scanner gives them in, waiting to be worked on. */
export async function giveIn(ports: Ports, hosts: readonly unknown[], parts: Partial<Scan> = {}): Promise<string> {
  const now = ports.clock.now();
  const id = ports.ids.ulid();
  const spool = new Spool(ports, { tenant: TENANT, scan: id, receivedAt: now });
  const text = JSON.stringify({ data: { discovered_hosts: hosts } });
  const spooled = await spool.read(
    (async function* () {
      yield Buffer.from(text);
    })(),
  );
  const scan: Scan = {
    id,
    scanType: 'network',
    scannerId: 'nmap',
    seenAt: now,
    status: 'running',
    submittedAt: now,
    completedAt: null,
    hostsTotal: spooled.hosts,
    hostsDone: 0,
    counts: NO_COUNTS,
    chunks: spooled.chunks,
    actor: { id: 'u', username: 'ann', name: 'Ann' },
    address: '192.0.2.1',
    department: null,
    error: null,
    ...parts,
  };
  const queued: QueuedScan = { tenant: TENANT, scan: id, at: now };
  await ports.records.put(SYSTEM_TENANT, DISCOVERY_KINDS.queue, id, queued);
  await saveScan(ports, TENANT, scan);
  return id;
}
