import { everyRecord } from '#application/records/list-records.ts';
import type { KnownByTenant } from '#domain/lru.ts';
import { knownByTenant } from '#domain/lru.ts';
import type { RecordStore } from '#domain/ports/record-store.ts';
import { type ServicesOfCi, servicesByCi } from '#domain/services/dependencies.ts';
import { SERVICE_KINDS, type Service } from '#domain/services/service.ts';

/** How long events may go on naming services that another process changed; ms. */
const MEMBERSHIP_TTL_MS = 30_000;

/** Which services a CI belongs to. When the store is down, events come in without their services. */
export const openMembership = (records: RecordStore): KnownByTenant<ServicesOfCi> =>
  knownByTenant(MEMBERSHIP_TTL_MS, (tenant) =>
    everyRecord<Service>(records, tenant, SERVICE_KINDS.service)
      .then(servicesByCi)
      .catch((): ServicesOfCi => new Map()),
  );
