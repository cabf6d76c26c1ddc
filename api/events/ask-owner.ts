import type { Ask } from '#domain/event/incoming.ts';
import type { Ports } from '#domain/ports/ports.ts';
import { accepted } from './receipts.ts';

const TIMEOUT_MS = 15_000;

/** Sends one record to the owner of the event and waits for its receipt. Throws the fault that the owner answers. */
export const askOwner = async (
  ports: Pick<Ports, 'log'>,
  tenant: string,
  ask: Ask,
  receivedAt: number,
): Promise<'done' | 'queued'> => {
  const reply = await ports.log.request(tenant, [{ ask, receivedAt }], { timeoutMs: TIMEOUT_MS });
  if (!reply.done) return 'queued';
  if (reply.receipts[0]) accepted(reply.receipts[0]);
  return 'done';
};
