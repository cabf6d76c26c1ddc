import { SYSTEM_TENANT } from '#domain/ports/record-store.ts';
import type { SideRecord } from '#domain/side-record.ts';
import type { Delivery, DeliveryState, Outgoing, Webhook } from '#features/webhooks/rules/webhook.ts';

/** The bell of deliveries. */
export const DELIVER = 'deliver-webhooks';

export const DELIVERY_KINDS = {
  /** Stored in the tenant, by delivery id. */
  delivery: 'webhook-delivery',
  /** Stored in the tenant, by webhook and time: read by lists. */
  log: 'webhook-log',
  /** Stored without a tenant, by webhook and due time: one scan finds the webhooks of all tenants with due work. */
  due: 'webhook-due',
  /** Stored in the tenant, by webhook. */
  state: 'webhook-state',
  /** Stored without a tenant, by webhook and kind. */
  overflow: 'webhook-overflow',
  /** Stored without a tenant: changes of CIs and relationships, stored with them. */
  outgoing: 'outgoing',
  /** Stored without a tenant, by webhook and resume: deliveries waiting then are due at once. */
  resumed: 'webhook-resumed',
} as const;

const DAY_MS = 24 * 3_600_000;
const KEPT_MS: Readonly<Record<DeliveryState, number>> = {
  delivered: 7 * DAY_MS,
  skipped: 7 * DAY_MS,
  dead: 30 * DAY_MS,
  /** Longer than all retries; deliveries waiting for a webhook that stays inactive are deleted then. */
  waiting: 40 * DAY_MS,
};

export interface Due {
  readonly tenant: string;
  readonly webhookId: string;
  readonly deliveryId: string;
  /** Kind and id: one delivery at a time. */
  readonly resource: string;
  readonly at: number;
  /** That of the delivery, as long as this is its place. */
  readonly turn: number;
}

export interface LogEntry {
  readonly webhookId: string;
  readonly deliveryId: string;
  /** Creation of the delivery, ms. */
  readonly at: number;
  readonly event: Outgoing['kind'];
  readonly state: DeliveryState;
}

const MS_DIGITS = 13;
const SEQUENCE_DIGITS = 16;
const padded = (number: number, digits: number): string => String(Math.max(0, number)).padStart(digits, '0');

/** Sorts before every id of the webhook's records. */
export const firstOf = (webhookId: string): string => `${webhookId}-`;
/** Sorts after every id of the webhook's records and before those of all others. */
export const lastOf = (webhookId: string): string => `${webhookId}~`;
/** Sorts before those of the webhook's records that are of this time (ms) or later. */
export const fromOf = (webhookId: string, at: number): string => `${webhookId}-${padded(at, MS_DIGITS)}`;
/** Sorts after records of this time (ms) or earlier. */
export const untilOf = (webhookId: string, at: number): string => `${fromOf(webhookId, at)}~`;

/** Ordered by due time, then by sequence: so first attempts of a resource are in order. Never that of an earlier place. */
const dueIdOf = ({ webhookId, outgoing, id, turn }: Delivery, at: number): string =>
  `${fromOf(webhookId, at)}-${padded(outgoing.sequence, SEQUENCE_DIGITS)}-${id}-${turn}`;

/** Those made in the same ms are in the order in which they happened. */
const logIdOf = ({ webhookId, createdAt, outgoing: { at, sequence }, id }: Delivery): string =>
  `${fromOf(webhookId, createdAt)}-${padded(at, MS_DIGITS)}-${padded(sequence, SEQUENCE_DIGITS)}-${id}`;

export const resourceOf = ({ resource }: Outgoing): string => `${resource.kind} ${resource.id}`;

/** The place of a waiting delivery in the queue; none of any other. */
export const dueRecords = (tenant: string, delivery: Delivery): (SideRecord & { readonly body: Due })[] => {
  const { webhookId, id: deliveryId, outgoing, nextAt: at, turn } = delivery;
  if (at === null) return [];
  const body = { tenant, webhookId, deliveryId, resource: resourceOf(outgoing), at, turn };
  return [{ tenant: SYSTEM_TENANT, kind: DELIVERY_KINDS.due, id: dueIdOf(delivery, at), body }];
};

/** The delivery with another place in the queue, or none. */
export const placed = (delivery: Delivery, nextAt: number | null): Delivery => ({
  ...delivery,
  nextAt,
  turn: delivery.turn + 1,
});

/** Returns the remaining retention of a delivery. */
export const expiryOf = ({ state }: Delivery, now: number): number => now + KEPT_MS[state];

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

/** Made `now` and due `at`, ms. */
export const newDelivery = (
  webhook: Pick<Webhook, 'id'>,
  id: string,
  outgoing: Outgoing,
  { now, at = now }: { readonly now: number; readonly at?: number },
): Delivery => ({
  id,
  webhookId: webhook.id,
  outgoing,
  createdAt: now,
  state: 'waiting',
  body: null,
  contentType: 'application/json',
  attempts: [],
  nextAt: at,
  turn: 0,
});
