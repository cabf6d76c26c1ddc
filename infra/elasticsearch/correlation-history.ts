import type { CorrelationHistory } from '#domain/ports/events/correlation-history.ts';
import type { Store } from './cluster/store.ts';
import { demandedSince, extentOf, recordsSince } from './queries/past-records.ts';

export const openCorrelationHistory = (store: Store): CorrelationHistory => ({
  extent: (tenant, from) => extentOf(store, tenant, from),
  records: (tenant, since) => recordsSince(store, tenant, since),
  demanded: (tenant, after, limit) => demandedSince(store, tenant, after, limit),
});
