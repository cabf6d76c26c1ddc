import type { z } from 'zod';
import { endpoint, on } from '#api/surfaces/endpoint.ts';
import { takeWebhook, type WebhookOutcome } from '#application/events/sources/take-webhook.ts';
import { invalid } from '#domain/fault.ts';
import {
  ChangeReply,
  Enqueued,
  EnqueuedChange,
  EnqueuedV1,
  EventReply,
  PagerDutyChange,
  PagerDutyEvent,
  PagerDutyV1Event,
  V1EventReply,
} from '#features/pagerduty/schemas/pagerduty.ts';
import { pagerduty } from '#sources/pagerduty/pagerduty.ts';

const taking = {
  tag: 'PagerDuty',
  permission: 'events.webhook',
  limit: 'webhook',
  bringsEvents: true,
  sourceOf: () => pagerduty.name,
  lenientCredentials: true,
  keyFields: pagerduty.credentials ?? [],
} as const;
/** The limit of PagerDuty. */
const reading = { bodyKind: 'any', maxBytes: 512 * 1_024 } as const;
const PROCESSED = { status: 'success', message: 'Event processed' } as const;
const TOKEN =
  'The token is the routing_key (service_key in version 1), or in the header Authorization or X-Routing-Key.';

type PagerBody = Readonly<Record<string, unknown>>;
const asJson = { 'content-type': 'application/json' };
const take = (body: PagerBody, context: Parameters<typeof takeWebhook>[1]): Promise<WebhookOutcome> =>
  takeWebhook({ segment: pagerduty.name, delivered: { body, headers: asJson } }, context);
const keyOf = ({ results }: WebhookOutcome): string => results[0]?.sourceId ?? '';

const enqueue = endpoint<PagerBody, WebhookOutcome>({
  ...taking,
  id: 'pagerduty.enqueue',
  summary: 'Ingest an event (PagerDuty)',
  description: `Events API v2. ${TOKEN}`,
  mounts: on.pagerduty.post('/v2/enqueue', {
    ...reading,
    body: Enqueued,
    bodyTypes: { 'application/json': PagerDutyEvent },
    status: 202,
    reply: EventReply,
    read: ({ body }) => body,
    present: (outcome) => ({ body: { ...PROCESSED, dedup_key: keyOf(outcome) } }),
  }),
  handle: take,
});

/** Omits the fields by which the source would read it as an alert. */
const changeOf = ({ payload, ...said }: z.output<typeof EnqueuedChange>): PagerBody => {
  const { event_action: _, event_type: __, dedup_key: ___, ...change } = said;
  const { severity: ____, ...facts } = payload;
  return { ...change, payload: facts };
};

const change = endpoint<PagerBody, WebhookOutcome>({
  ...taking,
  id: 'pagerduty.change.enqueue',
  summary: 'Ingest a change (PagerDuty)',
  description: `Events API v2. The event has the category change. ${TOKEN}`,
  mounts: on.pagerduty.post('/v2/change/enqueue', {
    ...reading,
    body: EnqueuedChange,
    bodyTypes: { 'application/json': PagerDutyChange },
    status: 202,
    reply: ChangeReply,
    read: ({ body }) => changeOf(body),
    present: () => ({ body: { ...PROCESSED, message: 'Change event processed' } }),
  }),
  handle: take,
});

/** The source names the fields of version 2. Throws Fault `invalid`. */
const checkedV1 = (body: z.output<typeof EnqueuedV1>): PagerBody => {
  const { event_type: type, incident_key: key = '', description } = body;
  const isNamed = typeof description === 'string' && description.trim() !== '';
  if (type === 'trigger' && !isNamed) throw invalid('description', 'expected the text of the alert');
  if (type !== 'trigger' && key.trim() === '') throw invalid('incident_key', `required for ${type}`);
  return body;
};

const create = endpoint<PagerBody, WebhookOutcome>({
  ...taking,
  id: 'pagerduty.v1.create-event',
  summary: 'Ingest an event (PagerDuty version 1)',
  description: TOKEN,
  mounts: on.pagerduty.post('/generic/2010-04-15/create_event.json', {
    ...reading,
    body: EnqueuedV1,
    bodyTypes: { 'application/json': PagerDutyV1Event },
    reply: V1EventReply,
    read: ({ body }) => checkedV1(body),
    present: (outcome) => ({ body: { ...PROCESSED, incident_key: keyOf(outcome) } }),
  }),
  handle: take,
});

export const pagerdutyEndpoints = [enqueue, change, create];
