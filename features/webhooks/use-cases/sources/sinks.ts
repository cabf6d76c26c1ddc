import { byTenant } from '#application/operations/by-tenant.ts';
import { groupSinkEvent } from '#application/operations/group-sink-event.ts';
import { entryOf } from '#domain/assert.ts';
import type { Saved } from '#domain/event/incoming.ts';
import type { Ports } from '#domain/ports/ports.ts';
import type { Sink, SinkEvent } from '#domain/ports/sink.ts';
import { isNotNotified, isUnresolved } from '#features/webhooks/rules/notification-state.ts';
import type { Outgoing } from '#features/webhooks/rules/webhook.ts';
import { queueOutgoing } from '#features/webhooks/use-cases/delivery/queue-outgoing.ts';
import { isWanted } from '#features/webhooks/use-cases/wanted.ts';
import { correlationChanges, eventsSaved } from '#schemas/topics/topics.ts';
import { GROUP_KINDS, groupChanged, groupCreated } from './groups.ts';
import { LONE_KINDS, loneChanged } from './lone-events.ts';

type Of<Happened extends SinkEvent['happened']> = Extract<SinkEvent, { happened: Happened }>;

const isEvent = (one: SinkEvent): one is Of<'created' | 'status'> => one.happened !== 'group';

const outgoingOf = (one: Of<'created' | 'status'>): Outgoing => {
  const about = { resource: { kind: 'event', id: one.id }, sequence: one.position, at: one.at } as const;
  if (one.happened === 'created') return { ...about, kind: 'event.created' };
  return { ...about, kind: 'event.status_changed', previousStatus: one.previousStatus };
};

/** It may be in a group already. */
const hasChanged = (one: Of<'created' | 'status'>): boolean => one.happened === 'status' || one.wasSuppressed === true;

/** A group changes with the status of its members. */
const touchGroups = async (
  ports: Ports,
  tenant: string,
  changed: readonly Of<'created' | 'status'>[],
): Promise<void> => {
  if (changed.length === 0 || !(await isWanted(ports, tenant, ...GROUP_KINDS))) return;
  const events = await ports.events.getMany(
    tenant,
    changed.map(({ id }) => id),
  );
  const groupOf = new Map(events.map(({ id, correlationId }) => [id, correlationId]));
  const last = new Map<string, Of<'created' | 'status'>>();
  for (const one of changed) {
    const group = groupOf.get(one.id) ?? null;
    if (group !== null) last.set(group, one);
  }
  await Promise.all([...last].map(([group, one]) => groupChanged(ports, tenant, group, one)));
};

const touchLone = async (ports: Ports, tenant: string, own: readonly Of<'created' | 'status'>[]): Promise<void> => {
  if (own.length === 0 || !(await isWanted(ports, tenant, ...LONE_KINDS))) return;
  const last = new Map(own.map((one) => [one.id, one]));
  const events = await ports.events.getMany(tenant, [...last.keys()]);
  await loneChanged(
    ports,
    tenant,
    events.map((event) => [event, entryOf(last, event.id)] as const),
  );
};

/** Notifies the webhooks of each tenant of new events and of changes of their status. */
const notifyOfEvents = (ports: Ports, batch: readonly SinkEvent[]): Promise<void> =>
  byTenant(batch, async (tenant, all) => {
    const own = all.filter(isEvent);
    await queueOutgoing(ports, tenant, own.map(outgoingOf));
    await touchGroups(ports, tenant, own.filter(hasChanged));
    await touchLone(ports, tenant, own);
  });

/** The same of groups: new ones at once, what changes of others 10 s later. */
export const notifyOfGroupChanges = (ports: Ports, batch: readonly SinkEvent[]): Promise<void> =>
  byTenant(batch, async (tenant, all) => {
    if (!(await isWanted(ports, tenant, ...GROUP_KINDS, ...LONE_KINDS))) return;
    const own = all.filter((one): one is Of<'group'> => one.happened === 'group');
    const made = new Map(own.filter(({ change }) => change === 'created').map((one) => [one.id, one]));
    for (const [id, one] of made) await groupCreated(ports, tenant, id, one);
    const changed = new Map(own.filter(({ id }) => !made.has(id)).map((one) => [one.id, one]));
    await Promise.all([...changed].map(([id, one]) => groupChanged(ports, tenant, id, one)));
  });

/** Notifies webhooks of events. */
export const notify: Sink = {
  kind: 'sink',
  name: 'notify',
  input: eventsSaved,
  told(value) {
    const saved = value as Saved;
    if (saved.happened === 'forgotten') return null;
    const { event, previousStatus } = saved;
    const { id, status } = event;
    if (saved.happened === 'created') return status === 'suppressed' ? null : { happened: 'created', id };
    if (previousStatus === undefined) return null;
    if (!isNotNotified(event)) return { happened: 'status', id, previousStatus };
    return isUnresolved(status) ? { happened: 'created', id, wasSuppressed: true } : null;
  },
  delayMs: 0,
  open: (ports) => ({ take: (batch) => notifyOfEvents(ports, batch) }),
};

/** Notifies webhooks of groups. */
export const notifyGroups: Sink = {
  kind: 'sink',
  name: 'notify.groups',
  input: correlationChanges,
  told: groupSinkEvent,
  delayMs: 0,
  open: (ports) => ({ take: (batch) => notifyOfGroupChanges(ports, batch) }),
};
