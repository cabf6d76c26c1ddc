import { isBeingDeleted } from '#application/access/is-being-deleted.ts';
import { everyRecord } from '#application/records/list-records.ts';
import { ACCESS_KINDS, type TenantRecord } from '#domain/access/records.ts';
import { impactOn } from '#domain/event/business-impact.ts';
import type { Event } from '#domain/event/event.ts';
import { hintsAtCi, namedCi } from '#domain/event/identity/unbound.ts';
import type { Incoming } from '#domain/event/incoming.ts';
import { boundTo } from '#domain/event/lifecycle/prepare.ts';
import type { Part } from '#domain/page.ts';
import type { Unbound } from '#domain/ports/events/event-store.ts';
import type { Ports } from '#domain/ports/ports.ts';
import { SYSTEM_TENANT } from '#domain/ports/record-store.ts';
import type { ServicesOfCi } from '#domain/services/dependencies.ts';
import type { Binding, BindingQuery } from '#domain/topology/binding.ts';
import { zip } from '#domain/zip.ts';
import type { DueRebind, Rebinder } from './rebinder.ts';

/** Events read at once, and names asked for at once. */
const PAGE = 200;
const NAMES = 100;
/** Events looked at where no name narrows them, the newest first. */
const LOOKED_AT = 20_000;
/** Events notified at once: new events wait for that time. */
const TOLD = 25;
/** Pages of a sweep per round. */
const PAGES_PER_ROUND = 3;
/** Number of lookups from which a check for any such event pays off. */
const MANY = 4;

const queryOf = (event: Event): BindingQuery => {
  const { hostname, ipAddress } = event;
  const [ciId, hints] = [namedCi(event), hintsAtCi(event)];
  return {
    ...(ciId !== null && { ciId }),
    ...(hints.length > 0 && { hints }),
    ...(hostname !== undefined && { hostname }),
    ...(ipAddress !== undefined && { ipAddress }),
  };
};

const boundRecord = (event: Event, binding: Binding, byCi: ServicesOfCi, receivedAt: number): Incoming[] => {
  const ci = boundTo(binding);
  if (ci === null) return [];
  const services = byCi.get(ci.id);
  const businessImpact = services && impactOn(event.severity, services);
  return [{ ask: { kind: 'bound', eventId: event.id, ci, ...(businessImpact && { businessImpact }) }, receivedAt }];
};

const parts = <T>(items: readonly T[], size: number): T[][] =>
  Array.from({ length: Math.ceil(items.length / size) }, (_, i) => items.slice(i * size, (i + 1) * size));

/** Notifies the owner of the events that now match a CI. */
async function bindPage(ports: Ports, tenant: string, events: readonly Event[]): Promise<void> {
  const bindings = await ports.matcher.bind(tenant, events.map(queryOf));
  const now = ports.clock.now();
  const byCi = await ports.memory.services.of(tenant, now);
  const records = zip(events, bindings).flatMap(([event, binding]) => boundRecord(event, binding, byCi, now));
  for (const some of parts(records, TOLD)) await ports.eventLog.append(tenant, some);
}

const pageAt = (cursor: string | null) => ({ limit: PAGE, ...(cursor !== null && { cursor }) });

/** Binds some events; the cursor of the next, null when there are none. */
async function bindPart(ports: Ports, tenant: string, { items, nextCursor }: Part<Event>): Promise<string | null> {
  if (items.length > 0) await bindPage(ports, tenant, items);
  return nextCursor;
}

async function bindAll(ports: Ports, tenant: string, unbound: Unbound, isStopping: () => boolean): Promise<void> {
  let cursor: string | null = null;
  for (let looked = 0; looked < LOOKED_AT && !isStopping(); looked += PAGE) {
    const page = { ...pageAt(cursor), sort: 'createdAt', order: 'desc' } as const;
    cursor = await bindPart(ports, tenant, await ports.events.part(tenant, { unbound }, page));
    if (cursor === null) return;
  }
}

/** Sweeps a few pages, a small part of the load; the rest, and a failed page, follow in the next rounds. */
export async function sweepSome(ports: Ports, rebinder: Rebinder, isStopping: () => boolean): Promise<void> {
  for (let page = 0; page < PAGES_PER_ROUND && !isStopping(); page++) {
    const sweep = rebinder.takeSweep();
    if (sweep === null) return;
    const { tenant } = sweep;
    try {
      if (await isBeingDeleted(ports.records, tenant)) continue;
      const cursor = await bindPart(ports, tenant, await ports.sweeps.unbound(tenant, pageAt(sweep.cursor)));
      if (cursor !== null) rebinder.putBackSweep({ tenant, cursor });
    } catch (error) {
      rebinder.putBackSweep(sweep);
      throw error;
    }
  }
}

const asked = ({ hostnames, addresses, all }: DueRebind): Unbound[] => {
  if (all) return [{}];
  return [
    ...parts([...hostnames], NAMES).map((some) => ({ hostnames: some, addresses: [] })),
    ...parts([...addresses], NAMES).map((some) => ({ hostnames: [], addresses: some })),
  ];
};

async function isWorthwhile({ sweeps }: Ports, tenant: string, questions: readonly Unbound[]): Promise<boolean> {
  if (questions.length < MANY) return true;
  const { items } = await sweeps.unbound(tenant, { limit: 1 });
  return items.length > 0;
}

/** All that is due. What fails is put back; throws the first error after everything had its turn. */
export async function rebindDue(ports: Ports, rebinder: Rebinder, isStopping: () => boolean): Promise<void> {
  const errors: unknown[] = [];
  for (let taken = rebinder.take(); taken !== null && !isStopping(); taken = rebinder.take()) {
    const { tenant, due, isSecond } = taken;
    try {
      if (await isBeingDeleted(ports.records, tenant)) continue;
      const questions = asked(due);
      if (await isWorthwhile(ports, tenant, questions))
        for (const unbound of questions) await bindAll(ports, tenant, unbound, isStopping);
      if (!isSecond) rebinder.putBack(taken);
    } catch (error) {
      rebinder.putBack(taken);
      errors.push(error);
    }
  }
  if (errors.length > 0) throw errors[0];
}

/** Entries of another process, or left unfinished when it died. */
export async function noteTenants({ records, counts }: Ports, rebinder: Rebinder): Promise<void> {
  const tenants = await everyRecord<TenantRecord>(records, SYSTEM_TENANT, ACCESS_KINDS.tenant);
  for (const { id, disabled } of tenants) if (!disabled && (await counts.cis(id)) > 0) rebinder.noteAll(id);
}
