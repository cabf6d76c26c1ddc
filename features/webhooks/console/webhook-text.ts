import type { MarkKind } from '#console/components/mark/kinds.ts';
import { count, names } from '#console/text/counts.ts';
import type { Severity } from '#domain/event/event.ts';
import type { DeliveryData, WebhookData } from './api.ts';

type WebhookEventKind = WebhookData['events'][number] | 'webhook.test';
type Format = WebhookData['format'];
type Filter = NonNullable<WebhookData['filter']>;

/** Subscriptions of a webhook. */
export const KIND_WORDS: Readonly<Record<WebhookEventKind, string>> = {
  '*': 'All events',
  'correlation.created': 'Group created',
  'correlation.updated': 'Group updated',
  'correlation.resolved': 'Group resolved',
  'correlation.escalated': 'Group escalated',
  'event.ungrouped': 'Ungrouped event created',
  'event.ungrouped_resolved': 'Ungrouped event resolved',
  'event.created': 'Event created',
  'event.status_changed': 'Event status changed',
  'ci.created': 'CI created',
  'ci.updated': 'CI updated',
  'ci.deleted': 'CI deleted',
  'relationship.created': 'Relationship created',
  'report.completed': 'Report completed',
  'analysis.completed': 'Analysis completed',
  'silence.planned': 'Silence planned',
  'silence.started': 'Silence started',
  'silence.ended': 'Silence ended',
  'webhook.overflow': 'Deliveries dropped (overflow)',
  'webhook.test': 'Test',
};

export const FORMAT_WORDS: Readonly<Record<Format, string>> = {
  standard: 'JSON (signed)',
  slack: 'Slack',
  teams: 'Microsoft Teams',
  pagerduty: 'PagerDuty',
  alertmanager: 'Alertmanager webhook',
  'alertmanager-api': 'Alertmanager API',
  jira: 'Jira',
  servicenow: 'ServiceNow',
};

const KINDS_NAMED = 2;
export const kindsWords = (kinds: readonly WebhookEventKind[]): string =>
  names(
    kinds.map((kind) => KIND_WORDS[kind]),
    kinds.length,
    KINDS_NAMED,
  );

/** `major and above; from zabbix`: empty without a filter. */
export const filterWords = (filter: Filter | null): string => {
  if (filter === null) return '';
  const { minSeverity, services, sources, tags, ciTypes, onlyCauses } = filter;
  const of = (words: string, values: readonly string[] | undefined): string[] =>
    values === undefined ? [] : [`${words} ${names(values, values.length, 3)}`];
  return [
    ...(minSeverity === undefined ? [] : [severityWords(minSeverity)]),
    ...of('from', sources),
    ...of('service', services),
    ...of('tag', tags),
    ...of('CI type', ciTypes),
    ...(onlyCauses === true ? ['root causes only'] : []),
  ].join('; ');
};
export const severityWords = (least: Severity): string =>
  least === 'critical' ? 'critical only' : `${least} and above`;

/** The state of a webhook; for its list and its page. */
type Stand = Pick<WebhookData, 'active' | 'inactive_reason' | 'failures_in_row' | 'rests_until' | 'last_success_at'>;

interface StatusMark {
  readonly kind: MarkKind;
  readonly words: string;
}

export const standOf = (webhook: Stand, now: number): StatusMark => {
  const { active, inactive_reason: because, failures_in_row: failures, rests_until: rest } = webhook;
  if (because === 'gone') return { kind: 'bad', words: 'Disabled: receiver returned HTTP 410' };
  if (because === 'failing') return { kind: 'bad', words: 'Disabled: failing for 5 days' };
  if (!active) return { kind: 'quiet', words: 'Disabled' };
  if (rest !== null && Date.parse(rest) > now)
    return { kind: 'bad', words: `Paused: ${count(failures, 'consecutive failure')}` };
  if (failures > 0) return { kind: 'caution', words: count(failures, 'consecutive failure') };
  return webhook.last_success_at === null
    ? { kind: 'quiet', words: 'No deliveries yet' }
    : { kind: 'good', words: 'Healthy' };
};

const DELIVERIES: Readonly<Record<DeliveryData['status'], StatusMark>> = {
  waiting: { kind: 'quiet', words: 'Pending' },
  delivered: { kind: 'good', words: 'Delivered' },
  dead: { kind: 'bad', words: 'Failed' },
  skipped: { kind: 'quiet', words: 'Skipped' },
};
export const deliveryState = ({ status, attempts }: Pick<DeliveryData, 'status' | 'attempts'>): StatusMark =>
  status === 'waiting' && attempts.length > 0 ? { kind: 'caution', words: 'Retrying' } : DELIVERIES[status];

/** `204 in 12 ms`, `status 503`, `timeout`; empty before the first attempt. */
export const lastAnswer = ({ attempts }: Pick<DeliveryData, 'attempts'>): string => {
  const last = attempts.at(-1);
  return last === undefined ? '' : (last.error ?? `${last.status} in ${Math.round(last.ms)} ms`);
};
