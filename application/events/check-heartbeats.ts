import { eachActiveTenant } from '#application/records/each-tenant.ts';
import { correlationSettings } from '#application/records/tenant-settings.ts';
import { OWN_CONDITION } from '#domain/event/life/ending.ts';
import type { Ports } from '#domain/ports/ports.ts';
import type { StoredRecord } from '#domain/ports/record-store.ts';
import type { EventAction } from './event-action.ts';
import { amendHeartbeat, HEARTBEAT_KIND, type Heartbeat, listedHeartbeats } from './heartbeats.ts';
import { type Accepted, accepted, receive } from './receive.ts';

/** A heartbeat that was silent for longer is missing. */
export const MISSING_AFTER_MS = 15 * 60_000;

/** A tenant lists at most 100; what it lists no more is removed by the next check. */
const MAX_NOTED = 1_000;
const SOURCE = 'faultline';

const conditionOf = (id: string): string => `${OWN_CONDITION}heartbeat/${id}`;

interface Check {
  /** ms. */
  readonly now: number;
  /** Silence before counts for nothing: nobody could have heard a beat. */
  readonly listeningSince?: number;
  readonly isStopping?: () => boolean;
}

const raised = (id: string, { name, lastSeen }: Heartbeat, action: 'open' | 'update'): EventAction => ({
  action,
  conditionId: conditionOf(id),
  draft: {
    source: SOURCE,
    sourceId: `heartbeat/${id}`,
    severity: 'critical',
    title: `Heartbeat ${name} is missing`,
    description: `Nothing was heard of ${name} since ${new Date(lastSeen).toISOString()}.`,
    // Names that differ in a number only have one signature; as systems of their own they stay two events.
    ciHints: [`heartbeat/${id}`],
  },
});

const ended = (id: string): EventAction => ({
  action: 'resolve',
  source: SOURCE,
  sourceId: `heartbeat/${id}`,
  conditionId: conditionOf(id),
});

const receivedAs = async (ports: Ports, tenant: string, action: EventAction, now: number): Promise<Accepted | null> => {
  const [receipt] = await receive(ports, [action], { tenant, receivedAt: now, idempotencyKey: null });
  return receipt ? accepted(receipt) : null;
};

/** A reminder changes nothing of an event that is there, and begins one where that is resolved. */
const remind = async (ports: Ports, tenant: string, { id, body }: Noted, now: number): Promise<void> => {
  const told = await receivedAs(ports, tenant, raised(id, body, 'update'), now);
  if (told?.outcome === 'ignored') await receivedAs(ports, tenant, raised(id, body, 'open'), now);
};

/** Raises or ends the event first and remembers it then: after a crash in between it is counted twice, never lost. */
const report = async (ports: Ports, tenant: string, id: string, action: EventAction, now: number): Promise<void> => {
  await receivedAs(ports, tenant, action, now);
  const missing = action.action === 'open';
  await amendHeartbeat(ports.records, { tenant, id }, (before) => before && { ...before, missing });
};

const checkTenant = async (ports: Ports, tenant: string, check: Check): Promise<void> => {
  const noted = await ports.records.list<Heartbeat>(tenant, HEARTBEAT_KIND, { limit: MAX_NOTED });
  if (noted.length === 0) return;
  const listed = listedHeartbeats((await correlationSettings(ports.records, tenant)).heartbeats);
  for (const { id, body } of noted) {
    if (listed.has(id)) await checkOne(ports, tenant, { id, body }, check);
    else await forget(ports, tenant, { id, body }, check);
  }
};

type Noted = Pick<StoredRecord<Heartbeat>, 'id' | 'body'>;

const checkOne = async (ports: Ports, tenant: string, { id, body }: Noted, check: Check): Promise<void> => {
  const { now, listeningSince = 0 } = check;
  const silent = (since: number): boolean => now - since > MISSING_AFTER_MS;
  if (body.missing) {
    if (silent(body.lastSeen)) await remind(ports, tenant, { id, body }, now);
    else await report(ports, tenant, id, ended(id), now);
  } else if (silent(Math.max(body.lastSeen, listeningSince)))
    await report(ports, tenant, id, raised(id, body, 'open'), now);
};

/** A heartbeat that the tenant lists no more ends its alarm, and starts as never seen when it is listed again. */
const forget = async (ports: Ports, tenant: string, { id, body }: Noted, { now }: Check): Promise<void> => {
  if (body.missing) await report(ports, tenant, id, ended(id), now);
  await ports.records.remove(tenant, HEARTBEAT_KIND, id);
};

/**
 * Raises one event per heartbeat that was heard once and then not for 15 minutes, and resolves it when it is back.
 * Throws when a tenant could not be checked, after all others were.
 */
export const checkHeartbeats = (ports: Ports, check: Check): Promise<void> => {
  const { isStopping = () => false } = check;
  const failed = (count: number): string => `The heartbeats of ${count} tenants could not be checked`;
  return eachActiveTenant(ports.records, { isStopping, failed }, (tenant) => checkTenant(ports, tenant, check));
};
