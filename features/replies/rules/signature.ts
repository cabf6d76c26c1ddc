import { SECRET_PREFIX } from '#features/webhooks/rules/secret.ts';
import type { DeliveryFormat, Webhook } from '#features/webhooks/rules/webhook.ts';

/* Signatures of replies: those of the service where it has one, else Standard Webhooks 1.0, as on deliveries. */

/** HMAC-SHA-256 of the text, in base64; the key in base64, too. */
type Hmac = (keyBase64: string, text: string) => string;

export interface SignedReply {
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly text: string;
}

/** Age of a signed reply, ms: older ones may be replayed. */
const FRESH_MS = 5 * 60_000;

/** Compares hashes of both, whose time reveals nothing about either. */
const isSame = (hmac: Hmac, one: string, other: string): boolean => hmac(other, one) === hmac(other, other);

const isFresh = (seconds: string | undefined, now: number): boolean =>
  seconds !== undefined && /^\d{1,12}$/.test(seconds) && Math.abs(now - Number(seconds) * 1_000) <= FRESH_MS;

/** Hex digits, as services write them, of a secret that is text. */
const hexOf = (hmac: Hmac, secret: string, text: string): string =>
  Buffer.from(hmac(Buffer.from(secret, 'utf8').toString('base64'), text), 'base64').toString('hex');

type Verify = (hmac: Hmac, webhook: Webhook, reply: SignedReply, now: number) => boolean;

/** Accepts one of several signatures, for rotation. PagerDuty signs no time: replays are known by their id. */
const byPagerDuty: Verify = (hmac, { replySecret }, { headers, text }) => {
  const signatures = headers['x-pagerduty-signature']?.split(',').slice(0, 10) ?? [];
  if (replySecret === undefined) return false;
  const right = `v1=${hexOf(hmac, replySecret, text)}`;
  return signatures.some((one) => isSame(hmac, one.trim(), right));
};

const bySlack: Verify = (hmac, { replySecret }, { headers, text }, now) => {
  const { 'x-slack-request-timestamp': seconds, 'x-slack-signature': signature = '' } = headers;
  if (replySecret === undefined || !isFresh(seconds, now)) return false;
  return isSame(hmac, signature, `v0=${hexOf(hmac, replySecret, `v0:${seconds}:${text}`)}`);
};

const byOwnSecret: Verify = (hmac, { secrets }, { headers, text }, now) => {
  const { 'webhook-id': id, 'webhook-timestamp': seconds, 'webhook-signature': said = '' } = headers;
  if (id === undefined || !isFresh(seconds, now)) return false;
  const right = secrets
    .filter(({ until }) => until === null || until > now)
    .map(({ value }) => `v1,${hmac(value.slice(SECRET_PREFIX.length), `${id}.${seconds}.${text}`)}`);
  return said
    .split(' ')
    .slice(0, 10)
    .some((one) => right.some((own) => isSame(hmac, one, own)));
};

const VERIFIES: Readonly<Partial<Record<DeliveryFormat, Verify>>> = { pagerduty: byPagerDuty, slack: bySlack };

export const isSigned: Verify = (hmac, webhook, reply, now) =>
  (VERIFIES[webhook.format] ?? byOwnSecret)(hmac, webhook, reply, now);
