import { severityRank } from '#domain/event/event.ts';
import type { DeliveryKind, FilterSubject, Webhook, WebhookFilter } from './webhook.ts';

/** A test reaches its webhook regardless of its subscriptions. */
export const subscribes = ({ events }: Pick<Webhook, 'events'>, kind: DeliveryKind): boolean =>
  kind === 'webhook.test' || events.includes('*') || events.includes(kind);

const isAmong = (named: readonly string[] | undefined, found: readonly string[]): boolean => {
  if (named === undefined) return true;
  const wanted = new Set(named.map((name) => name.toLowerCase()));
  return found.some((name) => wanted.has(name.toLowerCase()));
};

const listed = (one: string | undefined): string[] => (one === undefined ? [] : [one]);

const isSevereEnough = ({ minSeverity }: WebhookFilter, { severity }: FilterSubject): boolean =>
  minSeverity === undefined || (severity !== undefined && severityRank(severity) >= severityRank(minSeverity));

/** True if every given part of the filter matches. Names are compared without case. */
export const matches = (filter: WebhookFilter | null, subject: FilterSubject): boolean =>
  filter === null ||
  (isSevereEnough(filter, subject) &&
    isAmong(filter.services, subject.services ?? []) &&
    isAmong(filter.sources, listed(subject.source)) &&
    isAmong(filter.tags, subject.tags ?? []) &&
    isAmong(filter.ciTypes, listed(subject.ciType)) &&
    (filter.onlyCauses !== true || subject.isCause === true));
