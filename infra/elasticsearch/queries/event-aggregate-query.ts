import { MOST_RESOLUTION_MS } from '#domain/event/life/resolution-time.ts';
import type {
  AggregateFilter,
  AggregateKey,
  AggregateRequest,
  Measure,
} from '#domain/ports/events/event-aggregates.ts';
import { boundsOf } from '#infra/aggregated.ts';
import { IS_CHANGE } from '#infra/elasticsearch/cluster/is-open.ts';
import { all, any, range, terms } from '#infra/elasticsearch/cluster/query.ts';
import type { DocumentQuery } from '#infra/elasticsearch/cluster/search.ts';
import { eventQuery } from './event-query.ts';

export interface AskedEvents {
  readonly tenant: string;
  readonly filter: AggregateFilter;
  readonly request: AggregateRequest;
}

export const FIELDS: Readonly<Record<Exclude<AggregateKey, 'time'>, string>> = {
  severity: 'rank',
  status: 'event.status',
  source: 'event.source',
  ci: 'event.ci.id',
  host: 'host',
  service: 'serviceName',
  environment: 'event.environment',
  signature: 'event.signature',
  group: 'event.correlationId',
};

interface Measured {
  readonly at: string;
  readonly where: readonly DocumentQuery[];
  /** Absent: the count. */
  readonly sum?: DocumentQuery;
}
const spanOf = (field: string): Pick<Measured, 'where' | 'sum'> => ({
  where: [range(field, { gte: 0, lte: MOST_RESOLUTION_MS })],
  sum: { sum: { field } },
});
export const MEASURED: Readonly<Record<Measure, Measured>> = {
  events: { at: 'event.timestamp', where: [] },
  occurrences: { at: 'event.timestamp', where: [], sum: { sum: { field: 'event.count' } } },
  correlated: { at: 'event.timestamp', where: [], sum: { value_count: { field: FIELDS.group } } },
  resolution: { at: 'resolvedAt', ...spanOf('openMs') },
  acknowledgement: { at: 'event.timestamp', ...spanOf('acknowledgedMs') },
};

const timeOf = (filter: AggregateFilter, request: AggregateRequest): DocumentQuery[] => {
  const { from, to } = boundsOf(filter, request);
  const bounds = { ...(from > -Infinity && { gte: from }), ...(to < Infinity && { lt: to }) };
  return Object.keys(bounds).length === 0 ? [] : [range(MEASURED[request.measure].at, bounds)];
};

/** The conditions of a filter and of what is measured, within one tenant. */
export function aggregateQuery({ tenant, filter, request }: AskedEvents): DocumentQuery {
  const { from: _from, to: _to, ciIds, environments, signatures, ofService, changes, ...named } = filter;
  const isOf = ofService && any(terms(FIELDS.service, ofService.names), terms(FIELDS.ci, ofService.ciIds));
  return all(
    eventQuery(tenant, { ...named, ...(ciIds && { ciId: ciIds }) }),
    ...timeOf(filter, request),
    ...(environments ? [terms(FIELDS.environment, environments)] : []),
    ...(signatures ? [terms(FIELDS.signature, signatures)] : []),
    ...(changes ? [IS_CHANGE] : []),
    ...(isOf ? [isOf] : []),
    ...MEASURED[request.measure].where,
  );
}
