import type { StandardBody } from '#domain/webhooks/body.ts';
import type { Webhook } from '#domain/webhooks/webhook.ts';

export interface Formatted {
  readonly body: string;
  readonly contentType: string;
}

/** The body in the form that the receiver takes; null when it has nothing to say of it. */
export const formatted = (_format: Webhook['format'], body: StandardBody): Formatted | null => ({
  body: JSON.stringify(body),
  contentType: 'application/json',
});
