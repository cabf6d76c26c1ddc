import { revise } from '#application/records/revise.ts';
import type { Ports } from '#domain/ports/ports.ts';
import { SYSTEM_TENANT } from '#domain/ports/record-store.ts';
import type { SideRecord } from '#domain/side-record.ts';
import type { Delivery } from '#features/webhooks/rules/webhook.ts';
import { findDelivery, listDeliveries } from '#features/webhooks/use-cases/delivery/list-deliveries.ts';
import { putLog } from '#features/webhooks/use-cases/delivery/put-delivery.ts';
import {
  DELIVER,
  DELIVERY_KINDS,
  dueRecords,
  expiryOf,
  placed,
} from '#features/webhooks/use-cases/delivery/records.ts';

/** Deliveries of one range that are sent again at once. */
const MOST = 1_000;

type StoredDelivery = { readonly body: Delivery; readonly revision: number };

/** The log is written first: a due delivery may be sent, and its entry follow, before this continues. */
const put = async (
  ports: Ports,
  tenant: string,
  { body, revision }: StoredDelivery,
  audit: readonly SideRecord[],
): Promise<void> => {
  await putLog(ports, tenant, body);
  const sideRecords = [...dueRecords(tenant, body), ...audit];
  const options = { expected: revision - 1, expiresAt: expiryOf(body, ports.clock.now()), sideRecords };
  await ports.records.put(tenant, DELIVERY_KINDS.delivery, body.id, body, options);
};

const isDue = ({ state, nextAt }: Delivery, now: number): boolean =>
  state === 'waiting' && nextAt !== null && nextAt <= now;

const keep = ({ records }: Ports, { tenant, kind, id, body, expiresAt }: SideRecord): Promise<number> =>
  records.put(tenant, kind, id, body, expiresAt === undefined ? {} : { expiresAt });

/** Deletes the place in the queue that a delivery has left. */
export const dropPlace = async (
  { records }: Pick<Ports, 'records'>,
  tenant: string,
  before: Delivery,
): Promise<void> => {
  for (const { kind, id } of dueRecords(tenant, before)) await records.remove(SYSTEM_TENANT, kind, id);
};

/**
 * Sends a delivery again now, with the same id and body; its retries restart. One that is due anyway stays where it is,
 * or it would be sent twice. `sideRecords` are stored with it. Throws Fault `not-found`.
 */
export const redeliver = async (
  ports: Ports,
  tenant: string,
  webhookId: string,
  id: string,
  sideRecords: readonly SideRecord[],
): Promise<Delivery> => {
  const { before, after } = await revise<StoredDelivery>(ports, {
    of: ['delivery', tenant, id],
    ifMatch: null,
    load: () => findDelivery(ports, tenant, webhookId, id),
    change(stored) {
      const now = ports.clock.now();
      if (isDue(stored.body, now)) return stored;
      const body = placed({ ...stored.body, state: 'waiting', redeliveredAt: now }, now);
      return { body, revision: stored.revision + 1 };
    },
    put: (stored) => put(ports, tenant, stored, sideRecords),
  });
  if (after !== before) await dropPlace(ports, tenant, before.body);
  else for (const one of sideRecords) await keep(ports, one);
  ports.background.ring(DELIVER);
  return after.body;
};

interface Range {
  /** Range of creation, ms. */
  readonly from?: number | undefined;
  readonly to?: number | undefined;
  readonly status: 'dead' | 'delivered';
}

/** Sends at most 1,000 deliveries again, the newest first; returns how many. */
export const redeliverMany = async (ports: Ports, tenant: string, webhookId: string, range: Range): Promise<number> => {
  let [count, cursor] = [0, undefined as string | undefined];
  do {
    const page = await listDeliveries(ports, tenant, webhookId, { ...range, limit: 100, cursor });
    await Promise.all(page.items.map(({ id }) => redeliver(ports, tenant, webhookId, id, [])));
    count += page.items.length;
    cursor = page.nextCursor ?? undefined;
  } while (cursor !== undefined && count < MOST);
  return count;
};
