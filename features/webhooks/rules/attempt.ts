import { SECRET_PREFIX } from './secret.ts';
import { type Delivery, ROUTING_KEY_HEADER, type Secret, type Webhook } from './webhook.ts';

/* Standard Webhooks 1.0: receivers with the secret can verify that a delivery is authentic, complete and new. */

/** HMAC-SHA-256 of the text, in base64; the key in base64, too. */
type Hmac = (keyBase64: string, text: string) => string;

const isValid = ({ until }: Secret, seconds: number): boolean => until === null || until > seconds * 1_000;

/** Headers of one attempt; `seconds`: of the attempt, as receivers refuse old ones. */
const signedHeaders = (
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

const headerOf = ({ headers }: Pick<Webhook, 'headers'>, lower: string): string | undefined =>
  Object.entries(headers).find(([name]) => name.toLowerCase() === lower)?.[1];

/** PagerDuty requires its key in the body. The stored body has none, so that no delivery log shows it. */
const sentBody = (webhook: Pick<Webhook, 'format' | 'headers'>, body: string): string =>
  webhook.format === 'pagerduty'
    ? JSON.stringify({ routing_key: headerOf(webhook, ROUTING_KEY_HEADER), ...(JSON.parse(body) as object) })
    : body;

export interface SignedRequest {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Headers and body of one attempt at `now` (ms) of a delivery that has its body. */
export const signedRequest = (
  hmac: Hmac,
  webhook: Webhook,
  { id, body, contentType }: Pick<Delivery, 'id' | 'contentType'> & { readonly body: string },
  now: number,
): SignedRequest => {
  const sent = sentBody(webhook, body);
  const signed = signedHeaders(hmac, webhook, id, Math.floor(now / 1_000), sent);
  return {
    headers: { 'user-agent': 'Faultline', ...webhook.headers, 'content-type': contentType, ...signed },
    body: sent,
  };
};
