import { z } from 'zod';
import type { Context } from '#api/surfaces/endpoint.ts';
import { entityTag } from '#application/records/if-match.ts';
import type { WatchedWebhook } from '#application/webhooks/managing/manage-deliveries.ts';
import { receiverBody } from '#schemas/http/webhooks/deliveries.ts';
import { webhookBody } from '#schemas/http/webhooks/webhooks.ts';

/** Shared by all endpoints of webhooks. */
export const managing = { tag: 'Webhooks', permission: 'webhooks.manage', limit: 'standard' } as const;

export const WebhookPath = z.object({ id: z.string() });
export interface WebhookRequest {
  readonly params: { readonly id: string };
}

export const presentWatched = (one: WatchedWebhook, { receivedAt }: Context) => ({
  body: { ...webhookBody(one.body, receivedAt), receiver: receiverBody(one) },
  headers: { ETag: entityTag(one.revision) },
});
