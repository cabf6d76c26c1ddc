import { audit, audited } from '#application/access/audit.ts';
import type { UseCaseContext } from '#application/access/context.ts';
import { recordPage } from '#application/records/list-records.ts';
import { Fault, invalid } from '#domain/fault.ts';
import type { Page } from '#domain/page.ts';
import { zip } from '#domain/zip.ts';
import { type Delivery, WEBHOOK_RECORDS, type Webhook } from '#features/webhooks/rules/webhook.ts';
import {
  type DeliveryFilter,
  findDelivery,
  listDeliveries,
} from '#features/webhooks/use-cases/delivery/list-deliveries.ts';
import { sendTest } from '#features/webhooks/use-cases/delivery/own-deliveries.ts';
import { countWaiting } from '#features/webhooks/use-cases/delivery/room.ts';
import { type WebhookState, webhookState } from '#features/webhooks/use-cases/delivery/state.ts';
import { redeliver, redeliverMany } from '#features/webhooks/use-cases/managing/redeliver.ts';
import { resume } from '#features/webhooks/use-cases/managing/resume.ts';
import { findWebhook } from '#features/webhooks/use-cases/webhook-store.ts';
import { rewriteWebhook, type StoredWebhook } from '#features/webhooks/use-cases/webhooks.ts';
import type { Paging } from '#schemas/http/paging.ts';

/** A webhook and how its receiver has been lately. */
export interface WatchedWebhook extends StoredWebhook {
  readonly state: WebhookState;
  /** Deliveries that wait; counts no further than 10,001. */
  readonly waiting: number;
}

const watched = async ({ ports, tenant }: UseCaseContext, stored: StoredWebhook): Promise<WatchedWebhook> => {
  const { id } = stored.body;
  const [state, waiting] = await Promise.all([webhookState(ports, tenant, id), countWaiting(ports, id)]);
  return { ...stored, state, waiting };
};

export const readWebhook = async (context: UseCaseContext, id: string): Promise<WatchedWebhook> =>
  watched(context, await findWebhook(context.ports.records, context.tenant, id));

/** A webhook in a list. */
export interface ListedWebhook {
  readonly webhook: Webhook;
  /** Its pause may be over. */
  readonly state: WebhookState;
}

export const listWatched = async ({ ports, tenant }: UseCaseContext, paging: Paging): Promise<Page<ListedWebhook>> => {
  const { items, ...page } = await recordPage<Webhook>(ports.records, tenant, WEBHOOK_RECORDS.webhook, paging);
  const states = await Promise.all(items.map(({ id }) => webhookState(ports, tenant, id)));
  return { ...page, items: zip(items, states).map(([webhook, state]) => ({ webhook, state })) };
};

const entryOf = (context: UseCaseContext, id: string, action: string, after: object) =>
  audited(context, { action: `webhook.${action}`, target: { kind: 'webhook', id }, before: null, after });

/** Throws Fault `conflict` for a webhook that is switched off: nothing is sent to it. */
export const testWebhook = async (context: UseCaseContext, id: string): Promise<Delivery> => {
  const { ports, tenant } = context;
  const { body } = await findWebhook(ports.records, tenant, id);
  if (!body.active) throw new Fault('conflict', 'The webhook is disabled. Resume it first');
  return sendTest(ports, tenant, body, [entryOf(context, id, 'tested', { name: body.name })]);
};

/** Enables the webhook and ends its pause: waiting deliveries are sent now. */
export const resumeWebhook = async (context: UseCaseContext, id: string): Promise<WatchedWebhook> => {
  const stored = await rewriteWebhook(context, id, 'webhook.updated', (before) => ({
    ...before,
    active: true,
    inactiveReason: null,
  }));
  await resume(context.ports, context.tenant, id, [entryOf(context, id, 'resumed', { active: true })]);
  return watched(context, stored);
};

export interface OfWebhook {
  readonly id: string;
}

/** Throws Fault `not-found` for an unknown webhook. */
export const deliveriesOf = async (
  { ports, tenant }: UseCaseContext,
  { id, ...filter }: OfWebhook & DeliveryFilter,
): Promise<Page<Delivery>> => {
  await findWebhook(ports.records, tenant, id);
  return listDeliveries(ports, tenant, id, filter);
};

export interface OneDelivery extends OfWebhook {
  readonly delivery: string;
}

export const readDelivery = async ({ ports, tenant }: UseCaseContext, asked: OneDelivery): Promise<Delivery> => {
  await findWebhook(ports.records, tenant, asked.id);
  return (await findDelivery(ports, tenant, asked.id, asked.delivery)).body;
};

export const redeliverOne = async (context: UseCaseContext, { id, delivery }: OneDelivery): Promise<Delivery> => {
  const { ports, tenant } = context;
  await findWebhook(ports.records, tenant, id);
  return redeliver(ports, tenant, id, delivery, [entryOf(context, id, 'redelivered', { deliveries: [delivery] })]);
};

/** Deliveries by id, or those of a range. */
export interface Redelivery extends OfWebhook {
  readonly ids?: readonly string[] | undefined;
  readonly status: 'dead' | 'delivered';
  readonly from?: number | undefined;
  readonly to?: number | undefined;
}

/** An unknown id inside a body is the caller's mistake; nothing is sent then. */
const redeliverNamed = async (
  { ports, tenant }: UseCaseContext,
  id: string,
  ids: readonly string[],
): Promise<number> => {
  const unique = [...new Set(ids)];
  for (const delivery of unique)
    await findDelivery(ports, tenant, id, delivery).catch((error) => {
      if (error instanceof Fault && error.kind === 'not-found')
        throw invalid(`ids[${ids.indexOf(delivery)}]`, `no delivery of this webhook with ID ${delivery}`);
      throw error;
    });
  await Promise.all(unique.map((delivery) => redeliver(ports, tenant, id, delivery, [])));
  return unique.length;
};

/** Sends at most 1,000 again; a repeated call continues with the rest of the dead ones. Returns the number. */
export const redeliverSome = async (context: UseCaseContext, { id, ids, ...range }: Redelivery): Promise<number> => {
  const { ports, tenant } = context;
  await findWebhook(ports.records, tenant, id);
  const count =
    ids === undefined ? await redeliverMany(ports, tenant, id, range) : await redeliverNamed(context, id, ids);
  const after = ids === undefined ? { ...range, count } : { deliveries: ids, count };
  await audit(context, { action: 'webhook.redelivered', target: { kind: 'webhook', id }, before: null, after });
  return count;
};
