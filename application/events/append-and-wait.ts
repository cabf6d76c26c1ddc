import { untilSeen } from '#application/records/pause.ts';
import { readAfter } from '#application/records/read-after.ts';
import type { Event } from '#domain/event/event.ts';
import type { Ask } from '#domain/event/incoming.ts';
import type { Ports } from '#domain/ports/ports.ts';
import { type Accepted, accepted } from './receive.ts';

const TIMEOUT_MS = 15_000;

/**
 * Appends one record and waits for its receipt; null when none arrives in time. Throws the fault that the receipt
 * names.
 */
export const appendAndWait = async (
  ports: Pick<Ports, 'eventLog'>,
  tenant: string,
  ask: Ask,
  receivedAt: number,
): Promise<Accepted | null> => {
  const reply = await ports.eventLog.request(tenant, [{ ask, receivedAt }], { timeoutMs: TIMEOUT_MS });
  await readAfter(() => ports.eventLog.caughtUp(), undefined);
  return reply.done && reply.receipts[0] ? accepted(reply.receipts[0]) : null;
};

/** A group is decided a moment before its events have its id in distributed mode. */
const TWO_SECONDS = { tries: 20, ms: 100 };

/** Waits until all events are in a group, at most 2 s; then returns them as they are. */
export const onceGrouped = (
  ports: Pick<Ports, 'events'>,
  tenant: string,
  ids: readonly string[],
): Promise<readonly Event[]> =>
  untilSeen(
    () => ports.events.getMany(tenant, ids),
    (events) => events.every(({ correlationId }) => correlationId !== null),
    TWO_SECONDS,
  );
