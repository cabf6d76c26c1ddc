import { type DueAfter, eachDue, markDue } from '#application/records/due-records.ts';
import { lifecycleSettings } from '#application/records/tenant-settings.ts';
import { isOn } from '#domain/correlation/grouping/group-state.ts';
import type { Group } from '#domain/correlation/records.ts';
import { type Event, type Severity, severityRank } from '#domain/event/event.ts';
import type { Ports } from '#domain/ports/ports.ts';
import type { Outgoing } from '#features/webhooks/rules/webhook.ts';
import { queueOutgoing } from '#features/webhooks/use-cases/delivery/queue-outgoing.ts';
import { isWanted } from '#features/webhooks/use-cases/wanted.ts';

/* Ungrouped events, for webhooks with groups, unless they receive every event or groups only. */

/** A group that begins with the event is sent instead. */
const TOLD_AFTER: DueAfter = { quietMs: 30_000, latestMs: 30_000 };
const DAY_MS = 24 * 3_600_000;
/** Retention of the fact that an event was sent, ms. */
const REMEMBERED_MS = 60 * DAY_MS;
/** Events sent in one turn; sent ones that are checked for a group. */
const PER_TURN = 1_000;
const MAX_OPEN = 1_000;

/** Stored without a tenant, by tenant and event: it may have to be sent. */
export const CHANGED_LONE = 'webhook-lone';
/** Stored in the tenant, by event: it was sent, and is not over. */
const TOLD_LONE = 'webhook-lone-told';
export const LONE_KINDS = ['event.ungrouped', 'event.ungrouped_resolved'] as const;

interface LoneChange {
  readonly tenant: string;
  readonly eventId: string;
  /** Position of the last change. */
  readonly position: number;
  readonly at: number;
}
type Place = Pick<LoneChange, 'position' | 'at'>;

/** True if it is important enough although it is in no group. */
export const isNotable = ({ severity, usual, correlationId }: Event, least: Severity): boolean =>
  correlationId === null && !usual && severityRank(severity) >= severityRank(least);
const leastOf = async ({ records }: Ports, tenant: string): Promise<Severity> =>
  (await lifecycleSettings(records, tenant)).loneFrom;

/** Processed 30 s later. */
export const loneChanged = async (
  ports: Ports,
  tenant: string,
  changed: readonly (readonly [event: Event, place: Place])[],
): Promise<void> => {
  const least = await leastOf(ports, tenant);
  const notable = changed.filter(([event]) => isNotable(event, least));
  await Promise.all(
    notable.map(([{ id: eventId }, { position, at }]) =>
      markDue<LoneChange>(ports, [CHANGED_LONE, `${tenant}/${eventId}`], { tenant, eventId, position, at }, TOLD_AFTER),
    ),
  );
};

const outgoing = (kind: (typeof LONE_KINDS)[number], id: string, { position, at }: Place): Outgoing => ({
  kind,
  resource: { kind: 'event', id },
  sequence: position,
  at,
});

const notifyOfEnd = async (ports: Ports, tenant: string, id: string, place: Place): Promise<void> => {
  await queueOutgoing(ports, tenant, [outgoing('event.ungrouped_resolved', id, place)]);
  await ports.records.remove(tenant, TOLD_LONE, id);
};

const notifyOfChange = async (ports: Ports, { tenant, eventId, position, at }: LoneChange): Promise<void> => {
  const event = await ports.events.get(tenant, eventId);
  if (event === null || !(await isWanted(ports, tenant, ...LONE_KINDS))) return;
  const isTold = (await ports.records.get(tenant, TOLD_LONE, eventId)) !== null;
  const isOpen = isOn(event.status) && event.correlationId === null;
  if (isTold && !isOpen) return notifyOfEnd(ports, tenant, eventId, { position, at });
  if (isTold || !isOpen || !isNotable(event, await leastOf(ports, tenant))) return;
  await queueOutgoing(ports, tenant, [outgoing('event.ungrouped', eventId, { position, at })]);
  const expiresAt = ports.clock.now() + REMEMBERED_MS;
  await ports.records.put(tenant, TOLD_LONE, eventId, { at }, { expiresAt });
};

/** Sends events that arrived half a minute ago and are in no group, and the ends of sent ones. */
export const notifyOfLoneEvents = (ports: Ports, isStopping: () => boolean): Promise<void> => {
  const failed = (count: number): string => `failed to queue webhook deliveries for ${count} ungrouped events`;
  return eachDue<LoneChange>(ports, CHANGED_LONE, { most: PER_TURN, isStopping, failed }, (changed) =>
    notifyOfChange(ports, changed),
  );
};

/** Returns events that were sent by themselves and are in a group now: the group is sent instead. */
export const takenIn = async (ports: Ports, tenant: string, { id, aliases }: Group, place: Place): Promise<void> => {
  const told = await ports.records.list(tenant, TOLD_LONE, { limit: MAX_OPEN });
  if (told.length === 0) return;
  const names = new Set([id, ...aliases]);
  const events = await ports.events.getMany(
    tenant,
    told.map((one) => one.id),
  );
  for (const event of events)
    if (event.correlationId !== null && names.has(event.correlationId))
      await notifyOfEnd(ports, tenant, event.id, place);
};
