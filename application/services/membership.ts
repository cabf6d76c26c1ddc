import { everyRecord } from '#application/records/list-records.ts';
import type { RecordStore } from '#domain/ports/record-store.ts';
import { type ServicesOfCi, servicesByCi } from '#domain/services/dependencies.ts';
import { SERVICE_KINDS, type Service } from '#domain/services/service.ts';

/** How long events may go on naming services that another process changed; ms. */
const MEMBERSHIP_TTL_MS = 30_000;
const MAX_TENANTS = 1_000;

interface Known {
  readonly byCi: Promise<ServicesOfCi>;
  readonly validUntil: number;
}
const caches = new WeakMap<RecordStore, Map<string, Known>>();

const cacheOf = (records: RecordStore): Map<string, Known> => {
  const found = caches.get(records);
  if (found !== undefined) return found;
  const cache = new Map<string, Known>();
  caches.set(records, cache);
  return cache;
};

/** Which services a CI belongs to. When the store is down, events come in without their services. */
export const membership = (records: RecordStore, tenant: string, now: number): Promise<ServicesOfCi> => {
  const cache = cacheOf(records);
  const known = cache.get(tenant);
  if (known !== undefined && known.validUntil > now) return known.byCi;
  if (cache.size >= MAX_TENANTS) cache.delete(cache.keys().next().value!);
  const byCi = everyRecord<Service>(records, tenant, SERVICE_KINDS.service)
    .then(servicesByCi)
    .catch((): ServicesOfCi => new Map());
  cache.set(tenant, { byCi, validUntil: now + MEMBERSHIP_TTL_MS });
  return byCi;
};

/** To be called after every change of the tenant's services. */
export const forgetMembership = (records: RecordStore, tenant: string): void => {
  caches.get(records)?.delete(tenant);
};
