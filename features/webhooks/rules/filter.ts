import { severityRank } from '#domain/event/event.ts';
import type { FilterSubject, ToldKind, Webhook, WebhookFilter } from './webhook.ts';

/** A test reaches its webhook whatever it subscribes to. */
export const subscribes = ({ events }: Pick<Webhook, 'events'>, kind: ToldKind): boolean =>
  kind === 'webhook.test' || events.includes('*') || events.includes(kind);

const isAmong = (named: readonly string[] | undefined, found: readonly string[]): boolean => {
  if (named === undefined) return true;
  const wanted = new Set(named.map((name) => name.toLowerCase()));
  return found.some((name) => wanted.has(name.toLowerCase()));
};

const listed = (one: string | undefined): string[] => (one === undefined ? [] : [one]);

const isSevereEnough = ({ minSeverity }: WebhookFilter, { severity }: FilterSubject): boolean =>
  minSeverity === undefined || (severity !== undefined && severityRank(severity) >= severityRank(minSeverity));

/** Whether every given part of the filter holds. Names are compared without case. */
export const matches = (filter: WebhookFilter | null, subject: FilterSubject): boolean =>
  filter === null ||
  (isSevereEnough(filter, subject) &&
    isAmong(filter.services, subject.services ?? []) &&
    isAmong(filter.sources, listed(subject.source)) &&
    isAmong(filter.tags, subject.tags ?? []) &&
    isAmong(filter.ciTypes, listed(subject.ciType)) &&
    (filter.onlyCauses !== true || subject.isCause === true));
