import { SYSTEM_TENANT } from '#domain/ports/record-store.ts';
import type { SideRecord } from '#domain/side-record.ts';
import type { Delivery, DeliveryState, Outgoing, Webhook } from '#domain/webhooks/webhook.ts';

export const DELIVERY_KINDS = {
  /** In the tenant, by delivery id. */
  delivery: 'webhook-delivery',
  /** In the tenant, by webhook and time: what lists read. */
  log: 'webhook-log',
  /** Of no tenant, by webhook and due time: one look finds the webhooks of all tenants that have something to do. */
  due: 'webhook-due',
  /** In the tenant, by webhook. */
  state: 'webhook-state',
  /** Of no tenant, by webhook and kind. */
  overflow: 'webhook-overflow',
  /** Of no tenant: changes of CIs and relationships, put along with them. */
  outgoing: 'outgoing',
  /** Of no tenant, by webhook. */
  lease: 'webhook-lease',
} as const;

const DAY_MS = 24 * 3_600_000;
const DELIVERED_KEPT_MS = 7 * DAY_MS;
const DEAD_KEPT_MS = 30 * DAY_MS;
/** Longer than all retries take; what waits for a webhook that stays inactive goes then. */
const WAITING_KEPT_MS = 40 * DAY_MS;

export interface Due {
  readonly tenant: string;
  readonly webhookId: string;
  readonly deliveryId: string;
  /** Kind and id: one delivery at a time. */
  readonly resource: string;
  readonly at: number;
}

export interface LogEntry {
  readonly webhookId: string;
  readonly deliveryId: string;
  /** When the delivery was made, ms. */
  readonly at: number;
  readonly event: Outgoing['kind'];
  readonly state: DeliveryState;
}

const MS_DIGITS = 13;
const SEQUENCE_DIGITS = 16;
const padded = (number: number, digits: number): string => String(Math.max(0, number)).padStart(digits, '0');

/** Comes before every id of the webhook's records. */
export const firstOf = (webhookId: string): string => `${webhookId}-`;
/** Comes after every id of the webhook's records and before those of all others. */
export const lastOf = (webhookId: string): string => `${webhookId}~`;
/** Comes before those of the webhook's records that are of this time (ms) or later. */
export const fromOf = (webhookId: string, at: number): string => `${webhookId}-${padded(at, MS_DIGITS)}`;
/** Comes after those that are of this time (ms) or earlier. */
export const untilOf = (webhookId: string, at: number): string => `${fromOf(webhookId, at)}~`;

/** Ordered by due time, then by sequence: so first attempts of a resource are in order. */
const dueIdOf = ({ webhookId, outgoing, id }: Delivery, at: number): string =>
  `${webhookId}-${padded(at, MS_DIGITS)}-${padded(outgoing.sequence, SEQUENCE_DIGITS)}-${id}`;

const logIdOf = ({ webhookId, createdAt, id }: Delivery): string =>
  `${webhookId}-${padded(createdAt, MS_DIGITS)}-${id}`;

export const resourceOf = ({ resource }: Outgoing): string => `${resource.kind} ${resource.id}`;

export const dueRecord = (tenant: string, delivery: Delivery, at: number): SideRecord & { readonly body: Due } => {
  const { webhookId, id: deliveryId, outgoing } = delivery;
  const body = { tenant, webhookId, deliveryId, resource: resourceOf(outgoing), at };
  return { tenant: SYSTEM_TENANT, kind: DELIVERY_KINDS.due, id: dueIdOf(delivery, at), body };
};

/** How long a delivery is kept from now on. */
export const expiryOf = ({ state }: Delivery, now: number): number =>
  now + { waiting: WAITING_KEPT_MS, delivered: DELIVERED_KEPT_MS, dead: DEAD_KEPT_MS }[state];

export const logRecord = (
  tenant: string,
  delivery: Delivery,
  now: number,
): SideRecord & { readonly body: LogEntry } => {
  const { id: deliveryId, webhookId, createdAt, outgoing, state } = delivery;
  const body = { webhookId, deliveryId, at: createdAt, event: outgoing.kind, state };
  const place = { tenant, kind: DELIVERY_KINDS.log, id: logIdOf(delivery) };
  return { ...place, body, expiresAt: expiryOf(delivery, now) };
};

export const newDelivery = (webhook: Pick<Webhook, 'id'>, id: string, outgoing: Outgoing, now: number): Delivery => ({
  ...{ id, webhookId: webhook.id, outgoing, createdAt: now, state: 'waiting' },
  ...{ body: null, contentType: 'application/json', attempts: [], nextAt: now },
});
