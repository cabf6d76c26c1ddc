import type { z } from 'zod';
import type { AddressQuery } from '#console/api/link/address.ts';
import type { Call, Reply } from '#console/api/link/call.ts';
import type { List } from '#console/api/list.ts';
import type {
  DeliveryBody,
  DeliveryDetail,
  ListedWebhook,
  Redelivered,
  WebhookDetail,
} from '#features/webhooks/schemas/deliveries.ts';
import type { NewWebhook, WebhookReplacement, WebhookWithSecret } from '#features/webhooks/schemas/webhooks.ts';

export type WebhookData = z.output<typeof ListedWebhook>;
export type WebhookDetails = z.output<typeof WebhookDetail>;
export type WebhookSecret = z.output<typeof WebhookWithSecret>;
export type WebhookSettingsInput = z.input<typeof WebhookReplacement>;
export type DeliveryData = z.output<typeof DeliveryBody>;
export type DeliveryText = z.output<typeof DeliveryDetail>;

/** The current webhook, with the tag that a change must send. */
export interface ReadWebhook {
  readonly webhook: WebhookDetails;
  readonly etag: string | null;
}

/** A tenant has at most 20. */
export const listWebhooks = async (call: Call, signal?: AbortSignal): Promise<readonly WebhookData[]> =>
  (await call<List<WebhookData>>('GET /api/webhooks', { query: { limit: 100 }, signal })).data;

export const readWebhook = async (call: Call, id: string, signal?: AbortSignal): Promise<ReadWebhook> => {
  const { body, etag } = await call.whole<Reply<WebhookDetails>>('GET /api/webhooks/{id}', { params: { id }, signal });
  return { webhook: body.data, etag };
};

export const makeWebhook = async (call: Call, wish: z.input<typeof NewWebhook>): Promise<WebhookSecret> =>
  (await call<Reply<WebhookSecret>>('POST /api/webhooks', { body: wish })).data;

export const changeWebhook = (
  call: Call,
  id: string,
  wish: WebhookSettingsInput,
  etag: string | null,
): Promise<unknown> => call('PUT /api/webhooks/{id}', { params: { id }, body: wish, etag });

export const renewSecret = async (call: Call, id: string, grace: string): Promise<WebhookSecret> =>
  (await call<Reply<WebhookSecret>>('POST /api/webhooks/{id}/rotate-secret', { params: { id }, body: { grace } })).data;

export const testWebhook = (call: Call, id: string): Promise<unknown> =>
  call('POST /api/webhooks/{id}/test', { params: { id } });

export const resumeWebhook = (call: Call, id: string): Promise<unknown> =>
  call('POST /api/webhooks/{id}/resume', { params: { id } });

export const removeWebhook = (call: Call, id: string): Promise<unknown> =>
  call('DELETE /api/webhooks/{id}', { params: { id } });

export const listDeliveries = (
  call: Call,
  id: string,
  query: AddressQuery,
  signal?: AbortSignal,
): Promise<List<DeliveryData>> =>
  call<List<DeliveryData>>('GET /api/webhooks/{id}/deliveries', {
    params: { id },
    query: { limit: 50, ...query },
    signal,
  });

export const readDelivery = async (
  call: Call,
  id: string,
  delivery: string,
  signal?: AbortSignal,
): Promise<DeliveryText> => {
  const asked = { params: { id, delivery }, signal };
  return (await call<Reply<DeliveryText>>('GET /api/webhooks/{id}/deliveries/{delivery}', asked)).data;
};

export const redeliver = (call: Call, id: string, delivery: string): Promise<unknown> =>
  call('POST /api/webhooks/{id}/deliveries/{delivery}/redeliver', { params: { id, delivery } });

/** All that are dead, at most 1,000 at a time. */
export const redeliverDead = async (call: Call, id: string): Promise<z.output<typeof Redelivered>> =>
  (await call<Reply<z.output<typeof Redelivered>>>('POST /api/webhooks/{id}/redeliver', { params: { id }, body: {} }))
    .data;
