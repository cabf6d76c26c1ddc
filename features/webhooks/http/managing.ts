import { z } from 'zod';
import type { Context } from '#api/surfaces/endpoint.ts';
import { entityTag } from '#application/records/if-match.ts';
import { receiverBody } from '#features/webhooks/schemas/deliveries.ts';
import { webhookBody } from '#features/webhooks/schemas/webhooks.ts';
import type { WatchedWebhook } from '#features/webhooks/use-cases/managing/manage-deliveries.ts';

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
