import { revise } from '#application/records/revise.ts';
import type { Ports } from '#domain/ports/ports.ts';
import type { SideRecord } from '#domain/side-record.ts';
import type { Delivery } from '#domain/webhooks/webhook.ts';
import { findDelivery, listDeliveries } from './list-deliveries.ts';
import { putLog } from './put-delivery.ts';
import { DELIVERY_KINDS, dueRecord, expiryOf } from './records.ts';
import { UNTRIED } from './state.ts';

/** Deliveries of one range that are sent again at once. */
const MOST = 1_000;

type Stored = { readonly body: Delivery; readonly revision: number };

const put = async (
  { records, clock }: Ports,
  tenant: string,
  { body, revision }: Stored,
  audit: readonly SideRecord[],
): Promise<void> => {
  const sideRecords = [dueRecord(tenant, body, body.nextAt!), ...audit];
  const options = { expected: revision - 1, expiresAt: expiryOf(body, clock.now()), sideRecords };
  await records.put(tenant, DELIVERY_KINDS.delivery, body.id, body, options);
};

/** Sends a delivery again now, with the same id and body; its retries begin anew. `sideRecords` are kept along. Throws Fault `not-found`. */
export const redeliver = async (
  ports: Ports,
  tenant: string,
  webhookId: string,
  id: string,
  sideRecords: readonly SideRecord[],
): Promise<Delivery> => {
  const { after } = await revise<Stored>(null, {
    load: () => findDelivery(ports, tenant, webhookId, id),
    change({ body, revision }) {
      const now = ports.clock.now();
      // Never the place that an attempt under way will leave.
      const nextAt = body.nextAt === now ? now + 1 : now;
      return { body: { ...body, state: 'waiting', nextAt, redeliveredAt: now }, revision: revision + 1 };
    },
    put: (stored) => put(ports, tenant, stored, sideRecords),
  });
  await putLog(ports, tenant, after.body);
  ports.deliveries.wake();
  return after.body;
};

interface Range {
  /** When they were made, ms. */
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

/** Ends the webhook's rest, and forgets how it failed; `sideRecords` are kept along. To be called when it is active again. */
export const resume = async (
  ports: Ports,
  tenant: string,
  webhookId: string,
  sideRecords: readonly SideRecord[],
): Promise<void> => {
  await ports.records.put(tenant, DELIVERY_KINDS.state, webhookId, UNTRIED, { sideRecords });
  ports.deliveries.wake();
};
