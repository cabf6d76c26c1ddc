import { invalid } from '#domain/fault.ts';
import { asRecord } from '#domain/record-of.ts';
import type { DeliveryFormat } from '#features/webhooks/rules/webhook.ts';

export const REPLY_ACTIONS = [
  'acknowledge',
  'unacknowledge',
  'resolve',
  'reopen',
  'note',
  'silence',
  'wrong-cause',
] as const;
export type ReplyAction = (typeof REPLY_ACTIONS)[number];

/** An action of a user in another tool. */
export interface ReplyRead {
  /** No two have the same. */
  readonly id: string;
  readonly action: ReplyAction;
  /** `group COR-…` or `event EVT-…`, as deliveries name it; null: by the incident of the service alone. */
  readonly key: string | null;
  /** Incident of the service, which later replies may name instead. */
  readonly incident?: string;
  readonly by: string;
  readonly note?: string;
  /** Time of the action, ms. */
  readonly at: number;
}

const text = (value: unknown, most = 255): string | undefined =>
  typeof value === 'string' && value.trim() !== '' ? value.trim().slice(0, most) : undefined;
const MAX_NOTE = 4_000;
const KEY = /^(?:faultline )?(group COR-[\w-]{1,64}|event EVT-\w{26})$/;
const keyIn = (value: unknown): string | null => KEY.exec(text(value) ?? '')?.[1] ?? null;

const parsed = (json: string): Readonly<Record<string, unknown>> => {
  try {
    return asRecord(JSON.parse(json));
  } catch {
    throw invalid('body', 'expected JSON');
  }
};

const PAGERDUTY: Readonly<Record<string, ReplyAction>> = {
  'incident.acknowledged': 'acknowledge',
  'incident.unacknowledged': 'unacknowledge',
  'incident.resolved': 'resolve',
  'incident.reopened': 'reopen',
  'incident.annotated': 'note',
};

/** Webhooks V3. Null: it changes nothing here. */
const ofPagerDuty = (body: string, now: number): ReplyRead | null => {
  const event = asRecord(parsed(body).event);
  const [id, kind, data] = [text(event.id), text(event.event_type), asRecord(event.data)];
  if (id === undefined || kind === undefined) throw invalid('event', 'expected a V3 webhook event');
  const action = PAGERDUTY[kind];
  if (action === undefined) return null;
  const about = action === 'note' ? asRecord(data.incident) : data;
  const [incident, note] = [text(about.id), text(data.content, MAX_NOTE)];
  const at = Date.parse(String(event.occurred_at));
  return {
    id,
    action,
    key: keyIn(about.incident_key),
    ...(incident !== undefined && { incident }),
    by: `pagerduty:${text(asRecord(event.agent).summary) ?? 'unknown'}`,
    ...(note !== undefined && { note }),
    at: Number.isNaN(at) ? now : at,
  };
};

/** A click on a button, form-encoded. Null: it is none of ours. */
const ofSlack = (body: string, now: number): ReplyRead | null => {
  const payload = parsed(new URLSearchParams(body).get('payload') ?? '');
  const [clicked] = Array.isArray(payload.actions) ? payload.actions : [];
  const { action_id: said, value, action_ts: seconds } = asRecord(clicked);
  const action = REPLY_ACTIONS.find((one) => said === `faultline-${one}`);
  const key = keyIn(value);
  if (action === undefined || key === null) return null;
  const user = asRecord(payload.user);
  const at = Number(seconds) * 1_000;
  const by = `slack:${text(user.username) ?? text(user.name) ?? text(user.id) ?? 'unknown'}`;
  return { id: `${String(seconds)} ${by} ${key} ${action}`, action, key, by, at: at > 0 ? at : now };
};

const ofOthers = (body: string, now: number, id: string): ReplyRead => {
  const { action: said, group, event, by, note, at: time } = parsed(body);
  const action = REPLY_ACTIONS.find((one) => one === said);
  if (action === undefined) throw invalid('action', `expected ${REPLY_ACTIONS.join(', ')}`);
  const key = keyIn(group === undefined ? `event ${String(event)}` : `group ${String(group)}`);
  if (key === null) throw invalid('group', 'expected the ID of a group, or in event that of an event');
  const words = text(note, MAX_NOTE);
  if (action === 'note' && words === undefined) throw invalid('note', 'expected text');
  const at = time === undefined ? now : Date.parse(String(time));
  if (Number.isNaN(at)) throw invalid('at', 'expected an ISO 8601 time');
  return { id, action, key, by: `webhook:${text(by) ?? 'unknown'}`, ...(words !== undefined && { note: words }), at };
};

/** The reply in a body of the service. Null: it changes nothing here. Throws Fault `invalid`. */
export const readReply = (format: DeliveryFormat, body: string, now: number, id: string): ReplyRead | null => {
  if (format === 'pagerduty') return ofPagerDuty(body, now);
  return format === 'slack' ? ofSlack(body, now) : ofOthers(body, now, id);
};
