import { z } from 'zod';
import { endpoint, mount } from '#api/surfaces/endpoint.ts';
import { takeWebhook, type WebhookInput, type WebhookOutcome } from '#application/events/sources/take-webhook.ts';
import { WebhookReply } from '#schemas/http/events/events.ts';
import { WebhookBody } from '#sources/bodies.ts';
import type { Delivered } from '#sources/kit/source.ts';
import { otel } from '#sources/otel/otel.ts';
import { sourceNames } from '#sources/sources.ts';
import { BULK_BYTES } from './bulk-ingest.ts';

/** Senders that speak the Events API v2 expect its answer. */
const pagerDutyFields = ({ source, results }: WebhookOutcome) =>
  source === 'pagerduty'
    ? { status: 'success', message: 'Event processed', dedup_key: results[0]?.sourceId ?? '' }
    : undefined;

interface Sent {
  readonly params: { readonly source: string };
  readonly body: unknown;
  readonly headers: Delivered['headers'];
}
const taking = {
  on: 'events',
  method: 'post',
  bodyKind: 'any',
  body: z.unknown(),
  maxBytes: BULK_BYTES,
  // Depth of OpenTelemetry: `{ resourceLogs: [{ scopeLogs: [{ logRecords: [`.
  itemDepth: 6,
  reply: WebhookReply,
  read: ({ params, body, headers }: Sent): WebhookInput => ({ segment: params.source, delivered: { body, headers } }),
} as const;

export const webhook = endpoint<WebhookInput, WebhookOutcome>({
  id: 'events.webhook',
  summary: 'Ingest a monitoring webhook',
  description: `Sources: ${sourceNames().join(', ')}. Also accepts Basic credentials (password = API token) and ?token=.`,
  tag: 'Events',
  permission: 'events.webhook',
  limit: 'webhook',
  bringsEvents: true,
  sourceOf: ({ source = otel.name }) => source,
  lenientCredentials: true,
  mounts: [
    mount({
      ...taking,
      path: '/webhook/{source}',
      alsoStatus: [202],
      params: z.object({ source: z.string().meta({ enum: sourceNames() }) }),
      bodyTypes: { 'application/json': WebhookBody },
      present(outcome) {
        const extra = pagerDutyFields(outcome);
        return { status: extra ? 202 : 200, body: { ...outcome, ...extra } };
      },
    }),
    // A collector puts this behind its `endpoint`.
    mount({
      ...taking,
      path: '/webhook/{source}/v1/logs',
      params: z.object({ source: z.enum([otel.name, ...otel.aliases]) }),
      bodyTypes: { 'application/json': otel.card.body },
      present: (outcome) => ({ body: outcome }),
    }),
  ],
  handle: takeWebhook,
});
