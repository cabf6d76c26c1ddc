import { z } from 'zod';
import { MAX_OVERLAP_MS } from '#domain/access/expiry.ts';
import { SEVERITIES } from '#domain/event/event.ts';
import { earlierSecretEnds, secretHint } from '#features/webhooks/rules/secret.ts';
import { shownAddress } from '#features/webhooks/rules/shown-address.ts';
import {
  type DeliveryFormat,
  FORMATS,
  MAX_EVENTS,
  MAX_HEADERS,
  ROUTING_KEY_HEADER,
  WEBHOOK_KINDS,
  type Webhook,
} from '#features/webhooks/rules/webhook.ts';
import { digitsPattern, IPV4, IPV6, oneShapeOf } from '#schemas/http/common.ts';
import { duration } from '#schemas/http/duration.ts';
import { IsoTime, iso, isoOrNull } from '#schemas/http/time.ts';

/** Registrations of webhooks in requests and replies (docs/webhooks.md). */

const name = z.string().trim().min(1).max(255);
const Kind = z.enum([...WEBHOOK_KINDS, '*']);

/** Set by us, or about one connection (RFC 9110, 7.6.1). */
const OWN_HEADER =
  /^(host|expect|connection|keep-alive|te|trailer|transfer-encoding|upgrade|proxy-[!-~]*|content-[!-~]*|webhook-[!-~]*)$/i;

/** True if a registration may not set this header. */
const isOurHeader = (name: string): boolean => OWN_HEADER.test(name);

const HEADER_NAME = /^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,128}$/;
const HEADER_VALUE = /^[!-~]([ -~]{0,1022}[!-~])?$/;
const Headers = z
  .record(
    z.string().regex(HEADER_NAME, 'expected a header name'),
    z.string().regex(HEADER_VALUE, 'expected 1 to 1,024 printable ASCII characters'),
  )
  .superRefine((headers, problems) => {
    const names = Object.keys(headers);
    if (names.length > MAX_HEADERS) problems.addIssue(`expected at most ${MAX_HEADERS} headers`);
    const seen = new Set<string>();
    for (const one of names) {
      if (isOurHeader(one)) problems.addIssue({ code: 'custom', path: [one], message: 'is set by Faultline' });
      if (seen.has(one.toLowerCase())) problems.addIssue({ code: 'custom', path: [one], message: 'duplicate header' });
      seen.add(one.toLowerCase());
    }
  });

const words = z.array(z.string().trim().min(1).max(255)).min(1).max(100);
const Filter = z
  .strictObject({
    minSeverity: z.enum(SEVERITIES).optional(),
    services: words.optional(),
    sources: words.optional(),
    tags: words.optional(),
    ciTypes: words.optional(),
    onlyCauses: z.boolean().optional().meta({ description: 'Only probable root causes and ungrouped events' }),
  })
  .meta({ id: 'WebhookFilter', description: 'All given conditions must match' });

/** Hosts as `URL` reads them, for readers of the document; the server decides which addresses are public. */
const HOST = `(?:[\\w-]+\\.)*[A-Za-z_][\\w-]*|${IPV4}|\\[(?:${IPV6})\\]`;
const URL_PATTERN = `^\\s*[Hh][Tt][Tt][Pp][Ss]?://(?:${HOST})(?::${digitsPattern(0, 65_535)})?(?:[/?#]\\S*)?\\s*$`;
const fields = {
  name,
  url: z.string().trim().min(1).max(2_048).meta({
    description: 'Public HTTP or HTTPS URL',
    example: 'https://hooks.example.com/faultline',
    pattern: URL_PATTERN,
  }),
  events: z.array(Kind).min(1).max(MAX_EVENTS).meta({ description: 'Subscribed event kinds; `*` for all' }),
  active: z.boolean().default(true),
  format: z.enum(FORMATS).default('standard').meta({ description: 'Payload format' }),
  filter: Filter.nullable().default(null),
};
const replySecret = z
  .string()
  .regex(/^[!-~]{16,256}$/, 'expected 16 to 256 printable ASCII characters without spaces')
  .optional()
  .meta({
    description: 'Signing secret of the Slack app, or of the PagerDuty webhook subscription; write-only',
    example: '8f742231b10e8888abcd99yyyzzz85a5',
  });
