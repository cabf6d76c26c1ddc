import { CallerCache } from '#application/access/authenticate.ts';
import { openMemory } from '#application/open-memory.ts';
import { openLeases } from '#application/records/leases.ts';
import type { Ports } from '#domain/ports/ports.ts';
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

/** Records and topology, in memory. */
export interface RecordWorld extends Disposable {
  readonly ports: Ports;
  readonly clock: SetClock;
}

/** `bring`: ports of a feature, from the existing ones. */
export function openRecordWorld(bring: (ports: Ports) => Partial<Ports> = () => ({})): RecordWorld {
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
    ...topology.ports,
    clock,
    ids: seededIds(clock),
    live: openLiveChanges(seededIds(clock)),
    crypto: systemCrypto,
    historyMs: 400 * DAY,
  } as unknown as Ports;
  return { ports: { ...ports, ...bring(ports) }, clock, [Symbol.dispose]: () => database.close() };
}

/** The same stores in one of several processes. */
export const oneOfSeveral = (ports: Ports): Ports => ({ ...ports, leases: openLeases(ports, { isAlone: false }) });
