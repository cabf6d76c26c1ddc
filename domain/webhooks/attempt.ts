import { type Hmac, signedHeaders } from './signing.ts';
import { type Delivery, ROUTING_KEY_HEADER, type Webhook } from './webhook.ts';

const headerOf = ({ headers }: Pick<Webhook, 'headers'>, lower: string): string | undefined =>
  Object.entries(headers).find(([name]) => name.toLowerCase() === lower)?.[1];

/** PagerDuty takes its key in the body alone. The stored body has none, so that no delivery log shows it. */
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
