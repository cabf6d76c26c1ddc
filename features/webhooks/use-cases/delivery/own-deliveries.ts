import { DELIVER } from './records.ts';
/** Messages to a webhook about itself. */

import { isOvertaken } from '#domain/fault.ts';
import type { Ports } from '#domain/ports/ports.ts';
import { type StoredRecord, SYSTEM_TENANT } from '#domain/ports/record-store.ts';
import type { SideRecord } from '#domain/side-record.ts';
import { deliveryIdOf } from '#features/webhooks/rules/delivery-id.ts';
import type { Delivery, Outgoing, Webhook } from '#features/webhooks/rules/webhook.ts';
import { webhooksOf } from '#features/webhooks/use-cases/webhook-store.ts';
import { addDelivery, newRecords } from './put-delivery.ts';
import { DELIVERY_KINDS, newDelivery } from './records.ts';
import { hasRoom, type Overflow } from './room.ts';

const about = ({ id, name }: Pick<Webhook, 'id' | 'name'>, sequence: number) =>
  ({ resource: { kind: 'webhook', id, name }, sequence }) as const;

/** Queues a test, regardless of the webhook's subscriptions; `sideRecords` are stored with it. */
export const sendTest = async (
  ports: Ports,
  tenant: string,
  webhook: Webhook,
  sideRecords: readonly SideRecord[],
): Promise<Delivery> => {
  const at = ports.clock.now();
  const data = { webhook: { id: webhook.id, name: webhook.name } };
  const outgoing: Outgoing = { ...about(webhook, at), kind: 'webhook.test', at, data };
  const id = `DLV-${ports.crypto.sha256(`${webhook.id} ${ports.ids.ulid()}`).slice(0, 32)}`;
  const delivery = newDelivery(webhook, id, outgoing, { now: at });
  await addDelivery(ports, tenant, delivery, sideRecords);
  ports.background.ring(DELIVER);
  return delivery;
};

/** Overflows sent in one turn; for each webhook at most one per kind waits. */
const PAGE = 100;
/** Number of free places at which it is sent. */
const ROOM = 1_000;

const overflowNotice = (webhook: Webhook, { kind, from, to, count }: Overflow): Outgoing => {
  const data = { overflow: { kind, from: new Date(from).toISOString(), to: new Date(to).toISOString(), count } };
  return { ...about(webhook, from), kind: 'webhook.overflow', at: to, data };
};

/**
 * Returns the message about deliveries that were never made, regardless of the webhook's subscriptions: it must know
 * that it has missed some.
 */
const overflowDelivery = ({ crypto, clock }: Ports, webhook: Webhook, overflow: Overflow): Delivery => {
  const told = overflowNotice(webhook, overflow);
  const resource = { kind: 'webhook', id: `${webhook.id} ${overflow.kind} ${overflow.count}` } as const;
  const id = deliveryIdOf(crypto.sha256, webhook, { ...told, resource });
  return newDelivery(webhook, id, told, { now: clock.now() });
};

const notifyOfOverflow = async (ports: Ports, { id, revision, body }: StoredRecord<Overflow>): Promise<void> => {
  const { tenant, webhookId } = body;
  const webhook = (await webhooksOf(ports, tenant)).find((one) => one.id === webhookId);
  if (webhook?.active === false) return;
  if (webhook !== undefined && !(await hasRoom(ports, webhookId, ROOM))) return;
  const sideRecords = webhook === undefined ? [] : newRecords(tenant, overflowDelivery(ports, webhook, body));
  // One change: the counter is deleted, and the delivery added. A concurrent overflow refuses it, and is included.
  const gone = { expected: revision, expiresAt: ports.clock.now(), sideRecords };
  await ports.records.put(SYSTEM_TENANT, DELIVERY_KINDS.overflow, id, body, gone).catch((error) => {
    if (!isOvertaken(error)) throw error;
  });
};

/** Sends overflows, as soon as there is room again. */
export const notifyOfOverflows = async (ports: Ports, isStopping: () => boolean): Promise<void> => {
  const page = await ports.records.list<Overflow>(SYSTEM_TENANT, DELIVERY_KINDS.overflow, { limit: PAGE });
  for (const overflow of page) if (!isStopping()) await notifyOfOverflow(ports, overflow);
};
