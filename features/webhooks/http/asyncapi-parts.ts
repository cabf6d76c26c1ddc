import { z } from 'zod';
import type { AsyncapiPart, AsyncapiParts } from '#api/surfaces/asyncapi-parts.ts';
import { DELIVERY_BODIES } from '#features/webhooks/schemas/delivery-bodies.ts';

const DEFS = '#/$defs/';

/** Schemas that several bodies share are in the document once; a receiver ignores unknown fields. */
const placed = (part: unknown): unknown => {
  if (Array.isArray(part)) return part.map(placed);
  if (typeof part !== 'object' || part === null) return part;
  const kept = Object.entries(part).filter(([key, value]) => !(key === 'additionalProperties' && value === false));
  return Object.fromEntries(
    kept.map(([key, value]) =>
      key === '$ref' && typeof value === 'string' && value.startsWith(DEFS)
        ? [key, `#/components/schemas/${value.slice(DEFS.length)}`]
        : [key, placed(value)],
    ),
  );
};

const text = (description: string): AsyncapiPart => ({ type: 'string', description });
/** Those of Standard Webhooks. */
const headers: AsyncapiPart = {
  type: 'object',
  properties: {
    'webhook-id': text('Delivery ID; same for every attempt'),
    'webhook-timestamp': text('Time of the attempt, epoch seconds'),
    'webhook-signature': text(
      'v1 and a base64-encoded HMAC-SHA-256; two values during the grace period of a rotated secret',
    ),
  },
};

const CHANNEL = 'webhooks';

const messageOf = (
  kind: string,
  schema: z.ZodType,
): { readonly message: AsyncapiPart; readonly shared: AsyncapiPart } => {
  const { $defs = {}, $schema: _, ...payload } = z.toJSONSchema(schema, { unrepresentable: 'any' });
  const message = {
    name: kind,
    title: kind,
    summary: `Webhook payload: ${kind}`,
    contentType: 'application/json',
    headers,
    payload: placed(payload),
  };
  return { message, shared: placed($defs) as AsyncapiPart };
};

/** Deliveries to webhooks of the format `standard`, as parts of an AsyncAPI 3 document. */
export const asyncapiParts = (): AsyncapiParts => {
  const made = [...DELIVERY_BODIES].map(([kind, schema]) => ({ kind, ...messageOf(kind, schema) }));
  const messages = Object.fromEntries(made.map(({ kind }) => [kind, { $ref: `#/components/messages/${kind}` }]));
  return {
    channels: {
      [CHANNEL]: {
        address: null,
        title: 'Webhooks',
        messages,
        description: 'Signed POST to the URL of each webhook subscribed to the kind; see docs/webhooks.md.',
      },
    },
    operations: {
      'webhooks.deliver': {
        action: 'send',
        summary: 'Faultline sends changes to webhooks',
        channel: { $ref: `#/channels/${CHANNEL}` },
        messages: made.map(({ kind }) => ({ $ref: `#/channels/${CHANNEL}/messages/${kind}` })),
      },
    },
    messages: Object.fromEntries(made.map(({ kind, message }) => [kind, message])),
    schemas: Object.assign({}, ...made.map(({ shared }) => shared)) as AsyncapiPart,
  };
};
