import { jsonSize } from '#domain/json-size.ts';
import { isRecord } from '#domain/record-of.ts';
import type { Delivery, DeliveryKind, Webhook } from './webhook.ts';

/** Maximum of a body as JSON in UTF-8. */
export const MAX_BODY_BYTES = 20 * 1_024;

export type BodyData = Readonly<Record<string, unknown>>;

/** The body of a webhook of the format `standard` (docs/specification.md, "Outbound webhook events"). */
export interface StandardBody {
  readonly event: DeliveryKind;
  /** Time of the change, ISO 8601. */
  readonly timestamp: string;
  readonly data: BodyData;
  readonly webhook_id: string;
  readonly delivery_id: string;
  /** Increases with every change of the resource. */
  readonly sequence: number;
  /** Parts of the data were left out, as they were too large. */
  readonly truncated?: true;
}

type Cut = (value: unknown) => unknown;

/** Changes every value within, from the inside out; bodies are at most 32 levels deep. */
const deep = (value: unknown, change: Cut): unknown => {
  if (Array.isArray(value)) return change(value.map((item) => deep(item, change)));
  if (!isRecord(value)) return change(value);
  return change(Object.fromEntries(Object.entries(value).map(([key, item]) => [key, deep(item, change)])));
};

const without =
  (...keys: readonly string[]): Cut =>
  (value) =>
    isRecord(value) ? Object.fromEntries(Object.entries(value).filter(([key]) => !keys.includes(key))) : value;
const shorter =
  (items: number, characters: number): Cut =>
  (value) => {
    if (Array.isArray(value)) return value.slice(0, items);
    return typeof value === 'string' ? value.slice(0, characters) : value;
  };

const SCALARS = 12;
const SCALAR_CHARACTERS = 100;
const isScalar = (value: unknown): boolean => typeof value !== 'object' || value === null;
/** The first plain fields, among them the ids: always small enough. */
const plainFields: Cut = (value) => {
  if (!isRecord(value)) return shorter(0, SCALAR_CHARACTERS)(value);
  const plain = Object.entries(value).filter(([key, one]) => isScalar(one) && key.length <= SCALAR_CHARACTERS);
  const cut = plain.map(([key, one]) => [key, shorter(0, SCALAR_CHARACTERS)(one)]);
  return Object.fromEntries(cut.slice(0, SCALARS));
};

const everywhere =
  (change: Cut) =>
  (data: BodyData): BodyData =>
    deep(data, change) as BodyData;
/** Returns the data of each resource, as `data` holds one beside a few short words. */
const perResource = (data: BodyData): BodyData =>
  Object.fromEntries(
    Object.entries(data)
      .slice(0, 2)
      .map(([key, value]) => [key.slice(0, SCALAR_CHARACTERS), plainFields(value)]),
  );

/** Each after those before it, until the body fits. */
const STEPS: readonly ((data: BodyData) => BodyData)[] = [
  everywhere(without('details')),
  everywhere(without('attributes', 'custom_fields', 'customFields', 'history', 'childEventIds')),
  everywhere(shorter(20, 1_000)),
  everywhere(shorter(5, 200)),
  perResource,
];

/** The same body, with as much of the data as 20 KB hold: `details` go first. */
export const fitted = (body: StandardBody): StandardBody => {
  let fitting = body;
  for (const step of STEPS) {
    if (jsonSize(fitting) <= MAX_BODY_BYTES) break;
    fitting = { ...fitting, data: step(fitting.data), truncated: true };
  }
  return fitting;
};

interface DeliveryContent {
  readonly webhook: Pick<Webhook, 'id'>;
  readonly delivery: Pick<Delivery, 'id' | 'outgoing'>;
  /** The resource as GET shows it under its kind; `previous_status` and `escalation` are added here. */
  readonly data: BodyData;
}

/** The text, at most 20 KB. */
export const standardBody = ({ webhook, delivery: { id, outgoing }, data }: DeliveryContent): StandardBody => {
  const { kind, at, previousStatus, sequence, escalation } = outgoing;
  const timestamp = new Date(at).toISOString();
  const told = {
    ...data,
    ...(previousStatus !== undefined && { previous_status: previousStatus }),
    ...(escalation && {
      escalation: {
        from_team: escalation.from,
        to_team: escalation.to,
        on_call: escalation.onCall,
        after_minutes: escalation.afterMinutes,
      },
    }),
  };
  return fitted({ event: kind, timestamp, data: told, webhook_id: webhook.id, delivery_id: id, sequence });
};
