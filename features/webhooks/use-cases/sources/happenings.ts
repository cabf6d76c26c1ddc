import { entryOf } from '#domain/known.ts';
import type { Ports } from '#domain/ports/ports.ts';
import type { Happening } from '#domain/ports/sink.ts';
import type { Outgoing } from '#features/webhooks/rules/webhook.ts';
import { queueOutgoing } from '#features/webhooks/use-cases/delivery/queue-outgoing.ts';
import { isWanted } from '#features/webhooks/use-cases/wanted.ts';
import { GROUP_KINDS, groupChanged, groupCreated } from './groups.ts';
import { LONE_KINDS, loneChanged } from './lone-events.ts';

type Of<Happened extends Happening['happened']> = Extract<Happening, { happened: Happened }>;

const isEvent = (one: Happening): one is Of<'created' | 'status'> => one.happened !== 'group';

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

/** Tells the webhooks of each tenant of new events and of changes of their status. */
export const tellEvents = async (ports: Ports, batch: readonly Happening[]): Promise<void> => {
  for (const [tenant, all] of Map.groupBy(batch, (one) => one.tenant)) {
    const own = all.filter(isEvent);
    await queueOutgoing(ports, tenant, own.map(outgoingOf));
    await touchGroups(ports, tenant, own.filter(hasChanged));
    await touchLone(ports, tenant, own);
  }
};

/** The same of groups: new ones at once, what changes of others 10 s later. */
export const tellGroupChanges = async (ports: Ports, batch: readonly Happening[]): Promise<void> => {
  for (const [tenant, all] of Map.groupBy(batch, (one) => one.tenant)) {
    if (!(await isWanted(ports, tenant, ...GROUP_KINDS, ...LONE_KINDS))) continue;
    const own = all.filter((one): one is Of<'group'> => one.happened === 'group');
    const made = new Map(own.filter(({ change }) => change === 'created').map((one) => [one.id, one]));
    for (const [id, one] of made) await groupCreated(ports, tenant, id, one);
    const changed = new Map(own.filter(({ id }) => !made.has(id)).map((one) => [one.id, one]));
    await Promise.all([...changed].map(([id, one]) => groupChanged(ports, tenant, id, one)));
  }
};
