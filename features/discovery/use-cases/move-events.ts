/** Notifies the owner of the events of a merged CI, in the background. */

import { isBeingDeleted } from '#application/access/is-being-deleted.ts';
import { impactOn } from '#domain/event/business-impact.ts';
import type { Event } from '#domain/event/event.ts';
import type { Incoming } from '#domain/event/incoming.ts';
import type { Ports } from '#domain/ports/ports.ts';
import { type StoredRecord, SYSTEM_TENANT } from '#domain/ports/record-store.ts';
import type { ServicesOfCi } from '#domain/services/dependencies.ts';
import { slices } from '#domain/slices.ts';
import type { Ci } from '#domain/topology/topology.ts';
import { finishMerge, type MergeRecord } from './finish-merge.ts';
import { DISCOVERY_KINDS } from './records.ts';

/** Merges looked at in one round, and events of one merge. */
const MERGES = 50;
const EVENTS = 500;
/** Events notified at once: new events wait for that time. */
const TOLD = 25;
/** Another process may go on binding to the CI that went for as long as its cache holds; ms. */
const WATCHED_MS = 180_000;
/** Time limit (ms) of a merge in the background; lists still find its events by the former ID. */
const GIVEN_UP_MS = 7 * 86_400_000;

/** Resolved ones stay as they are: they are found under either id. */
const STATUSES = ['open', 'acknowledged', 'suppressed'] as const;

const boundRecord = (event: Event, { id, name, type }: Ci, byCi: ServicesOfCi, receivedAt: number): Incoming => {
  const services = byCi.get(id);
  const businessImpact = services && impactOn(event.severity, services);
  const ci = { id, name, type, ...(event.ci?.method && { method: event.ci.method }) };
  return { ask: { kind: 'bound', eventId: event.id, ci, ...(businessImpact && { businessImpact }) }, receivedAt };
};

/** Returns the number of events still bound to the removed CI. */
async function moveSome(ports: Ports, { tenant, from }: MergeRecord, into: Ci): Promise<number> {
  const page = { sort: 'createdAt', order: 'asc', limit: EVENTS } as const;
  const { items } = await ports.events.part(tenant, { ciId: from, statuses: STATUSES }, page);
  const now = ports.clock.now();
  const byCi = await ports.memory.services.of(tenant, now);
  const records = items.map((event) => boundRecord(event, into, byCi, now));
  for (const some of slices(records, TOLD)) await ports.eventLog.append(tenant, some);
  return items.length;
}

async function moveOne(ports: Ports, { id, body }: StoredRecord<MergeRecord>): Promise<void> {
  const age = ports.clock.now() - body.at;
  const drop = () => ports.records.remove(SYSTEM_TENANT, DISCOVERY_KINDS.merge, id);
  const [into] = await ports.topology.getCis(body.tenant, [body.into]);
  if (into === undefined || age > GIVEN_UP_MS || (await isBeingDeleted(ports.records, body.tenant))) {
    await drop();
    return;
  }
  const moved = await moveSome(ports, body, into);
  if (moved > 0 || age <= WATCHED_MS) return;
  // The request did this already, unless its process died.
  await finishMerge(ports, body);
  await drop();
}

/** A part of every merge that waits; the rest in the next rounds. Throws the first error after all had their turn. */
export async function moveEvents(ports: Ports, isStopping: () => boolean): Promise<void> {
  const waiting = await ports.records.list<MergeRecord>(SYSTEM_TENANT, DISCOVERY_KINDS.merge, { limit: MERGES });
  const errors: unknown[] = [];
  for (const record of waiting) {
    if (isStopping()) return;
    await moveOne(ports, record).catch((error) => errors.push(error));
  }
  if (errors.length > 0) throw errors[0];
}
