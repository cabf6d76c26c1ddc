/**
 * Fills a data directory: `node bench/fill.ts DIRECTORY TENANTS CIS RESOLVED STANDING RECENT`. Events of the last weeks,
 * resolved and still standing ones, are written through the event table; CIs go through the topology store, and the events of
 * the last hour through ingest and the whole pipeline.
 */

import { receive } from '#application/events/receive.ts';
import type { Event } from '#domain/event/event.ts';
import { create } from '#domain/event/lifecycle/occurrence.ts';
import { prepare } from '#domain/event/lifecycle/prepare.ts';
import type { EventPart } from '#domain/pipeline/processor.ts';
import type { Ports } from '#domain/ports/ports.ts';
import { openEventTable } from '#infra/embedded/events/table.ts';
import { openCursorTable } from '#infra/embedded/records/cursor-table.ts';
import { type Database, openDatabase } from '#infra/embedded/redo-log/database.ts';
import { systemClock } from '#infra/system/time.ts';
import { randomIds } from '#test/setup/random-ids.ts';
import { startOn } from './started.ts';
import { Storm, type StormTenant } from './storm.ts';
import { topologyOf } from './storm-topology.ts';
import { makeTenant } from './tenant.ts';

const HOUR_MS = 3_600_000;
const DAYS_MS = 20 * 24 * HOUR_MS;
const BATCH = 2_000;
const CREATED: ReadonlySet<EventPart> = new Set(['created']);

const [directory = '', ...numbers] = process.argv.slice(2);
const [tenants = 1, cis = 1, resolved = 0, standing = 0, recent = 0] = numbers.map(Number);
const stored = resolved + standing;
const storm = new Storm({ tenants, cis });
const now = systemClock.now();

/** An event of the last weeks, made by the rules that make every event; the newest still stand. */
const oldEvent = (n: number): Event => {
  const tenant = storm.tenant();
  const at = now - DAYS_MS - HOUR_MS + Math.floor((n / stored) * DAYS_MS);
  const settings = { dedupScope: 'system', dedupWindowMs: HOUR_MS } as const;
  const draft = { ...storm.fresh(tenant), timestamp: at };
  const binding = { ci: null, ambiguous: false };
  const newId = randomIds.ulid();
  const occurrence = prepare(draft, { binding, settings, newId, conditionId: null, receivedAt: at });
  const asked = {
    tenant: storm.tenants[tenant]!.id,
    occurrence,
    time: occurrence.timestamp,
    seen: null,
    recoveredAt: n < resolved ? at + 60_000 : null,
  };
  return create(asked, { position: n + 1, receivedAt: at });
};

const fillStored = (database: Database): void => {
  const events = openEventTable(database);
  for (let from = 0; from < stored; from += BATCH) {
    database.transaction(() => {
      for (let n = from; n < Math.min(stored, from + BATCH); n++) events.write(oldEvent(n), CREATED);
    });
  }
  if (stored > 0) openCursorTable(database).write(stored);
};

const fillTopology = async (ports: Ports, tenant: StormTenant): Promise<void> => {
  const { cis, relationships } = topologyOf(tenant, now - DAYS_MS);
  await ports.cis.put(tenant.id, cis);
  await ports.relationships.put(tenant.id, relationships);
};

/** Events of the last hour, in the order of their times. */
const fillRecent = async (ports: Ports): Promise<void> => {
  for (let from = 0; from < recent; from += BATCH) {
    const byTenant = new Map<number, Parameters<typeof receive>[1][number][]>();
    for (let n = from; n < Math.min(recent, from + BATCH); n++) {
      const tenant = storm.tenant();
      const action = {
        action: 'open' as const,
        draft: { ...storm.fresh(tenant), timestamp: now - Math.floor((1 - n / recent) * HOUR_MS) },
        conditionId: null,
      };
      byTenant.set(tenant, [...(byTenant.get(tenant) ?? []), action]);
    }
    const arriving = { receivedAt: systemClock.now(), idempotencyKey: null };
    const all = [...byTenant].map(([t, list]) => receive(ports, list, { tenant: storm.tenants[t]!.id, ...arriving }));
    await Promise.all(all);
  }
};

const database = openDatabase(directory);
fillStored(database);
database.close();
const app = await startOn(directory);
for (const tenant of storm.tenants) {
  await makeTenant(app.url, tenant.id);
  await fillTopology(app.ports, tenant);
}
await fillRecent(app.ports);
await app.stop();
