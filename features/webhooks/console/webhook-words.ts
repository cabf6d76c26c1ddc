import type { MarkKind } from '#console/facts/mark/kinds.ts';
import { count, names } from '#console/words/counts.ts';
import type { Severity } from '#domain/event/event.ts';
import type { DeliveryShown, WebhookShown } from './api.ts';

type Kind = WebhookShown['events'][number] | 'webhook.test';
type Format = WebhookShown['format'];
type Filter = NonNullable<WebhookShown['filter']>;

/** Subscriptions of a webhook. */
export const KIND_WORDS: Readonly<Record<Kind, string>> = {
  '*': 'everything',
  'correlation.created': 'a group is formed',
  'correlation.updated': 'a group changes',
  'correlation.resolved': 'a group is over',
  'event.ungrouped': 'an event stays in no group',
  'event.ungrouped_resolved': 'an event in no group is over',
  'event.created': 'an event comes',
  'event.status_changed': 'an event changes its status',
  'ci.created': 'a CI is made',
  'ci.updated': 'a CI changes',
  'ci.deleted': 'a CI is deleted',
  'relationship.created': 'a relationship is made',
  'report.completed': 'a report is ready',
  'analysis.completed': 'an analysis is done',
  'webhook.overflow': 'deliveries were left out',
  'webhook.test': 'a test',
};

export const FORMAT_WORDS: Readonly<Record<Format, string>> = {
  standard: 'JSON, signed',
  slack: 'Slack',
  teams: 'Microsoft Teams',
  pagerduty: 'PagerDuty',
};

const KINDS_NAMED = 2;
export const kindsWords = (kinds: readonly Kind[]): string =>
  names(
    kinds.map((kind) => KIND_WORDS[kind]),
    kinds.length,
    KINDS_NAMED,
  );

/** `major and worse; from zabbix`: empty without a filter. */
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
    ...of('CIs of type', ciTypes),
    ...(onlyCauses === true ? ['causes only'] : []),
  ].join('; ');
};
export const severityWords = (least: Severity): string =>
  least === 'critical' ? 'critical only' : `${least} and worse`;

/** The state of a webhook; for its list and its page. */
type Stand = Pick<WebhookShown, 'active' | 'inactive_reason' | 'failures_in_row' | 'rests_until' | 'last_success_at'>;

interface Said {
  readonly kind: MarkKind;
  readonly words: string;
}

export const standOf = (webhook: Stand, now: number): Said => {
  const { active, inactive_reason: because, failures_in_row: failures, rests_until: rest } = webhook;
  if (because === 'gone') return { kind: 'bad', words: 'switched off: its receiver said that it is gone' };
  if (because === 'failing') return { kind: 'bad', words: 'switched off: nothing was taken for 5 days' };
  if (!active) return { kind: 'quiet', words: 'switched off' };
  if (rest !== null && Date.parse(rest) > now)
    return { kind: 'bad', words: `rests: ${count(failures, 'failure')} in a row` };
  if (failures > 0) return { kind: 'caution', words: `${count(failures, 'failure')} in a row` };
  return webhook.last_success_at === null
    ? { kind: 'quiet', words: 'nothing sent yet' }
    : { kind: 'good', words: 'all is taken' };
};

const DELIVERIES: Readonly<Record<DeliveryShown['status'], Said>> = {
  waiting: { kind: 'quiet', words: 'waiting' },
  delivered: { kind: 'good', words: 'taken' },
  dead: { kind: 'bad', words: 'given up' },
  skipped: { kind: 'quiet', words: 'not sent' },
};
export const deliveryState = ({ status, attempts }: Pick<DeliveryShown, 'status' | 'attempts'>): Said =>
  status === 'waiting' && attempts.length > 0 ? { kind: 'caution', words: 'is tried again' } : DELIVERIES[status];

/** `204 in 12 ms`, `status 503`, `timeout`; empty before the first attempt. */
export const lastAnswer = ({ attempts }: Pick<DeliveryShown, 'attempts'>): string => {
  const last = attempts.at(-1);
  return last === undefined ? '' : (last.error ?? `${last.status} in ${Math.round(last.ms)} ms`);
};
