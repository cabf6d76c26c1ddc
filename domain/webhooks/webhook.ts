import type { Severity } from '#domain/event/event.ts';

/** Kinds of the record store. */
export const WEBHOOK_RECORDS = {
  webhook: 'webhook',
  /** By lower-case name: the webhook's id; makes names unique. */
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
  'correlation.created',
  'correlation.updated',
  'correlation.resolved',
  'report.completed',
  'analysis.completed',
  'webhook.overflow',
] as const;
type WebhookKind = (typeof WEBHOOK_KINDS)[number];

export const FORMATS = ['standard', 'slack', 'teams', 'pagerduty'] as const;
type Format = (typeof FORMATS)[number];

/** All given parts must hold; what does not match is not queued. */
interface WebhookFilter {
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
  /** Why it was switched off by us: `gone` (410) or `failing` (5 days without success). */
  readonly inactiveReason: 'gone' | 'failing' | null;
  readonly format: Format;
  readonly filter: WebhookFilter | null;
  /** Newest first, 1 or 2. */
  readonly secrets: readonly Secret[];
  readonly createdAt: number;
  readonly updatedAt: number;
}
/** Names are compared without case and surrounding blanks. */
export const webhookNameKey = (name: string): string => name.trim().toLowerCase();
