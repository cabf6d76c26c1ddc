import { z } from 'zod';

/* Bodies of PagerDuty's Events API, versions 2 and 1. */

const ACTIONS = ['trigger', 'acknowledge', 'resolve'] as const;
const key = z.string().max(255);
const written = z.string().regex(/\S/);
const bag = z.record(z.string(), z.unknown());
const links = z.array(z.looseObject({ href: z.string().optional(), text: z.string().optional() })).optional();

/** The source reads and checks the rest, so that a body has one error text everywhere. */
export const Enqueued = z.looseObject({ event_action: z.enum(ACTIONS), dedup_key: key.optional() });
export const EnqueuedChange = z.looseObject({ payload: z.looseObject({ summary: written }) });
export const EnqueuedV1 = z.looseObject({ event_type: z.enum(ACTIONS), incident_key: key.optional() });

const more = { client: z.string().optional(), client_url: z.string().optional() };
const routing = { routing_key: z.string().optional().meta({ description: 'Token; not needed with a header' }) };
const payload = {
  summary: written,
  source: z.string().optional(),
  timestamp: z.string().optional(),
  custom_details: bag.optional(),
};

/* Schemas for readers of the document. */

export const PagerDutyEvent = z
  .union([
    z.looseObject({
      ...routing,
      event_action: z.literal('trigger'),
      dedup_key: key.optional(),
      payload: z.looseObject({
        ...payload,
        severity: z.string().regex(/\S/).meta({ description: 'critical, error, warning or info' }),
        component: z.string().optional(),
        group: z.string().optional(),
        class: z.string().optional(),
      }),
      links,
      ...more,
    }),
    z.looseObject({ ...routing, event_action: z.enum(['acknowledge', 'resolve']), dedup_key: key.regex(/\S/) }),
  ])
  .meta({
    id: 'PagerDutyEvent',
    example: {
      routing_key: '0123456789abcdef0123456789abcdef',
      event_action: 'trigger',
      dedup_key: 'backup/nightly',
      payload: { summary: 'Nightly backup failed', source: 'backup-1', severity: 'error' },
    },
  });
export const PagerDutyChange = z.looseObject({ ...routing, payload: z.looseObject(payload), links }).meta({
  id: 'PagerDutyChange',
  example: {
    routing_key: '0123456789abcdef0123456789abcdef',
    payload: { summary: 'Deployed cart 4.2', source: 'ci', custom_details: { service: 'cart' } },
  },
});
const serviceKey = { service_key: routing.routing_key };
export const PagerDutyV1Event = z
  .union([
    z.looseObject({
      ...serviceKey,
      event_type: z.literal('trigger'),
      incident_key: key.optional(),
      description: written,
      details: bag.optional(),
      ...more,
    }),
    z.looseObject({ ...serviceKey, event_type: z.enum(['acknowledge', 'resolve']), incident_key: key.regex(/\S/) }),
  ])
  .meta({
    id: 'PagerDutyV1Event',
    example: { service_key: '0123456789abcdef0123456789abcdef', event_type: 'trigger', description: 'Disk is full' },
  });

const said = { status: z.literal('success'), message: z.string() };
export const EventReply = z.object({ ...said, dedup_key: z.string() }).meta({ id: 'PagerDutyEventReply' });
export const ChangeReply = z.object(said).meta({ id: 'PagerDutyChangeReply' });
export const V1EventReply = z.object({ ...said, incident_key: z.string() }).meta({ id: 'PagerDutyV1EventReply' });
