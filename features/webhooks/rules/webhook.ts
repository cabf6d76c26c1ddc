import type { Severity } from '#domain/event/event.ts';

/** Kinds of the record store. */
export const WEBHOOK_RECORDS = {
  webhook: 'webhook',
  /** Webhook id by lower-case name; makes names unique. */
  name: 'webhook-name',
} as const;

export const MAX_WEBHOOKS = 20;
export const MAX_EVENTS = 20;
export const MAX_HEADERS = 20;
/** The registration's header that has the integration key of PagerDuty, in lower case. */
export const ROUTING_KEY_HEADER = 'x-routing-key';

export const WEBHOOK_KINDS = [
  'ci.created',
  'ci.updated',
  'ci.deleted',
  'relationship.created',
  'event.created',
  'event.status_changed',
  'event.ungrouped',
  'event.ungrouped_resolved',
  'correlation.created',
  'correlation.updated',
  'correlation.resolved',
  'correlation.escalated',
  'report.completed',
  'analysis.completed',
  'silence.planned',
  'silence.started',
  'silence.ended',
  'webhook.overflow',
] as const;
export type WebhookKind = (typeof WEBHOOK_KINDS)[number];

export const FORMATS = [
  'standard',
  'slack',
  'teams',
  'pagerduty',
  'alertmanager',
  'alertmanager-api',
  'jira',
  'servicenow',
] as const;
export type DeliveryFormat = (typeof FORMATS)[number];
export const ALERTS_PATH = '/api/v2/alerts';

/** It receives open alerts repeatedly, and has no deliveries except tests. */
export const isPushed = ({ format }: { readonly format: DeliveryFormat }): boolean => format === 'alertmanager-api';

/** All given parts must hold; what does not match is not queued. */
export interface WebhookFilter {
  readonly minSeverity?: Severity;
  readonly services?: readonly string[];
  readonly sources?: readonly string[];
  readonly tags?: readonly string[];
  readonly ciTypes?: readonly string[];
  /** Events that are the candidate of their group, or in none. */
  readonly onlyCauses?: boolean;
}

/** `whsec_` and base64; two sign while the older one lasts. */
export interface Secret {
  readonly value: string;
  /** ms; null: until it is rotated. */
  readonly until: number | null;
}

/** Record of kind `webhook`, in its tenant; the id begins with `WHK-`. */
export interface Webhook {
  readonly id: string;
  readonly name: string;
  readonly url: string;
  readonly events: readonly (WebhookKind | '*')[];
  readonly headers: Readonly<Record<string, string>>;
  readonly active: boolean;
  /** Reason why we disabled it: `gone` (410) or `failing` (5 days without success). */
  readonly inactiveReason: 'gone' | 'failing' | null;
  readonly format: DeliveryFormat;
  readonly filter: WebhookFilter | null;
  /** Newest first, 1 or 2. */
  readonly secrets: readonly Secret[];
  /** Secret by which the service signs its replies; absent: the webhook's own secret does. */
  readonly replySecret?: string;
  readonly createdAt: number;
  readonly updatedAt: number;
}
/** Kind of the records of replies, by webhook and key. */
export const REPLIED = 'webhook-replied';
/** Retention after the last change, ms. */
export const REPLY_KEPT_MS = 60 * 86_400_000;
export const repliedId = ({ id }: Pick<Webhook, 'id'>, key: string): string => `${id} ${key}`;
export interface RepliedState {
  /** State that the receiver knows, as it set it. */
  readonly state: 'open' | 'acknowledged' | 'resolved' | null;
  /** Time of the newest reply by the clock of the receiver, ms. */
  readonly at: number;
  /** Ids of the last replies. */
  readonly seen: readonly string[];
}
/** Names are compared without case and surrounding blanks. */
export const webhookNameKey = (name: string): string => name.trim().toLowerCase();

/** A test (`webhook.test`) is sent to one webhook regardless of its subscriptions. */
export const DELIVERABLE_KINDS = [...WEBHOOK_KINDS, 'webhook.test'] as const;
export type DeliveryKind = (typeof DELIVERABLE_KINDS)[number];

/** The subject of a delivery. */
export interface Resource {
  readonly kind: 'ci' | 'relationship' | 'event' | 'correlation' | 'report' | 'silence' | 'webhook';
  readonly id: string;
  /** Name of a CI or webhook at that time. */
  readonly name?: string;
}

/** A team has not acknowledged a group in time. Names of teams. */
interface Escalation {
  readonly from: string;
  readonly to: string;
  /** Null: unknown, or no calendar. */
  readonly onCall: string | null;
  readonly afterMinutes: number;
  /** Start of the wait, ms. */
  readonly since: number;
}

/** A change to be sent, before its webhooks are known. Record of kind `outgoing` when it was stored with a change. */
export interface Outgoing {
  readonly kind: DeliveryKind;
  readonly resource: Resource;
  /** Position of an event or group, revision of a CI: grows with every change of the resource. */
  readonly sequence: number;
  /** Time of the change, ms. */
  readonly at: number;
  /** Set for status changes. */
  readonly previousStatus?: string;
  readonly escalation?: Escalation;
  /** The resource at that time, where it cannot be read when it is sent: deleted CIs, overflows, tests. */
  readonly data?: Readonly<Record<string, unknown>>;
}

/** Fields that a filter matches; absent ones match no filter that names them. */
export interface FilterSubject {
  readonly severity?: Severity;
  readonly services?: readonly string[];
  readonly source?: string;
  readonly tags?: readonly string[];
  readonly ciType?: string;
  readonly isCause?: boolean;
}

export interface Attempt {
  readonly at: number;
  /** Status of the reply; null when there was none. */
  readonly status: number | null;
  readonly ms: number;
  /** Class of the failure in a few words: `timeout`, `refused address`, `connection refused` …; null after a success. */
  readonly error: string | null;
}

/** `skipped`: at the first attempt the webhook's format had no equivalent, or its event was no cause. */
export const DELIVERY_STATES = ['waiting', 'delivered', 'dead', 'skipped'] as const;
export type DeliveryState = (typeof DELIVERY_STATES)[number];

export const ATTEMPT_OUTCOMES = ['delivered', 'failed', 'dead'] as const;

/** Record of kind `webhook-delivery`, in its tenant; id `DLV-` and a hash of webhook, kind, resource and sequence. */
export interface Delivery {
  readonly id: string;
  readonly webhookId: string;
  readonly outgoing: Outgoing;
  readonly createdAt: number;
  readonly state: DeliveryState;
  /** The body as it was first sent; null before the first attempt. */
  readonly body: string | null;
  readonly contentType: string;
  readonly attempts: readonly Attempt[];
  /** Time of the next attempt, ms; null when there is none. */
  readonly nextAt: number | null;
  /** Grows with every change of `nextAt`, so that no two places in the queue have one id. */
  readonly turn: number;
  /** Time of the last request to send it again, ms: its retries restart. */
  readonly redeliveredAt?: number;
}
