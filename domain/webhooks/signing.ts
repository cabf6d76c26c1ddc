import { SECRET_PREFIX } from './secret.ts';
import type { Secret, Webhook } from './webhook.ts';

/* Standard Webhooks 1.0: who has the secret can tell that a delivery is ours, whole and new. */

/** HMAC-SHA-256 of the text, in base64; the key in base64, too. */
export type Hmac = (keyBase64: string, text: string) => string;

const isValid = ({ until }: Secret, seconds: number): boolean => until === null || until > seconds * 1_000;

/** Headers of one attempt; `seconds`: of the attempt, as receivers refuse old ones. */
export const signedHeaders = (
  hmac: Hmac,
  { secrets }: Pick<Webhook, 'secrets'>,
  deliveryId: string,
  seconds: number,
  body: string,
): Record<string, string> => ({
  'webhook-id': deliveryId,
  'webhook-timestamp': String(seconds),
  'webhook-signature': secrets
    .filter((secret) => isValid(secret, seconds))
    .map(({ value }) => `v1,${hmac(value.slice(SECRET_PREFIX.length), `${deliveryId}.${seconds}.${body}`)}`)
    .join(' '),
});