const headersMeta = { description: 'Headers sent with each delivery; values are write-only' };
/** Schema for readers of the document: headers have names in any case, of which two are common. */
const routed = {
  if: { required: ['format'], properties: { format: { const: 'pagerduty' } } },
  // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema.
  then: {
    required: ['headers'],
    properties: { headers: oneShapeOf({ required: ['X-Routing-Key'] }, { required: [ROUTING_KEY_HEADER] }) },
  },
};
const located = (format: DeliveryFormat, pattern: string) => ({
  if: { required: ['format'], properties: { format: { const: format } } },
  // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema.
  then: { properties: { url: { pattern } } },
});
export const NewWebhook = z
  .strictObject({ ...fields, headers: Headers.default({}).meta(headersMeta), reply_secret: replySecret })
  .meta({
    id: 'NewWebhook',
    allOf: [
      routed,
      located('alertmanager-api', '^[^?#]*/api/v2/alerts\\s*$'),
      located('jira', '^[^?#]*/rest/api/2/issue[?]project=\\w+\\s*$'),
      located('servicenow', '^[^?#]*/api/now/table/\\w{1,80}\\s*$'),
    ],
    example: {
      name: 'Chat of the night shift',
      url: 'https://hooks.example.com/faultline',
      events: ['correlation.created', 'correlation.resolved', 'event.ungrouped', 'event.ungrouped_resolved'],
      filter: { minSeverity: 'major' },
    },
  });
export type NewWebhookInput = z.output<typeof NewWebhook>;
export const WebhookReplacement = z
  .strictObject({
    ...fields,
    url: fields.url.meta({ description: 'Public HTTP or HTTPS URL; send the displayed value to leave it unchanged' }),
    headers: Headers.optional().meta({ description: 'Omitted: existing headers are unchanged' }),
    reply_secret: replySecret,
  })
  .meta({ id: 'WebhookReplacement' });
export type WebhookReplacementInput = z.output<typeof WebhookReplacement>;

export const SecretRotation = z
  .strictObject({
    grace: duration({ least: 0, most: MAX_OVERLAP_MS })
      .default('24h')
      .meta({ description: 'Validity of the previous secret; 0h to 7d, default 24h' }),
  })
  .meta({ id: 'SecretRotation' });

export const WebhookBody = z
  .object({
    id: z.string(),
    name: z.string(),
    url: z.string().meta({ description: 'URL; for slack and teams, only the host and the last characters (secret)' }),
    events: z.array(Kind),
    headers: z.record(z.string(), z.string()).meta({ description: 'Header names; values are masked as …' }),
    active: z.boolean(),
    inactive_reason: z
      .enum(['gone', 'failing'])
      .nullable()
      .meta({ description: 'Why it was disabled: HTTP 410, or 5 days without a successful delivery' }),
    format: z.enum(FORMATS),
    filter: Filter.nullable(),
    has_reply_secret: z.boolean(),
    secret_hint: z.string(),
    earlier_secret_until: IsoTime.nullable().meta({ description: 'End of validity of the previous secret' }),
    created_at: IsoTime,
    updated_at: IsoTime,
  })
  .meta({ id: 'Webhook' });
export const WebhookWithSecret = WebhookBody.extend({
  secret: z.string().nullable().meta({ description: 'Shown once; null in replayed responses' }),
  message: z.string(),
}).meta({ id: 'WebhookWithSecret' });

const HIDDEN = '…';
const hidden = (headers: Webhook['headers']) =>
  Object.fromEntries(Object.keys(headers).map((header) => [header, HIDDEN]));

const facts = ({ id, name, events, headers, active, inactiveReason, format, filter, replySecret }: Webhook) => ({
  id,
  name,
  events: [...events],
  headers: hidden(headers),
  active,
  inactive_reason: inactiveReason,
  format,
  filter: filter as z.output<typeof Filter> | null,
  has_reply_secret: replySecret !== undefined,
});

/** Returns the webhook for the audit trail: addresses of chat services are secrets, so it has the host alone. */
export const webhookFacts = (webhook: Webhook) => ({
  ...facts(webhook),
  host: new URL(webhook.url).origin,
  secret_hint: secretHint(webhook.secrets),
});

export const webhookBody = (webhook: Webhook, now: number): z.output<typeof WebhookBody> => ({
  ...facts(webhook),
  url: shownAddress(webhook),
  secret_hint: secretHint(webhook.secrets),
  earlier_secret_until: isoOrNull(earlierSecretEnds(webhook.secrets, now)),
  created_at: iso(webhook.createdAt),
  updated_at: iso(webhook.updatedAt),
});
