import { isOvertaken } from '#domain/fault.ts';
import type { Ports } from '#domain/ports/ports.ts';
import { type StoredRecord, SYSTEM_TENANT } from '#domain/ports/record-store.ts';
import { nextAttemptAt } from '#features/webhooks/rules/retry.ts';
import type { Attempt, Delivery } from '#features/webhooks/rules/webhook.ts';
import { putLog } from './put-delivery.ts';
import { DELIVERY_KINDS, type Due, dueRecords, expiryOf, placed } from './records.ts';

/** Attempts that a delivery remembers. */
const REMEMBERED = 20;
const GONE = 410;

/** Attempts since it was made, or since it was last asked to be sent again. */
const triesOf = ({ attempts, redeliveredAt = 0 }: Delivery): number =>
  attempts.filter(({ at }) => at >= redeliveredAt).length;

const tried = (delivery: Delivery, attempt: Attempt, now: number, random: number): Delivery => {
  const after = { ...delivery, attempts: [...delivery.attempts, attempt].slice(-REMEMBERED) };
  if (attempt.error === null) return placed({ ...after, state: 'delivered' }, null);
  const nextAt = attempt.status === GONE ? null : nextAttemptAt(triesOf(after), now, random);
  return placed(nextAt === null ? { ...after, state: 'dead' } : after, nextAt);
};

/** The delivery after an attempt; its hash is the chance by which retries are spread. */
export const afterAttempt = (
  { clock, crypto }: Pick<Ports, 'clock' | 'crypto'>,
  { id, revision, body }: StoredRecord<Delivery>,
  attempt: Attempt,
): StoredRecord<Delivery> => {
  const random = Number.parseInt(crypto.sha256(`${id} ${attempt.at}`).slice(0, 8), 16) / 2 ** 32;
  return { id, revision, body: tried(body, attempt, clock.now(), random) };
};

/** It is never sent. */
export const skipped = ({ id, revision, body }: StoredRecord<Delivery>): StoredRecord<Delivery> => ({
  id,
  revision,
  body: placed({ ...body, state: 'skipped' }, null),
});

export const countAttempt = ({ metrics }: Pick<Ports, 'metrics'>, { state }: Delivery, { ms }: Attempt): void => {
  metrics.count('faultline_outgoing_attempts_total', { outcome: state === 'waiting' ? 'failed' : state });
  metrics.observe('faultline_outgoing_attempt_seconds', {}, ms / 1_000);
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
  const expiresAt = expiryOf(body, ports.clock.now());
  const options = { expected: revision, expiresAt, sideRecords: dueRecords(tenant, body) };
  // Someone who has asked for it again meanwhile has given it another place in the queue.
  const isKept = await ports.records.put(tenant, DELIVERY_KINDS.delivery, id, body, options).then(
    () => true,
    (error) => {
      if (isOvertaken(error)) return false;
      throw error;
    },
  );
  await leaveQueue(ports, due, isKept ? body : null);
};
