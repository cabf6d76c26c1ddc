import { pause } from '#application/records/pause.ts';
import type { Event } from '#domain/event/event.ts';
import type { Ask } from '#domain/event/incoming.ts';
import type { Ports } from '#domain/ports/ports.ts';
import { type Accepted, accepted } from './receipts.ts';

const TIMEOUT_MS = 15_000;

/** Sends one record to the owner of the event and waits for its receipt; null when that does not come. Throws the fault that the owner answers. */
export const askOwner = async (
  ports: Pick<Ports, 'log'>,
  tenant: string,
  ask: Ask,
  receivedAt: number,
): Promise<Accepted | null> => {
  const reply = await ports.log.request(tenant, [{ ask, receivedAt }], { timeoutMs: TIMEOUT_MS });
  await ports.log.caughtUp();
  return reply.done && reply.receipts[0] ? accepted(reply.receipts[0]) : null;
};

/** Where stages run apart, groups are decided a moment before their events say so. */
const TRIES = 20;
const PAUSE_MS = 100;

/** The events as soon as all of them are in a group; as they are when that takes longer than 2 s. */
export const onceGrouped = async (
  ports: Pick<Ports, 'events'>,
  tenant: string,
  ids: readonly string[],
): Promise<readonly Event[]> => {
  for (let tries = 1; ; tries++) {
    const events = await ports.events.getMany(tenant, ids);
    if (tries === TRIES || events.every(({ correlationId }) => correlationId !== null)) return events;
    await pause(PAUSE_MS);
  }
};
