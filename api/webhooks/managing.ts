import { z } from 'zod';

/** What all endpoints of webhooks have in common. */
export const managing = { tag: 'Webhooks', permission: 'webhooks.manage', limit: 'standard' } as const;

export const WebhookPath = z.object({ id: z.string() });
export interface WebhookRequest {
  readonly params: { readonly id: string };
}
