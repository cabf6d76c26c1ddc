import { actorOf } from '#application/access/actor.ts';
import type { UseCaseContext } from '#application/access/context.ts';
import {
  type StatusChangeInput,
  type StatusOfMany,
  setStatusOfMany,
} from '#application/events/finding/set-status-of-many.ts';
import { acknowledgementOf, changeAcknowledgement } from '#application/groups/acknowledgement.ts';
import { entryOf } from '#application/groups/entries.ts';
import { findGroup } from '#application/groups/find-group.ts';
import type { Status } from '#domain/event/event.ts';

const DONE: Readonly<Record<Status, string>> = {
  open: 'reopened',
  acknowledged: 'acknowledged',
  resolved: 'resolved',
  suppressed: 'suppressed',
};

/** Moves all members of a group to a status; throws Fault `not-found`. One that is acknowledged stays so when others join it. */
export async function setStatusOfGroup(
  context: UseCaseContext,
  id: string,
  wish: StatusChangeInput,
): Promise<StatusOfMany> {
  const { ports, tenant, receivedAt: at } = context;
  const { status, notes } = wish;
  const group = await ports.correlation.group(tenant, id);
  if (group !== null && status === 'acknowledged') {
    const row = await findGroup(ports, tenant, group.id);
    const acknowledgement = await acknowledgementOf(context, row, { by: actorOf(context.caller), at });
    await changeAcknowledgement(context, group.id, { change: () => acknowledgement });
  }
  const done = await setStatusOfMany(context, { correlationId: id }, wish);
  if (group !== null && status === 'open') await changeAcknowledgement(context, group.id, { change: () => undefined });
  if (group === null || done.changed === 0) return done;
  const events = done.changed === 1 ? '1 event' : `${done.changed} events`;
  const text = `${DONE[status]} ${events}${notes === undefined ? '' : `: ${notes}`}`;
  const { kind, id: entry, body } = entryOf(context, group.id, { kind: 'status', text });
  await ports.records.put(tenant, kind, entry, body);
  return done;
}
