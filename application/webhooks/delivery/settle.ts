import { isOvertaken } from '#domain/fault.ts';
import type { Ports } from '#domain/ports/ports.ts';
import { type StoredRecord, SYSTEM_TENANT } from '#domain/ports/record-store.ts';
import { nextAttemptAt } from '#domain/webhooks/retry.ts';
import type { Attempt, Delivery } from '#domain/webhooks/webhook.ts';
import { putLog } from './put-delivery.ts';
import { DELIVERY_KINDS, type Due, dueRecord, expiryOf } from './records.ts';

/** Attempts that a delivery remembers. */
const REMEMBERED = 20;
const GONE = 410;

/** Attempts since it was made, or since it was last asked to be sent again. */
const triesOf = ({ attempts, redeliveredAt = 0 }: Delivery): number =>
  attempts.filter(({ at }) => at >= redeliveredAt).length;

/** The delivery after an attempt. `random`: 0 to 1. */
export const afterAttempt = (delivery: Delivery, attempt: Attempt, now: number, random: number): Delivery => {
  const tried = { ...delivery, attempts: [...delivery.attempts, attempt].slice(-REMEMBERED) };
  if (attempt.error === null) return { ...tried, state: 'delivered', nextAt: null };
  const nextAt = attempt.status === GONE ? null : nextAttemptAt(triesOf(tried), now, random);
  return nextAt === null ? { ...tried, state: 'dead', nextAt } : { ...tried, nextAt };
};

/** Takes a delivery off the queue; its entry in the log follows it. */
export const leaveQueue = async (ports: Ports, due: StoredRecord<Due>, delivery: Delivery | null): Promise<void> => {
  const { tenant } = due.body;
  const logged = delivery === null || delivery.state === 'waiting' ? null : putLog(ports, tenant, delivery);
  await Promise.all([logged, ports.records.remove(SYSTEM_TENANT, DELIVERY_KINDS.due, due.id)]);
};

/** Stores what became of a delivery: first the delivery with its next place in the queue, then its old place goes. */
export const settle = async (ports: Ports, due: StoredRecord<Due>, stored: StoredRecord<Delivery>): Promise<void> => {
  const { tenant } = due.body;
  const { id, revision, body } = stored;
  const sideRecords = body.nextAt === null ? [] : [dueRecord(tenant, body, body.nextAt)];
  const options = { expected: revision, expiresAt: expiryOf(body, ports.clock.now()), sideRecords };
  try {
    await ports.records.put(tenant, DELIVERY_KINDS.delivery, id, body, options);
  } catch (error) {
    // Someone has asked for it again meanwhile, so it has another place in the queue.
    if (!isOvertaken(error)) throw error;
  }
  await leaveQueue(ports, due, body);
};
