import { scanRecords } from '#application/records/scan-records.ts';
import { notFound } from '#domain/fault.ts';
import type { Page } from '#domain/page.ts';
import type { Ports } from '#domain/ports/ports.ts';
import type { StoredRecord } from '#domain/ports/record-store.ts';
import type { Delivery } from '#features/webhooks/rules/webhook.ts';
import { DELIVERY_KINDS, fromOf, type LogEntry, lastOf, untilOf } from './records.ts';

/** Records scanned per request; the cursor continues from there. */
const MAX_SCANNED = 10_000;
const CHUNK = 500;

type DeliveryPorts = Pick<Ports, 'records'>;

export interface DeliveryFilter {
  readonly limit: number;
  readonly cursor?: string | undefined;
  readonly status?: Delivery['state'] | undefined;
  readonly event?: string | undefined;
  /** Range of creation, ms, both inclusive. */
  readonly from?: number | undefined;
  readonly to?: number | undefined;
}

const startOf = (webhookId: string, { cursor, to }: DeliveryFilter): string => {
  const end = to === undefined ? lastOf(webhookId) : untilOf(webhookId, to);
  return cursor === undefined || end < cursor ? end : cursor;
};

const matches = (webhookId: string, { status, event, from = 0 }: DeliveryFilter, entry: LogEntry): boolean =>
  entry.webhookId === webhookId &&
  (status === undefined || entry.state === status) &&
  (event === undefined || entry.event === event) &&
  entry.at >= from;

/** Deliveries of a webhook, newest first. `total` counts matches among the scanned records, from the cursor on. */
export const listDeliveries = async (
  { records }: DeliveryPorts,
  tenant: string,
  webhookId: string,
  filter: DeliveryFilter,
): Promise<Page<Delivery>> => {
  const { items, ...page } = await scanRecords<LogEntry>(records, tenant, {
    kind: DELIVERY_KINDS.log,
    descending: true,
    limit: filter.limit,
    atMost: MAX_SCANNED,
    chunk: CHUNK,
    after: startOf(webhookId, filter),
    until: fromOf(webhookId, filter.from ?? 0),
    matches: (entry) => matches(webhookId, filter, entry),
  });
  const stored = await Promise.all(
    items.map(({ body }) => records.get<Delivery>(tenant, DELIVERY_KINDS.delivery, body.deliveryId)),
  );
  return { ...page, items: stored.flatMap((one) => one?.body ?? []) };
};

/** Throws Fault `not-found`, also for deliveries of another webhook. */
export const findDelivery = async (
  { records }: DeliveryPorts,
  tenant: string,
  webhookId: string,
  id: string,
): Promise<StoredRecord<Delivery>> => {
  const stored = await records.get<Delivery>(tenant, DELIVERY_KINDS.delivery, id);
  if (stored?.body.webhookId !== webhookId) throw notFound('Delivery', id);
  return stored;
};
