import { z } from 'zod';
import { eventIdOf } from '#domain/event/event.ts';
import {
  DELIVERABLE_KINDS,
  DELIVERY_STATES,
  type Delivery,
  type Resource,
  type Webhook,
} from '#features/webhooks/rules/webhook.ts';
import { notWith } from '#schemas/http/common.ts';
import { pageFields } from '#schemas/http/paging.ts';
import { IsoTime, iso, isoOrNull, Time } from '#schemas/http/time.ts';
import { WebhookBody, webhookBody } from './webhooks.ts';

/** Deliveries of webhooks as they are shown and sent again (docs/webhooks.md). */

const Receiver = z
  .object({
    waiting: z.int().min(0).meta({ description: 'Pending deliveries; 10,001 means more than 10,000' }),
    failures_in_row: z.int().min(0),
    rests_until: IsoTime.nullable().meta({ description: 'Paused until then after repeated failures' }),
    last_success_at: IsoTime.nullable().meta({ description: 'To the minute' }),
    last_failure_at: IsoTime.nullable(),
  })
  .meta({ id: 'WebhookReceiver' });
const { failures_in_row, last_success_at, last_failure_at } = Receiver.shape;
export const ListedWebhook = WebhookBody.extend({
  rests_until: IsoTime.nullable().meta({
    description: 'Paused until then after repeated failures; null if not paused',
  }),
  failures_in_row,
  last_success_at,
  last_failure_at,
}).meta({ id: 'ListedWebhook' });
export const WebhookDetail = WebhookBody.extend({ receiver: Receiver }).meta({ id: 'WebhookDetail' });

/** Recent state of the receiver. */
interface Lately {
  readonly failures: number;
  readonly restsUntil: number | null;
  readonly lastSuccessAt: number | null;
  readonly lastFailureAt: number | null;
}
const latelyBody = ({ failures, lastSuccessAt, lastFailureAt }: Lately) => ({
  failures_in_row: failures,
  last_success_at: isoOrNull(lastSuccessAt),
  last_failure_at: isoOrNull(lastFailureAt),
});
export const receiverBody = ({
  waiting,
  state,
}: {
  readonly waiting: number;
  readonly state: Lately;
}): z.output<typeof Receiver> => ({ waiting, ...latelyBody(state), rests_until: isoOrNull(state.restsUntil) });

export const listedWebhook = (
  { webhook, state }: { readonly webhook: Webhook; readonly state: Lately },
  now: number,
): z.output<typeof ListedWebhook> => ({
  ...webhookBody(webhook, now),
  ...latelyBody(state),
  rests_until: isoOrNull(state.restsUntil !== null && state.restsUntil > now ? state.restsUntil : null),
});

const DeliveryKind = z.enum(DELIVERABLE_KINDS);
const Status = z.enum(DELIVERY_STATES).meta({
  description: "skipped: not sent because the format doesn't cover it or the event is not a root cause",
});
const deliveryId = z.string().min(1).max(64);

export const DeliveriesQuery = z.strictObject({
  limit: pageFields({ limit: 50, max: 200 }).limit,
  cursor: pageFields({ limit: 50, max: 200 }).cursor,
  status: Status.optional(),
  event: DeliveryKind.optional(),
  from: Time.optional(),
  to: Time.optional(),
});

/** Filter of finished deliveries; waiting ones are sent anyway. */
export const RedeliveryRequest = z
  .strictObject({
    ids: z.array(deliveryId).min(1).max(100).optional().meta({ description: 'Delivery IDs, instead of a time range' }),
    status: z.enum(['dead', 'delivered']).default('dead'),
    from: Time.optional(),
    to: Time.optional(),
  })
  .refine(({ ids, from, to }) => ids === undefined || (from === undefined && to === undefined), {
    error: 'expected either ids or a time range',
    path: ['ids'],
  })
  .meta({
    id: 'RedeliveryRequest',
    ...notWith('ids', 'from', 'to'),
    example: { status: 'dead', from: '2026-11-20T02:00:00.000Z', to: '2026-11-20T06:00:00.000Z' },
  });
export const Redelivered = z
  .object({ redelivered: z.int().min(0), message: z.string() })
  .meta({ id: 'RedeliveredDeliveries' });

const AttemptBody = z.object({
  at: IsoTime,
  status: z.int().nullable().meta({ description: 'HTTP status; null without a response' }),
  ms: z.number(),
  error: z.string().nullable().meta({ description: 'Error; null on success' }),
});
export const DeliveryBody = z
  .object({
    id: deliveryId,
    webhook_id: z.string(),
    event: DeliveryKind,
    resource: z
      .object({
        kind: z.string(),
        id: z.string(),
        name: z.string().nullable().meta({ description: 'Name at that time, for CIs and webhooks' }),
      })
      .meta({ description: 'Subject of the delivery' }),
    sequence: z.number(),
    status: Status,
    happened_at: IsoTime,
    created_at: IsoTime,
    next_attempt_at: IsoTime.nullable(),
    attempts: z.array(AttemptBody),
  })
  .meta({ id: 'WebhookDelivery' });
export const DeliveryDetail = DeliveryBody.extend({
  content_type: z.string(),
  body: z.string().nullable().meta({ description: 'Body as sent, without keys; null before the first attempt' }),
}).meta({ id: 'WebhookDeliveryDetail' });

const resourceBody = ({ kind, id, name }: Resource) => ({
  kind,
  id: kind === 'event' ? eventIdOf(id) : id,
  name: name ?? null,
});

export const deliveryBody = (delivery: Delivery): z.output<typeof DeliveryBody> => {
  const { id, webhookId, outgoing, state, createdAt, nextAt, attempts } = delivery;
  const { kind, resource, sequence, at } = outgoing;
  return {
    id,
    webhook_id: webhookId,
    event: kind,
    resource: resourceBody(resource),
    sequence,
    status: state,
    happened_at: iso(at),
    created_at: iso(createdAt),
    next_attempt_at: isoOrNull(nextAt),
    attempts: attempts.map((attempt) => ({ ...attempt, at: iso(attempt.at) })),
  };
};
export const deliveryDetail = (delivery: Delivery): z.output<typeof DeliveryDetail> => ({
  ...deliveryBody(delivery),
  content_type: delivery.contentType,
  body: delivery.body,
});
