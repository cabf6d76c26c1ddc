import { z } from 'zod';
import { both, bothList } from '#api/surfaces/both.ts';
import { endpoint } from '#api/surfaces/endpoint.ts';
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

const queued = (delivery: Delivery) => ({ status: 202, body: deliveryBody(delivery) });

const tested = {
  method: 'post',
  path: '/webhooks/{id}/test',
  status: 202,
  params: WebhookPath,
  read: ({ params }: WebhookRequest) => params.id,
  present: queued,
} as const;
const test = endpoint<string, Delivery>({
  ...managing,
  id: 'webhooks.test',
  summary: 'Send a test to a webhook, whatever it subscribes to',
  description: 'The reply is the delivery; what became of it is among the deliveries a moment later.',
  alsoFaults: ['conflict'],
  mounts: both(tested, DeliveryBody),
  handle: (id, context) => testWebhook(context, id),
});

const resumed = {
  method: 'post',
  path: '/webhooks/{id}/resume',
  params: WebhookPath,
  replyHeaders: ['ETag'],
  read: ({ params }: WebhookRequest) => params.id,
  present: presentWatched,
} as const;
const resume = endpoint<string, WatchedWebhook>({
  ...managing,
  id: 'webhooks.resume',
  summary: 'Switch a webhook on and end its rest: what waits is sent now',
  description: 'What happened while it was switched off is not sent.',
  mounts: both(resumed, WebhookDetail),
  handle: (id, context) => resumeWebhook(context, id),
});

type Query = z.output<typeof DeliveriesQuery>;
interface Listed {
  readonly query: Query;
  readonly found: Page<Delivery>;
}
const listed = {
  method: 'get',
  path: '/webhooks/{id}/deliveries',
  params: WebhookPath,
  query: DeliveriesQuery,
  read: ({ params, query }: WebhookRequest & { query: Query }) => ({ id: params.id, ...query }),
  present: ({ query: { limit, cursor }, found }: Listed) => ({
    body: found.items.map(deliveryBody),
    page: { page: 1, limit, total: found.total, nextCursor: found.nextCursor, isBehindCursor: cursor !== undefined },
  }),
} as const;
const listDeliveries = endpoint<OfWebhook & Query, Listed>({
  ...managing,
  id: 'webhooks.deliveries.list',
  summary: 'List the deliveries of a webhook, newest first',
  description:
    'from and to are about when a delivery was made. At most 10,000 are looked at per request; pagination.nextCursor goes on from there.',
  mounts: bothList(listed, DeliveryBody),
  handle: async ({ id, ...query }, context) => ({ query, found: await deliveriesOf(context, { id, ...query }) }),
});

const DeliveryPath = z.object({ id: z.string(), delivery: z.string() });
const got = {
  method: 'get',
  path: '/webhooks/{id}/deliveries/{delivery}',
  params: DeliveryPath,
  read: ({ params }: { params: OneDelivery }) => params,
  present: (delivery: Delivery) => ({ body: deliveryDetail(delivery) }),
} as const;
const getDelivery = endpoint<OneDelivery, Delivery>({
  ...managing,
  id: 'webhooks.deliveries.get',
  summary: 'Show a delivery with its attempts and its body',
  mounts: both(got, DeliveryDetail),
  handle: (asked, context) => readDelivery(context, asked),
});

const again = {
  method: 'post',
  path: '/webhooks/{id}/deliveries/{delivery}/redeliver',
  status: 202,
  params: DeliveryPath,
  read: ({ params }: { params: OneDelivery }) => params,
  present: queued,
} as const;
const redeliver = endpoint<OneDelivery, Delivery>({
  ...managing,
  id: 'webhooks.deliveries.redeliver',
  summary: 'Send a delivery again, with the same id and body',
  mounts: both(again, DeliveryBody),
  handle: (asked, context) => redeliverOne(context, asked),
});

const some = {
  method: 'post',
  path: '/webhooks/{id}/redeliver',
  status: 202,
  params: WebhookPath,
  body: RedeliveryRequest,
  read: ({ params, body }: WebhookRequest & { body: Omit<Redelivery, 'id'> }) => ({ id: params.id, ...body }),
  present: (count: number) => ({
    status: 202,
    body: {
      redelivered: count,
      message: count === 1 ? '1 delivery is sent again' : `${count} deliveries are sent again`,
    },
  }),
} as const;
const redeliverAll = endpoint<Redelivery, number>({
  ...managing,
  id: 'webhooks.redeliver',
  summary: 'Send deliveries again: those of a range, or by id',
  description: 'At most 1,000 per request, the newest first. An empty object stands for all that are dead.',
  mounts: both(some, Redelivered),
  handle: (asked, context) => redeliverSome(context, asked),
});

export const deliveryEndpoints = [test, resume, listDeliveries, getDelivery, redeliver, redeliverAll];
