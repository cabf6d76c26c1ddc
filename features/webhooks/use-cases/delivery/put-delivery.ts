import { isOvertaken } from '#domain/fault.ts';
import type { Ports } from '#domain/ports/ports.ts';
import type { SideRecord } from '#domain/side-record.ts';
import type { Delivery } from '#features/webhooks/rules/webhook.ts';
import { DELIVERY_KINDS, dueRecords, expiryOf, logRecord } from './records.ts';

type Putting = Pick<Ports, 'records' | 'clock'>;

/** Returns all records of a new delivery, to be stored with another change. */
export const newRecords = (tenant: string, delivery: Delivery): SideRecord[] => {
  const { id, createdAt } = delivery;
  const record = {
    tenant,
    kind: DELIVERY_KINDS.delivery,
    id,
    body: delivery,
    expiresAt: expiryOf(delivery, createdAt),
  };
  return [record, ...dueRecords(tenant, delivery), logRecord(tenant, delivery, createdAt)];
};

/** A new delivery with its places in the queue and the log. False when it was made before: then nothing changes. */
export const addDelivery = async (
  { records }: Putting,
  tenant: string,
  delivery: Delivery,
  audit: readonly SideRecord[] = [],
): Promise<boolean> => {
  const now = delivery.createdAt;
  const sideRecords = [...dueRecords(tenant, delivery), logRecord(tenant, delivery, now), ...audit];
  const options = { expected: 0, expiresAt: expiryOf(delivery, now), sideRecords };
  try {
    await records.put(tenant, DELIVERY_KINDS.delivery, delivery.id, delivery, options);
    return true;
  } catch (error) {
    if (isOvertaken(error)) return false;
    throw error;
  }
};

/** The delivery's entry in the log follows it. */
export const putLog = async ({ records, clock }: Putting, tenant: string, delivery: Delivery): Promise<void> => {
  const { kind, id, body, expiresAt } = logRecord(tenant, delivery, clock.now());
  await records.put(tenant, kind, id, body, expiresAt === undefined ? {} : { expiresAt });
};
