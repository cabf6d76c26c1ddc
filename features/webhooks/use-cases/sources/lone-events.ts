import { type DueAfter, eachDue, markDue } from '#application/records/due-records.ts';
import { lifecycleSettings } from '#application/records/tenant-settings.ts';
import { isOn } from '#domain/correlation/grouping/group-state.ts';
import type { Group } from '#domain/correlation/records.ts';
import { type Event, type Severity, severityRank } from '#domain/event/event.ts';
import type { Ports } from '#domain/ports/ports.ts';
import type { Outgoing } from '#features/webhooks/rules/webhook.ts';
import { queueOutgoing } from '#features/webhooks/use-cases/delivery/queue-outgoing.ts';
import { isWanted } from '#features/webhooks/use-cases/wanted.ts';

/* Events in no group, for those who are told of groups: neither of each event, nor of groups alone. */

/** A group that begins with the event is told instead. */
const TOLD_AFTER: DueAfter = { quietMs: 30_000, latestMs: 30_000 };
const DAY_MS = 24 * 3_600_000;
/** How long it is remembered that an event was told of, ms. */
const REMEMBERED_MS = 60 * DAY_MS;
/** Events told of in one turn; told ones that a group is asked for. */
const PER_TURN = 1_000;
const MOST_OPEN = 1_000;

/** Of no tenant, by tenant and event: it may have to be told of. */
export const CHANGED_LONE = 'webhook-lone';
/** In the tenant, by event: it was told of, and is not over. */
const TOLD_LONE = 'webhook-lone-told';
export const LONE_KINDS = ['event.ungrouped', 'event.ungrouped_resolved'] as const;

interface Changed {
  readonly tenant: string;
  readonly eventId: string;
  /** Of the last change. */
  readonly position: number;
  readonly at: number;
}
type Place = Pick<Changed, 'position' | 'at'>;

/** Whether people want to know of it though it is alone. */
const isNotable = ({ severity, usual, correlationId }: Event, least: Severity): boolean =>
  correlationId === null && !usual && severityRank(severity) >= severityRank(least);
const leastOf = async ({ records }: Ports, tenant: string): Promise<Severity> =>
  (await lifecycleSettings(records, tenant)).loneFrom;

/** Looked at 30 s later. */
export const loneChanged = async (
  ports: Ports,
  tenant: string,
  changed: readonly (readonly [event: Event, place: Place])[],
): Promise<void> => {
  const least = await leastOf(ports, tenant);
  const notable = changed.filter(([event]) => isNotable(event, least));
  await Promise.all(
    notable.map(([{ id: eventId }, { position, at }]) =>
      markDue<Changed>(ports, [CHANGED_LONE, `${tenant}/${eventId}`], { tenant, eventId, position, at }, TOLD_AFTER),
    ),
  );
};

const outgoing = (kind: (typeof LONE_KINDS)[number], id: string, { position, at }: Place): Outgoing => ({
  kind,
  resource: { kind: 'event', id },
  sequence: position,
  at,
});

const tellOver = async (ports: Ports, tenant: string, id: string, place: Place): Promise<void> => {
  await queueOutgoing(ports, tenant, [outgoing('event.ungrouped_resolved', id, place)]);
  await ports.records.remove(tenant, TOLD_LONE, id);
};

const tellChanged = async (ports: Ports, { tenant, eventId, position, at }: Changed): Promise<void> => {
  const event = await ports.events.get(tenant, eventId);
  if (event === null || !(await isWanted(ports, tenant, ...LONE_KINDS))) return;
  const isTold = (await ports.records.get(tenant, TOLD_LONE, eventId)) !== null;
  const isOpen = isOn(event.status) && event.correlationId === null;
  if (isTold && !isOpen) return tellOver(ports, tenant, eventId, { position, at });
  if (isTold || !isOpen || !isNotable(event, await leastOf(ports, tenant))) return;
  await queueOutgoing(ports, tenant, [outgoing('event.ungrouped', eventId, { position, at })]);
  const expiresAt = ports.clock.now() + REMEMBERED_MS;
  await ports.records.put(tenant, TOLD_LONE, eventId, { at }, { expiresAt });
};

/** Tells of events that came half a minute ago and are in no group, and that those which were told of are over. */
export const tellLone = (ports: Ports, isStopping: () => boolean): Promise<void> => {
  const failed = (count: number): string => `Webhooks could not be told of ${count} events in no group`;
  return eachDue<Changed>(ports, CHANGED_LONE, { most: PER_TURN, isStopping, failed }, (changed) =>
    tellChanged(ports, changed),
  );
};

/** Events that were told of by themselves and are in a group by now: the group is told of instead. */
export const takenIn = async (ports: Ports, tenant: string, { id, aliases }: Group, place: Place): Promise<void> => {
  const told = await ports.records.list(tenant, TOLD_LONE, { limit: MOST_OPEN });
  if (told.length === 0) return;
  const names = new Set([id, ...aliases]);
  const events = await ports.events.getMany(
    tenant,
    told.map((one) => one.id),
  );
  for (const event of events)
    if (event.correlationId !== null && names.has(event.correlationId)) await tellOver(ports, tenant, event.id, place);
};
