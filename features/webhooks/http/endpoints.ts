import { z } from 'zod';
import { onBoth, onBothList } from '#api/surfaces/both.ts';
import { type AnyEndpoint, endpoint } from '#api/surfaces/endpoint.ts';
import type { Page } from '#domain/page.ts';
import type { Delivery } from '#features/webhooks/rules/webhook.ts';
import {
  DeliveriesQuery,
  DeliveryBody,
  DeliveryDetail,
  deliveryBody,
  deliveryDetail,
  Redelivered,
  RedeliveryRequest,
  WebhookDetail,
} from '#features/webhooks/schemas/deliveries.ts';
import {
  deliveriesOf,
  type OfWebhook,
  type OneDelivery,
  type Redelivery,
  readDelivery,
  redeliverOne,
  redeliverSome,
  resumeWebhook,
  testWebhook,
  type WatchedWebhook,
} from '#features/webhooks/use-cases/managing/manage-deliveries.ts';
import { managing, presentWatched, WebhookPath, type WebhookRequest } from './managing.ts';
import { registrationEndpoints } from './webhook-endpoints.ts';

const queued = (delivery: Delivery) => ({ status: 202, body: deliveryBody(delivery) });

const test = endpoint<string, Delivery>({
  ...managing,
  id: 'webhooks.test',
  summary: 'Send a test delivery',
  description: 'Returns the queued delivery. See the deliveries for the result.',
  alsoFaults: ['conflict'],
  mounts: onBoth.post('/webhooks/{id}/test', DeliveryBody, {
    status: 202,
    params: WebhookPath,
    read: ({ params }: WebhookRequest) => params.id,
    present: queued,
  }),
  handle: (id, context) => testWebhook(context, id),
});

const resume = endpoint<string, WatchedWebhook>({
  ...managing,
  id: 'webhooks.resume',
  summary: 'Resume a webhook',
  description: 'Events that occurred while it was disabled are not sent.',
  mounts: onBoth.post('/webhooks/{id}/resume', WebhookDetail, {
    params: WebhookPath,
    replyHeaders: ['ETag'],
    read: ({ params }: WebhookRequest) => params.id,
    present: presentWatched,
  }),
  handle: (id, context) => resumeWebhook(context, id),
});

type DeliveryListQuery = z.output<typeof DeliveriesQuery>;
interface DeliveriesPage {
  readonly query: DeliveryListQuery;
  readonly found: Page<Delivery>;
}
const listDeliveries = endpoint<OfWebhook & DeliveryListQuery, DeliveriesPage>({
  ...managing,
  id: 'webhooks.deliveries.list',
  summary: 'List webhook deliveries',
  description:
    'from and to filter by creation time. Scans up to 10,000 deliveries per request. Continue with pagination.nextCursor.',
  mounts: onBothList.get('/webhooks/{id}/deliveries', DeliveryBody, {
    params: WebhookPath,
    query: DeliveriesQuery,
    read: ({ params, query }: WebhookRequest & { query: DeliveryListQuery }) => ({ id: params.id, ...query }),
    present: ({ query: { limit, cursor }, found }: DeliveriesPage) => ({
      body: found.items.map(deliveryBody),
      page: { page: 1, limit, total: found.total, nextCursor: found.nextCursor, isBehindCursor: cursor !== undefined },
    }),
  }),
  handle: async ({ id, ...query }, context) => ({ query, found: await deliveriesOf(context, { id, ...query }) }),
});

const DeliveryPath = z.object({ id: z.string(), delivery: z.string() });
const getDelivery = endpoint<OneDelivery, Delivery>({
  ...managing,
  id: 'webhooks.deliveries.get',
  summary: 'Get a delivery',
  mounts: onBoth.get('/webhooks/{id}/deliveries/{delivery}', DeliveryDetail, {
    params: DeliveryPath,
    read: ({ params }) => params,
    present: (delivery: Delivery) => ({ body: deliveryDetail(delivery) }),
  }),
  handle: (asked, context) => readDelivery(context, asked),
});

const redeliver = endpoint<OneDelivery, Delivery>({
  ...managing,
  id: 'webhooks.deliveries.redeliver',
  summary: 'Redeliver a delivery',
  mounts: onBoth.post('/webhooks/{id}/deliveries/{delivery}/redeliver', DeliveryBody, {
    status: 202,
    params: DeliveryPath,
    read: ({ params }) => params,
    present: queued,
  }),
  handle: (asked, context) => redeliverOne(context, asked),
});

const redeliverAll = endpoint<Redelivery, number>({
  ...managing,
  id: 'webhooks.redeliver',
  summary: 'Redeliver deliveries in bulk',
  description: 'Up to 1,000 per request, newest first. An empty object selects all dead deliveries.',
  mounts: onBoth.post('/webhooks/{id}/redeliver', Redelivered, {
    status: 202,
    params: WebhookPath,
    body: RedeliveryRequest,
    read: ({ params, body }: WebhookRequest & { body: Omit<Redelivery, 'id'> }) => ({ id: params.id, ...body }),
    present: (count: number) => ({
      status: 202,
      body: { redelivered: count, message: count === 1 ? '1 delivery queued' : `${count} deliveries queued` },
    }),
  }),
  handle: (asked, context) => redeliverSome(context, asked),
});

const deliveryEndpoints = [test, resume, listDeliveries, getDelivery, redeliver, redeliverAll];

export const webhooksEndpoints: readonly AnyEndpoint[] = [...registrationEndpoints, ...deliveryEndpoints];
